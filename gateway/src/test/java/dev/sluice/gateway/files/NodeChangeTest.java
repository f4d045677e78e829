package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.files.FileTree.Change;
import dev.sluice.gateway.files.FileTree.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Changes of directories by many at once. */
class NodeChangeTest {
  private static final int CHANGES = 500;

  /** Whoever renames to and fro takes turns, and nobody waits for ever. */
  @Test
  void twoDirectoriesAreLockedInAnyOrder() throws Exception {
    try (TreeOnGround on = new TreeOnGround(Ground.DISK);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      FileHandle one = on.makeDirectory(on.tree().root(), "one");
      FileHandle other = on.makeDirectory(on.tree().root(), "other");
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        boolean isForth = thread % 2 == 0;
        ClientAddress client = ClientAddress.parse("10.0.0." + thread);
        byte[] name = bytes("directory-" + thread);
        ends.add(
            threads.submit(() -> {
              for (int i = 0; i < CHANGES; i++) {
                try (FileNode from = on.open(isForth ? one : other);
                    FileNode to = on.open(isForth ? other : one)) {
                  move(on.tree(), from, to, name, client);
                }
              }
              return null;
            }));
      }
      for (Future<?> end : ends) {
        end.get(2, TimeUnit.MINUTES);
      }
    }
  }

  /**
   * A change that fails on its way out may have been made, and nobody has looked: what was seen
   * before it is not told to the next client.
   */
  @Test
  void whatNobodyLookedAtIsNotTakenForWhatWasSeenLast() throws Exception {
    try (TreeOnGround on = new TreeOnGround(Ground.DISK)) {
      FileHandle handle = on.makeDirectory(on.tree().root(), "one");
      ClientAddress here = ClientAddress.parse("10.0.0.1");
      ClientAddress there = ClientAddress.parse("10.0.0.2");
      try (FileNode node = on.open(handle)) {
        for (int i = 0; i < CHANGES; i++) {
          try (Change change = on.tree().beginChange(node, null, here)) {
            on.tree().makeDirectory(node, bytes("told-" + i), mode(0755), Caller.ROOT);
            change.tell(node, true);
          }
          try (Change _ = on.tree().beginChange(node, null, there)) {
            on.tree().makeDirectory(node, bytes("untold-" + i), mode(0755), Caller.ROOT);
          }
          try (Change change = on.tree().beginChange(node, null, here)) {
            Attributes told = change.tell(node, false).before();
            assertThat(told).isNull();
          }
        }
      }
    }
  }

  /** Makes a directory here, moves it there and takes it away. */
  private static void move(
      PosixTree tree, FileNode from, FileNode to, byte[] name, ClientAddress client)
      throws FileException {
    try (Change change = tree.beginChange(from, to, client)) {
      Attributes before = tree.attributes(from);
      tree.makeDirectory(from, name, mode(0755), Caller.ROOT);
      tree.rename(from, name, to, name, Caller.ROOT);
      tree.removeDirectory(to, name, Caller.ROOT);
      Told told = change.tell(from, true);
      Attributes toldBefore = told.before();
      if (toldBefore != null) {
        assertThat(toldBefore.changed()).isEqualTo(before.changed());
      }
    }
  }
}
