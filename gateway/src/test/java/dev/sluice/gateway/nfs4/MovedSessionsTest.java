package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.ExtendedAttributes;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.gateway.rpc.ReplyJournal;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that die in the midst of what must not be done twice, and others that go on with the same
 * files and the same journal.
 */
class MovedSessionsTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Set<String> CHANGES =
      Set.of(
          "makeDirectory",
          "makeSymbolicLink",
          "remove",
          "removeDirectory",
          "rename",
          "link",
          "set");
  private static final String[] NAMES = {"a", "b", "c"};

  /** What is about one name. */
  private static final int[] ALONE = {0, 1, 2, 4, 5, 6};

  private static final int SYMBOLIC_LINK = 5;
  private static final int DIRECTORY = 2;

  @TempDir private Path temporary;

  /** The end of a server. */
  private static final class Killed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;
  }

  /** When a server dies: so many changes from now, before or after that change; never below 0. */
  private static final class Fate {
    private int changes = -1;
    private boolean isAfter;
  }

  /** Files in memory under a server with a fate; the files outlive it. */
  private static final class Ground {
    final MemoryTree files = new MemoryTree(1);
    final MemoryHandles handles = new MemoryHandles();
    final Fate fate = new Fate();
    final FileTree tree = mortal(FileTree.class, files);
    private final ExtendedAttributes attributes =
        mortal(ExtendedAttributes.class, files.extendedAttributes());

    private <T> T mortal(Class<T> type, T immortal) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> {
                if (method.getName().equals("extendedAttributes")) {
                  return attributes;
                }
                boolean isLast = CHANGES.contains(method.getName()) && fate.changes-- == 0;
                if (isLast && !fate.isAfter) {
                  throw new Killed();
                }
                try {
                  Object result = method.invoke(immortal, arguments);
                  if (isLast) {
                    throw new Killed();
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }

    Nfs4Program server(@Nullable ReplyJournal journal, int number) {
      Export export =
          new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
      Nfs4States states =
          new Nfs4States(
              StateBounds.DEFAULTS,
              LEASE.toNanos(),
              ClientRecords.forgetful(),
              number,
              System.nanoTime());
      return new Nfs4Program(
          new Exports(List.of(export)),
          handles,
          TransferSize.USUAL,
          states,
          OwnerNames.NUMBERS,
          journal,
          LEASE,
          new Timestamp(1, 2));
    }

    /** All names, with what they name, and the attributes of the one file. */
    Set<String> contents(byte[] file) throws Exception {
      Set<String> names = new TreeSet<>();
      Caller root = Squash.of(Squash.Who.NONE).caller(new Credential.Sys("test", 0, 0));
      try (FileNode directory = files.open(files.root())) {
        for (String name : NAMES) {
          FileTree.Child child = files.childForListing(directory, bytes(name), root);
          if (child != null) {
            names.add(name + " " + child.attributes().type());
          }
        }
      }
      try (FileNode node =
          files.open(Objects.requireNonNull(handles.read(new XdrReader(opaque(file)))))) {
        for (byte[] name : files.extendedAttributes().names(node, root)) {
          names.add("attribute " + new String(name, StandardCharsets.UTF_8));
        }
      }
      return names;
    }

    private static ByteBuffer opaque(byte[] handle) {
      ByteBuffer bytes = ByteBuffer.allocate(256);
      new XdrWriter(bytes).writeOpaque(handle);
      return bytes.flip();
    }
  }

  /** A client of servers that follow each other. */
  private static final class Client {
    final Ground ground;
    private final @Nullable Path directory;
    private final RandomGenerator random;
    private @Nullable ReplyJournal journal;
    private Nfs4Caller caller;
    private int servers;
    final byte[] root;
    final byte[] file;

    Client(Ground ground, @Nullable Path directory, RandomGenerator random) throws IOException {
      this.ground = ground;
      this.directory = directory;
      this.random = random;
      start();
      this.root = caller.handle("/a");
      this.file = caller.opened(root, "owner", "file", 3, true).handle();
    }

    private void start() throws IOException {
      servers++;
      if (journal != null) {
        journal.close();
      }
      journal = directory == null ? null : ReplyJournal.open(directory, false);
      ground.fate.changes = -1;
      Nfs4Program program = ground.server(journal, servers);
      Nfs4Caller before = caller;
      caller = new Nfs4Caller(program, "client-" + servers);
      caller.minorVersion = 2;
      if (before == null) {
        caller.begin(servers);
      } else {
        caller.session = before.session;
        caller.slot = before.slot;
        caller.sequence = before.sequence;
      }
    }

    /** Asks until there is an answer, as clients do: the same again, elsewhere if need be. */
    Reply ask(List<Op> operations, boolean mayDie) throws IOException {
      List<Op> all = new ArrayList<>();
      all.add(caller.sequence(++caller.sequence));
      all.addAll(operations);
      boolean isAnswerLost = mayDie && random.nextInt(3) == 0;
      for (int deaths = 0; ; ) {
        if (mayDie && !isAnswerLost && deaths < 3) {
          ground.fate.changes = random.nextInt(4);
          ground.fate.isAfter = random.nextBoolean();
        }
        try {
          Reply reply = caller.raw(all);
          if (isAnswerLost) {
            isAnswerLost = false;
            start();
            continue;
          }
          ground.fate.changes = -1;
          if (reply.status != Nfs4Status.BADSESSION) {
            if (random.nextBoolean()) {
              Set<String> contents = contents();
              assertThat(caller.raw(all).status).as("once more").isEqualTo(reply.status);
              assertThat(contents()).isEqualTo(contents);
            }
            return reply;
          }
          caller.begin(servers);
          all.set(0, caller.sequence(++caller.sequence));
        } catch (Killed e) {
          deaths++;
          start();
        }
      }
    }

    Set<String> contents() {
      try {
        return ground.contents(file);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    void end() throws IOException {
      if (journal != null) {
        journal.close();
      }
    }
  }

  /** What is asked for; the same for all clients, but for their handles. */
  private record Change(int kind, String name, String other) {
    static Change random(RandomGenerator random) {
      return new Change(
          random.nextInt(7),
          NAMES[random.nextInt(NAMES.length)],
          NAMES[random.nextInt(NAMES.length)]);
    }

    List<Op> operations(byte[] root, byte[] file) {
      Op go = putfh(root);
      Op goToFile = putfh(file);
      Op save = op(Nfs4Operation.SAVEFH);
      return switch (kind) {
        case 0 -> List.of(go, create(out -> out.writeInt(DIRECTORY)));
        case 1 ->
            List.of(go, create(out -> out.writeInt(SYMBOLIC_LINK).writeOpaque(bytes("nowhere"))));
        case 2 -> List.of(go, named(Nfs4Operation.REMOVE));
        case 3 ->
            List.of(
                go,
                save,
                op(
                    Nfs4Operation.RENAME,
                    out -> out.writeOpaque(bytes(name)).writeOpaque(bytes(other))));
        case 4 -> List.of(goToFile, save, go, named(Nfs4Operation.LINK));
        case 5 ->
            List.of(
                goToFile,
                op(
                    Nfs4Operation.SETXATTR,
                    out ->
                        out.writeInt(other.equals("c") ? 0 : 1)
                            .writeOpaque(bytes(name))
                            .writeOpaque(bytes(other))));
        default -> List.of(goToFile, named(Nfs4Operation.REMOVEXATTR));
      };
    }

    private Op named(Nfs4Operation operation) {
      return op(operation, out -> out.writeOpaque(bytes(name)));
    }

    private Op create(Consumer<XdrWriter> type) {
      return op(
          Nfs4Operation.CREATE,
          out -> {
            type.accept(out);
            out.writeOpaque(bytes(name));
            AttributeSet.NONE.write(out);
            out.writeInt(0);
          });
    }
  }

  /**
   * Wherever servers die, a client that asks again until it has an answer has the answers, and
   * leaves behind the files, that it would have had with one that lives for ever.
   */
  @Test
  void nothingIsDoneTwiceWhereverServersDie() {
    SeededCases.forAll(
        2_000,
        random -> {
          Path directory = Files.createTempDirectory(temporary, "replies");
          Client lucky = new Client(new Ground(), null, random);
          Client unlucky = new Client(new Ground(), directory, random);
          for (int i = random.nextInt(1, 12); i > 0; i--) {
            List<Change> changes = new ArrayList<>();
            if (random.nextInt(8) == 0) {
              // Several at once, of which none is about another's name.
              for (String name : NAMES) {
                changes.add(new Change(ALONE[random.nextInt(ALONE.length)], name, name));
              }
            } else {
              changes.add(Change.random(random));
            }
            Reply expected = lucky.ask(operations(changes, lucky), false);
            Reply actual = unlucky.ask(operations(changes, unlucky), random.nextBoolean());
            assertThat(actual.status).as("%s", changes).isEqualTo(expected.status);
            assertThat(actual.operations).as("%s", changes).isEqualTo(expected.operations);
            assertThat(unlucky.contents()).as("%s", changes).isEqualTo(lucky.contents());
          }
          unlucky.end();
        });
  }

  private static List<Op> operations(List<Change> changes, Client client) {
    return changes.stream()
        .flatMap(change -> change.operations(client.root, client.file).stream())
        .toList();
  }

  /** What waits too long at the server after is told to come as it is, not in a new session. */
  @Test
  void whatIsPutOffComesAgainAsItIs() throws Exception {
    Client client = new Client(new Ground(), temporary, new SplittableRandom(1));
    List<Op> make = new Change(0, "a", "b").operations(client.root, client.file);
    client.ground.fate.changes = 0;
    client.ground.fate.isAfter = true;
    List<Op> all = new ArrayList<>();
    all.add(client.caller.sequence(client.caller.sequence + 1));
    all.addAll(make);
    try {
      client.caller.raw(all);
      throw new AssertionError("expected that it dies");
    } catch (Killed e) {
      client.start();
    }
    Op[] operations = make.toArray(Op[]::new);
    assertThat(client.caller.postponed(operations).status).isEqualTo(Nfs4Status.DELAY);
    assertThat(client.caller.raw(all).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.contents()).containsExactly("a DIRECTORY");
    assertThat(client.caller.postponed(operations).status).isEqualTo(Nfs4Status.BADSESSION);
    client.caller.client = ClientAddress.parse("10.0.0.2");
    assertThat(client.caller.raw(all).status).as("a stranger").isEqualTo(Nfs4Status.BADSESSION);
    client.end();
  }
}
