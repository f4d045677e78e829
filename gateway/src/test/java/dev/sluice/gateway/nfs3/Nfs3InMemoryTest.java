package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.StableHow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class Nfs3InMemoryTest {
  @Nested
  class Attributes extends Nfs3AttributesContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new MemoryTrees();
    }
  }

  @Nested
  class Names extends Nfs3NamesContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new MemoryTrees();
    }
  }

  @Nested
  class Data extends Nfs3DataContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new MemoryTrees();
    }
  }

  @Nested
  class Listings extends Nfs3ListingsContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new MemoryTrees();
    }
  }

  @Nested
  class Calls extends Nfs3CallsContract {
    @Override
    TestTrees newTrees(Path temporary) {
      return new MemoryTrees();
    }
  }

  /** A client sends again what it wrote when WRITE and COMMIT do not tell the same verifier. */
  @Test
  void aWriteThatWasLostMeanwhileIsNotCommitted() {
    MemoryTree tree = new MemoryTree(1);
    MemoryHandles handles = new MemoryHandles();
    Exports exports =
        new Exports(
            List.of(
                new Export(
                    "/data", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false)));
    Nfs3Caller nfs = new Nfs3Caller(new Nfs3Program(exports, handles), handles);
    Reply made =
        nfs.create(nfs.bytes(tree.root()), "file", CreateMode.GUARDED, new Nfs3Caller.Change());
    byte[] file = Objects.requireNonNull(made.handle);
    tree.loseNextWrite();

    long written = nfs.write(file, 0, StableHow.UNSTABLE, new byte[5]).verifier;
    assertThat(nfs.commit(file).verifier).isNotEqualTo(written).isEqualTo(tree.writeVerifier());
  }

  private static final class MemoryTrees implements TestTrees {
    private final List<MemoryTree> trees = new ArrayList<>();

    @Override
    public FileTree newTree(int exportId) {
      MemoryTree tree = new MemoryTree(exportId);
      trees.add(tree);
      return tree;
    }

    @Override
    public HandleCodec handleCodec() {
      return new MemoryHandles();
    }

    @Override
    public void close() {
      assertThat(trees).allSatisfy(tree -> assertThat(tree.openNodes()).isZero());
    }
  }
}
