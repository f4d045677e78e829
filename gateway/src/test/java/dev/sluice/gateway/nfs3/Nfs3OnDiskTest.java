package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.PosixTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class Nfs3OnDiskTest extends Nfs3Contract {
  private final List<PosixTree> trees = new ArrayList<>();
  @TempDir private Path temporary;

  @BeforeAll
  static void callersAreTakenOn() {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
  }

  @Override
  FileTree newTree(int exportId) throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("export-" + exportId));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    PosixTree tree = PosixTree.open(exportId, directory, state(), 64);
    trees.add(tree);
    return tree;
  }

  @Override
  HandleCodec handleCodec() throws IOException {
    return FileHandles.inDirectory(state());
  }

  private Path state() throws IOException {
    return Files.createDirectories(temporary.resolve("state"));
  }

  @AfterEach
  void closeTrees() throws IOException {
    for (PosixTree tree : trees) {
      tree.close();
      assertThat(tree.openDescriptors()).as("descriptors of files still held").isZero();
    }
  }
}
