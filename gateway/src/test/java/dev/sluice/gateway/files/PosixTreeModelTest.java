package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.size;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random sequences of operations end as they would on a tree of plain objects. */
class PosixTreeModelTest {
  private static final String[] NAMES = {"a", "b", "c", "dd", "é"};
  private static final int OPERATIONS = 150;

  @ParameterizedTest
  @EnumSource(Ground.class)
  void behavesAsTheModel(Ground ground) {
    SeededCases.forAll(
        15,
        random -> {
          // Few descriptors, so that files are closed and found again all the time.
          try (TreeOnGround on = new TreeOnGround(ground, 6)) {
            Run run = new Run(on, random);
            for (int i = 0; i < OPERATIONS; i++) {
              run.step();
            }
            run.compare(run.root);
            run.compareRemoved();
            on.tree().checkInvariants();
          }
        });
  }

  /** A file or a directory of the model. */
  private static final class Entry {
    private final FileHandle handle;
    private final @Nullable Map<String, Entry> children;
    private byte[] content = {};
    private @Nullable Entry parent;

    Entry(FileHandle handle, boolean directory, @Nullable Entry parent) {
      this.handle = handle;
      this.children = directory ? new TreeMap<>() : null;
      this.parent = parent;
    }

    boolean isDirectory() {
      return children != null;
    }

    Map<String, Entry> children() {
      return Objects.requireNonNull(children);
    }

    boolean isIn(Entry above) {
      for (Entry at = this; at != null; at = at.parent) {
        if (at == above) {
          return true;
        }
      }
      return false;
    }
  }

  private static final class Run {
    private final TreeOnGround on;
    private final RandomGenerator random;
    private final Entry root;
    private final List<Entry> live = new ArrayList<>();
    private final List<Entry> removed = new ArrayList<>();

    Run(TreeOnGround on, RandomGenerator random) {
      this.on = on;
      this.random = random;
      this.root = new Entry(on.tree().root(), true, null);
      live.add(root);
    }

    void step() throws FileException, IOException {
      Entry directory = pick(true);
      String name = NAMES[random.nextInt(NAMES.length)];
      switch (random.nextInt(10)) {
        case 0, 1 -> make(directory, name, false);
        case 2 -> make(directory, name, true);
        case 3 -> remove(directory, name, false);
        case 4 -> remove(directory, name, true);
        case 5 -> rename(directory, name, pick(true), NAMES[random.nextInt(NAMES.length)]);
        case 6 -> lookup(directory, name);
        case 7, 8 -> changeContent();
        default -> {
          if (random.nextInt(5) == 0) {
            on.restart();
          } else {
            compare(pick(random.nextBoolean()));
          }
        }
      }
    }

    private Entry pick(boolean directory) {
      List<Entry> some = live.stream().filter(entry -> entry.isDirectory() == directory).toList();
      return some.isEmpty() ? root : some.get(random.nextInt(some.size()));
    }

    private void make(Entry parent, String name, boolean directory) throws FileException {
      if (parent.children().containsKey(name)) {
        assertThat(statusOf(() -> makeOnDisk(parent, name, directory))).isEqualTo(Nfs3Status.EXIST);
        return;
      }
      Entry made = new Entry(makeOnDisk(parent, name, directory), directory, parent);
      parent.children().put(name, made);
      live.add(made);
    }

    private FileHandle makeOnDisk(Entry parent, String name, boolean directory)
        throws FileException {
      return directory ? on.makeDirectory(parent.handle, name) : on.create(parent.handle, name);
    }

