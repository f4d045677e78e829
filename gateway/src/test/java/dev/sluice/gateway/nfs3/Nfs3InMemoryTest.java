package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class Nfs3InMemoryTest extends Nfs3Contract {
  private final List<MemoryTree> trees = new ArrayList<>();

  @Override
  FileTree newTree(int exportId) {
    MemoryTree tree = new MemoryTree(exportId);
    trees.add(tree);
    return tree;
  }

  @Override
  HandleCodec handleCodec() {
    return new MemoryHandles();
  }

  @AfterEach
  void everyFileWasClosed() {
    assertThat(trees).allSatisfy(tree -> assertThat(tree.openNodes()).isZero());
  }
}
