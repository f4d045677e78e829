package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads on one tree that may keep hardly any file open. */
class PosixTreeRaceTest {
  private static final int THREADS = 6;
  private static final int STEPS = 1_500;
  private static final int DESCRIPTORS_MAX = 8;

  /** How operations may end whose files others make, move and remove at the same time. */
  private static final Set<Nfs3Status> TO_BE_EXPECTED =
      EnumSet.of(Nfs3Status.NOENT, Nfs3Status.EXIST, Nfs3Status.STALE, Nfs3Status.NOTEMPTY);

  @ParameterizedTest
  @EnumSource(Ground.class)
  void nothingIsMixedUpAndNoDescriptorLeaks(Ground ground) throws Exception {
    int before = TreeOnGround.openDescriptors();
    try (TreeOnGround on = new TreeOnGround(ground, DESCRIPTORS_MAX)) {
      FileHandle root = on.tree().root();
      FileHandle[] files = new FileHandle[20];
      for (int i = 0; i < files.length; i++) {
        files[i] = on.create(root, "kept" + i);
        on.write(files[i], 0, content(i));
      }
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          RandomGenerator random = new SplittableRandom(thread);
          running.add(
              threads.submit(() -> {
                for (int i = 0; i < STEPS; i++) {
                  step(on, root, files, random);
                }
                return null;
              }));
        }
        for (Future<?> future : running) {
          future.get();
        }
      }
      on.tree().checkInvariants();
      for (int i = 0; i < files.length; i++) {
        assertThat(on.read(files[i], 0, 100)).isEqualTo(content(i));
      }
      // Each thread may have been using a file, with two descriptors, when the last was closed.
      assertThat(on.tree().openDescriptors()).isLessThanOrEqualTo(DESCRIPTORS_MAX + 2 * THREADS);
    }
    assertThat(TreeOnGround.openDescriptors()).isLessThanOrEqualTo(before);
  }

  private static void step(
      TreeOnGround on, FileHandle root, FileHandle[] files, RandomGenerator random)
      throws FileException, IOException {
    int which = random.nextInt(files.length);
    String passing = "passing" + random.nextInt(5);
    switch (random.nextInt(6)) {
      case 0 -> readBack(on, files[which], which);
      case 1 -> on.write(files[which], 0, content(which));
      case 2 -> assertThat(on.lookup(root, "kept" + which).handle()).isEqualTo(files[which]);
      case 3 -> expecting(() -> on.create(root, passing));
      case 4 -> expecting(() -> on.remove(root, passing));
      default -> expecting(() -> on.rename(root, passing, root, "passing" + random.nextInt(5)));
    }
  }

  private static void readBack(TreeOnGround on, FileHandle file, int which) throws FileException {
    try (FileNode node = on.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(64);
      int length = on.tree().read(node, 0, buffer, Caller.ROOT);
      byte[] read = new byte[length];
      buffer.get(0, read);
      assertThat(read).isEqualTo(content(which));
    }
  }

  private static void expecting(TreeOnGround.Operation operation) {
    Nfs3Status status = TreeOnGround.statusOf(operation);
    if (status != Nfs3Status.OK) {
      assertThat(status).isIn(TO_BE_EXPECTED);
    }
  }

  private static byte[] content(int which) {
    return bytes("content of file " + which);
  }
}