    private void remove(Entry parent, String name, boolean directory) {
      Entry entry = parent.children().get(name);
      Nfs3Status expected = Nfs3Status.OK;
      if (entry == null) {
        expected = Nfs3Status.NOENT;
      } else if (entry.isDirectory() != directory) {
        expected = directory ? Nfs3Status.NOTDIR : Nfs3Status.ISDIR;
      } else if (directory && !entry.children().isEmpty()) {
        expected = Nfs3Status.NOTEMPTY;
      }
      assertThat(
              statusOf(() -> {
                if (directory) {
                  on.removeDirectory(parent.handle, name);
                } else {
                  on.remove(parent.handle, name);
                }
              }))
          .isEqualTo(expected);
      if (expected == Nfs3Status.OK) {
        drop(parent, name);
      }
    }

    private void rename(Entry from, String name, Entry to, String newName) {
      Entry moved = from.children().get(name);
      Entry target = to.children().get(newName);
      Nfs3Status expected = Nfs3Status.OK;
      if (moved == null) {
        expected = Nfs3Status.NOENT;
      } else if (to.isIn(moved)) {
        expected = Nfs3Status.INVAL;
      } else if (target != null && target != moved) {
        if (from.isIn(target)) {
          expected = Nfs3Status.NOTEMPTY;
        } else if (moved.isDirectory() != target.isDirectory()) {
          expected = moved.isDirectory() ? Nfs3Status.NOTDIR : Nfs3Status.ISDIR;
        } else if (target.isDirectory() && !target.children().isEmpty()) {
          expected = Nfs3Status.NOTEMPTY;
        }
      }
      assertThat(statusOf(() -> on.rename(from.handle, name, to.handle, newName)))
          .isEqualTo(expected);
      if (expected == Nfs3Status.OK && moved != null && target != moved) {
        if (target != null) {
          drop(to, newName);
        }
        from.children().remove(name);
        to.children().put(newName, moved);
        moved.parent = to;
      }
    }

    private void drop(Entry parent, String name) {
      Entry dropped = Objects.requireNonNull(parent.children().remove(name));
      live.remove(dropped);
      removed.add(dropped);
    }

    private void lookup(Entry parent, String name) throws FileException {
      Entry entry = parent.children().get(name);
      if (entry == null) {
        assertThat(statusOf(() -> on.lookup(parent.handle, name))).isEqualTo(Nfs3Status.NOENT);
      } else {
        assertThat(on.lookup(parent.handle, name).handle()).isEqualTo(entry.handle);
      }
      Entry above = parent.parent == null ? root : parent.parent;
      assertThat(on.lookup(parent.handle, "..").handle()).isEqualTo(above.handle);
    }

    private void changeContent() throws FileException {
      Entry file = pick(false);
      if (file.isDirectory()) {
        return;
      }
      int offset = random.nextInt(10_000);
      if (random.nextInt(4) == 0) {
        on.setAttributes(file.handle, size(offset), Caller.ROOT);
        file.content = Arrays.copyOf(file.content, offset);
        return;
      }
      byte[] written = new byte[random.nextInt(6_000)];
      random.nextBytes(written);
      on.write(file.handle, offset, written);
      if (written.length > 0) {
        file.content =
            Arrays.copyOf(file.content, Math.max(file.content.length, offset + written.length));
        System.arraycopy(written, 0, file.content, offset, written.length);
      }
    }

    /** All that is below is on disk as in the model. */
    void compare(Entry entry) throws FileException {
      if (!entry.isDirectory()) {
        assertThat(on.read(entry.handle, 0, 20_000)).isEqualTo(entry.content);
        assertThat(on.attributes(entry.handle).size()).isEqualTo(entry.content.length);
        return;
      }
      List<String> expected = new ArrayList<>(entry.children().keySet());
      expected.addAll(List.of(".", ".."));
      assertThat(on.names(entry.handle, 1 + random.nextInt(4)))
          .containsExactlyInAnyOrderElementsOf(expected);
      for (Entry child : entry.children().values()) {
        compare(child);
      }
    }

    void compareRemoved() {
      for (Entry entry : removed) {
        assertThat(statusOf(() -> on.attributes(entry.handle))).isEqualTo(Nfs3Status.STALE);
      }
    }
  }
}
