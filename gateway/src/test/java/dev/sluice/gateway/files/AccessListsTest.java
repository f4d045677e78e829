package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.AccessList.Entry;
import dev.sluice.gateway.files.AccessList.Tag;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Access control lists on real file systems, whose kernel obeys them. */
@ParameterizedClass
@EnumSource(Ground.class)
class AccessListsTest {
  private static final int CASES = 300;
  private static final Caller OWNER = new Caller(4_001, 4_001);
  private static final Caller FRIEND = new Caller(4_002, 4_002);
  private static final Caller STRANGER = new Caller(4_003, 4_003);
  private static final int READ = 0x01;
  private static final int MODIFY = 0x04;
  private static final AccessList FRIEND_READS =
      AccessList.of(
          List.of(
              new Entry(Tag.OWNER, 0, 6),
              new Entry(Tag.USER, FRIEND.uid(), 4),
              new Entry(Tag.OWNING_GROUP, 0, 0),
              new Entry(Tag.MASK, 0, 4),
              new Entry(Tag.OTHERS, 0, 0)));

  private final TreeOnGround on;
  private final FileHandle file;
  private final FileHandle directory;

  AccessListsTest(Ground ground) throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    on = new TreeOnGround(ground);
    on.setAttributes(on.tree().root(), mode(0777), Caller.ROOT);
    try (FileNode root = on.root()) {
      Creation how = new Creation.Guarded(mode(0600));
      file = on.tree().create(root, bytes("file"), how, OWNER).handle();
      directory = on.tree().makeDirectory(root, bytes("directory"), mode(0755), OWNER).handle();
    }
  }

  @AfterEach
  void closeTree() throws IOException {
    on.close();
  }

  private AccessList access(FileHandle handle) throws FileException {
    try (FileNode node = on.open(handle)) {
      return on.tree().accessList(node);
    }
  }

  private AccessList byDefault(FileHandle handle) throws FileException {
    try (FileNode node = on.open(handle)) {
      return on.tree().defaultAccessList(node);
    }
  }

  private Nfs3Status setAccess(FileHandle handle, AccessList list, Caller caller) {
    return statusOf(() -> {
      try (FileNode node = on.open(handle)) {
        on.tree().setAccessLists(node, list, null, caller);
      }
    });
  }

  private Nfs3Status setDefault(FileHandle handle, AccessList list, Caller caller) {
    return statusOf(() -> {
      try (FileNode node = on.open(handle)) {
        on.tree().setAccessLists(node, null, list, caller);
      }
    });
  }

  private int rights(FileHandle handle, Caller caller) throws FileException {
    try (FileNode node = on.open(handle)) {
      return on.tree().access(node, READ | MODIFY, caller);
    }
  }

  /**
   * What {@link AccessList#flaw} finds is what the kernel finds, which lets somebody be named twice
   * besides; what it takes, it gives back.
   */
  @Test
  void theKernelTakesWhatHasNoFlawAndGivesItBack() {
    int[] taken = new int[1];
    SeededCases.forAll(
        CASES,
        random -> {
          AccessList list = new AccessList(drawn(random));
          AccessList before = access(file);
          Nfs3Status status = setUnchecked(list);
          String flaw = list.flaw();
          boolean namesTwice = flaw != null && flaw.contains("there twice");
          if (namesTwice && status == Nfs3Status.OK) {
            setAccess(file, before, OWNER);
            status = Nfs3Status.INVAL;
          }
          assertThat(status == Nfs3Status.OK).as(list.toString()).isEqualTo(flaw == null);
          if (status == Nfs3Status.OK) {
            taken[0]++;
            assertThat(access(file)).isEqualTo(list.isNone() ? before(before) : list);
            assertThat(setDefault(directory, list, OWNER)).isEqualTo(Nfs3Status.OK);
            assertThat(byDefault(directory)).isEqualTo(list);
          } else {
            assertThat(access(file)).isEqualTo(before);
            assertThat(setAccess(file, list, OWNER)).isEqualTo(Nfs3Status.INVAL);
          }
        });
    if (Long.getLong("sluice.seed") == null) {
      assertThat(taken[0]).isBetween(CASES / 10, CASES * 9 / 10);
    }
  }

  /** Past our own check, so that it is the kernel that judges. */
  private Nfs3Status setUnchecked(AccessList list) {
    return statusOf(() -> {
      SystemCalls calls = SystemCalls.ofThisThread();
      byte[] name = bytes("system.posix_acl_access");
      try (FileNode node = on.open(file)) {
        int descriptor = HeldNode.of(node).node().descriptor();
        if (list.isNone()) {
          calls.removeAttribute(descriptor, name);
          return;
        }
        ByteBuffer form = ByteBuffer.allocate(4 + 8 * list.entries().size());
        form.order(ByteOrder.LITTLE_ENDIAN).putInt(2);
        for (Entry entry : list.entries()) {
          form.putShort((short) entry.tag().code())
              .putShort((short) entry.permissions())
              .putInt(entry.tag().isNamed() ? entry.id() : -1);
        }
        FileErrors.check(
            calls.writeAttribute(descriptor, name, form.array(), SystemCalls.ATTRIBUTE_ANY));
      }
    });
  }

  /** Who takes a list away leaves what the mode shows: the mask is the group's then. */
  private static AccessList before(AccessList former) {
    int mode = 0;
    for (Entry entry : former.entries()) {
      boolean isMasked = former.entries().stream().anyMatch(other -> other.tag() == Tag.MASK);
      mode |=
          switch (entry.tag()) {
            case OWNER -> entry.permissions() << 6;
            case OWNING_GROUP -> isMasked ? 0 : entry.permissions() << 3;
            case MASK -> entry.permissions() << 3;
            case OTHERS -> entry.permissions();
            case USER, GROUP -> 0;
          };
    }
    return AccessList.ofMode(mode);
  }

  /** Mostly good lists, some with a flaw. */
  private static List<Entry> drawn(RandomGenerator random) {
    List<Entry> entries = new ArrayList<>(AccessList.ofMode(random.nextInt(0777)).entries());
    int named = random.nextInt(4);
    for (int i = 0; i < named; i++) {
      Tag tag = random.nextBoolean() ? Tag.USER : Tag.GROUP;
      entries.add(new Entry(tag, random.nextInt(5_000), random.nextInt(8)));
    }
    if (named > 0 || random.nextInt(4) == 0) {
      entries.add(new Entry(Tag.MASK, 0, random.nextInt(8)));
    }
    switch (random.nextInt(8)) {
      case 0 -> entries.remove(random.nextInt(entries.size()));
      case 1 -> entries.add(entries.get(random.nextInt(entries.size())));
      case 2 -> entries.add(new Entry(Tag.USER, -1, 7));
      case 3 -> entries.clear();
      default -> {}
    }
    return AccessList.of(entries).entries();
  }

  @Test
  void whoIsNamedHasWhatTheListSays() throws Exception {
    assertThat(rights(file, FRIEND)).isZero();

    assertThat(setAccess(file, FRIEND_READS, OWNER)).isEqualTo(Nfs3Status.OK);

    assertThat(rights(file, FRIEND)).isEqualTo(READ);
    assertThat(rights(file, STRANGER)).isZero();
    on.write(file, 0, bytes("text"));
    assertThat(on.read(file, 0, 9, FRIEND)).isEqualTo(bytes("text"));
    assertThat(statusOf(() -> on.read(file, 0, 9, STRANGER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(on.attributes(file).mode()).as("the mask shows as the group's").isEqualTo(0640);
  }

  @Test
  void whatIsTakenBackDoesNotHoldForAnotherSecond() throws Exception {
    setAccess(file, FRIEND_READS, OWNER);
    on.write(file, 0, bytes("text"));
    assertThat(on.read(file, 0, 9, FRIEND)).isEqualTo(bytes("text"));

    setAccess(file, AccessList.ofMode(0600), OWNER);

    assertThat(statusOf(() -> on.read(file, 0, 9, FRIEND))).isEqualTo(Nfs3Status.ACCES);
    assertThat(access(file)).isEqualTo(AccessList.ofMode(0600));
  }

  @Test
  void onlyTheOwnerAndRootSetLists() throws Exception {
    setAccess(file, FRIEND_READS, OWNER);

    assertThat(setAccess(file, AccessList.ofMode(0666), FRIEND)).isEqualTo(Nfs3Status.PERM);
    assertThat(setAccess(file, AccessList.ofMode(0666), STRANGER)).isEqualTo(Nfs3Status.PERM);
    assertThat(setDefault(directory, FRIEND_READS, STRANGER)).isEqualTo(Nfs3Status.PERM);
    assertThat(access(file)).isEqualTo(FRIEND_READS);
    assertThat(byDefault(directory)).isEqualTo(AccessList.NONE);

    assertThat(setAccess(file, AccessList.ofMode(0640), Caller.ROOT)).isEqualTo(Nfs3Status.OK);
  }

  @Test
  void whatIsMadeInADirectoryBeginsWithItsDefaultListAndIsNeverWider() throws Exception {
    AccessList list =
        AccessList.of(
            List.of(
                new Entry(Tag.OWNER, 0, 7),
                new Entry(Tag.USER, FRIEND.uid(), 7),
                new Entry(Tag.OWNING_GROUP, 0, 5),
                new Entry(Tag.MASK, 0, 7),
                new Entry(Tag.OTHERS, 0, 0)));
    setDefault(directory, list, OWNER);
    SeededCases.forAll(
        64,
        random -> {
          int mode = random.nextInt(01000);
          Child made;
          try (FileNode node = on.open(directory)) {
            byte[] name = bytes("made-" + random.nextLong());
            made =
                switch (random.nextInt(3)) {
                  case 0 -> on.tree().create(node, name, new Creation.Guarded(mode(mode)), OWNER);
                  case 1 -> {
                    Creation once = new Creation.Exclusive(random.nextLong(), mode);
                    yield on.tree().create(node, name, once, OWNER);
                  }
                  default -> on.tree().makeDirectory(node, name, mode(mode), OWNER);
                };
          }
          assertThat(made.attributes().mode() & ~mode & 0777).as("beyond what was asked").isZero();
          assertThat(made.attributes().mode() & 07).as("beyond the list").isZero();
          AccessList inherited = access(made.handle());
          assertThat(inherited.entries()).contains(new Entry(Tag.USER, FRIEND.uid(), 7));
          assertThat(rights(made.handle(), FRIEND) == (READ | MODIFY))
              .as("the friend reads and writes where the mask lets it")
              .isEqualTo(
                  made.attributes().type() == FileType.DIRECTORY
                      ? (mode & 070) == 070
                      : (mode & 060) == 060);
          assertThat(rights(made.handle(), STRANGER)).isZero();
        });
    assertThat(byDefault(file)).isEqualTo(AccessList.NONE);
  }

  @Test
  void filesHaveNoDefaultList() throws Exception {
    assertThat(setDefault(file, FRIEND_READS, OWNER)).isEqualTo(Nfs3Status.ACCES);
    assertThat(setDefault(file, AccessList.NONE, OWNER)).isEqualTo(Nfs3Status.OK);
  }

  @Test
  void symbolicLinksHaveNone() throws Exception {
    FileHandle link;
    try (FileNode root = on.root()) {
      link =
          on.tree()
              .makeSymbolicLink(root, bytes("link"), bytes("file"), mode(0777), OWNER)
              .handle();
    }
    assertThat(setAccess(link, FRIEND_READS, OWNER)).isEqualTo(Nfs3Status.NOTSUPP);
    assertThat(statusOf(() -> access(link))).isEqualTo(Nfs3Status.NOTSUPP);
    assertThat(access(file)).as("what it points to").isEqualTo(AccessList.ofMode(0600));
  }

  /** Disks have room for some hundred entries. */
  @Test
  void aListThatHasNoRoomChangesNothing() throws Exception {
    List<Entry> entries = new ArrayList<>(FRIEND_READS.entries());
    while (entries.size() < NfsAclProcedure.ENTRIES_MAX) {
      entries.add(new Entry(Tag.USER, 10_000 + entries.size(), 4));
    }
    AccessList large = AccessList.of(entries);
    setDefault(directory, FRIEND_READS, OWNER);
    AccessList before = access(directory);

    Nfs3Status status =
        statusOf(() -> {
          try (FileNode node = on.open(directory)) {
            on.tree().setAccessLists(node, large, AccessList.NONE, OWNER);
          }
        });

    if (status == Nfs3Status.OK) {
      assertThat(access(directory)).isEqualTo(large);
    } else {
      assertThat(status).isEqualTo(Nfs3Status.NOSPC);
      assertThat(access(directory)).isEqualTo(before);
      assertThat(byDefault(directory)).as("put back").isEqualTo(FRIEND_READS);
    }
  }
}
