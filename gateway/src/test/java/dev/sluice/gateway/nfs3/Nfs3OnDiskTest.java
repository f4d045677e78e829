package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.nfs.nfs3.StableHow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class Nfs3OnDiskTest {
  private static final int DESCRIPTORS_MAX = 64;

  @BeforeAll
  static void callersAreTakenOn() {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
  }

  @Nested
  class Attributes extends Nfs3AttributesContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new PosixTrees(temporary);
    }
  }

  @Nested
  class Names extends Nfs3NamesContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new PosixTrees(temporary);
    }
  }

  @Nested
  class Data extends Nfs3DataContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new PosixTrees(temporary);
    }

    @Test
    void largeContentsComeThroughAPipeUnlessTheyBeginWithinAPage() {
      byte[] file = newFile("file", new byte[1 << 20]);
      assertOk(nfs.read(file, 0, 1 << 20));
      assertThat(nfs.replies.lastWasPiped()).isTrue();
      assertOk(nfs.read(file, 0, 4096));
      assertThat(nfs.replies.lastWasPiped()).as("small contents").isFalse();
      assertOk(nfs.read(file, 1, 1 << 20));
      assertThat(nfs.replies.lastWasPiped()).as("a part of a page too many").isFalse();
    }

    @Test
    void largeContentsAreWrittenThroughAPipe() {
      byte[] contents = new byte[300_001];
      new Random(1).nextBytes(contents);
      byte[] file = newFile("file", new byte[0]);
      assertOk(nfs.write(file, 3, StableHow.FILE_SYNC, contents));
      assertThat(nfs.replies.lastWasGivenByPipe()).isTrue();
      assertThat(nfs.read(file, 3, contents.length).data).isEqualTo(contents);
      assertOk(nfs.write(file, 0, StableHow.UNSTABLE, new byte[4096]));
      assertThat(nfs.replies.lastWasGivenByPipe()).as("small contents").isFalse();
    }
  }

  @Nested
  class Listings extends Nfs3ListingsContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new PosixTrees(temporary);
    }
  }

  @Nested
  class Calls extends Nfs3CallsContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new PosixTrees(temporary);
    }
  }

  private static final class PosixTrees implements TestTrees {
    private final Path temporary;
    private final List<PosixTree> trees = new ArrayList<>();

    PosixTrees(Path temporary) {
      this.temporary = temporary;
    }

    @Override
    public FileTree newTree(int exportId) throws IOException {
      Path directory = Files.createDirectory(temporary.resolve("export-" + exportId));
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
      PosixTree tree = PosixTree.open(exportId, directory, state(), DESCRIPTORS_MAX);
      trees.add(tree);
      return tree;
    }

    @Override
    public HandleCodec handleCodec() throws IOException {
      return FileHandles.inDirectory(state());
    }

    private Path state() throws IOException {
      return Files.createDirectories(temporary.resolve("state"));
    }

    @Override
    public void close() throws IOException {
      for (PosixTree tree : trees) {
        tree.close();
        assertThat(tree.openDescriptors()).as("descriptors of files still held").isZero();
      }
    }
  }
}
