package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A tree that is exported, and who calls for its files. */
abstract class Nfs3Fixture {
  static final int USER = 1_234;

  private static final int EXPORT_ID = 9;

  @TempDir private Path temporary;
  private TestTrees trees;

  FileTree tree;
  Exports exports;
  HandleCodec handles;
  Nfs3Caller nfs;
  byte[] root;

  /** The trees to hold to it. */
  abstract TestTrees newTrees(Path temporary) throws Exception;

  @BeforeEach
  void exportATree() throws Exception {
    trees = newTrees(temporary);
    handles = trees.handleCodec();
    tree = newTree(EXPORT_ID);
    exports = new Exports(List.of(export("/data", tree)));
    nfs = new Nfs3Caller(new Nfs3Program(exports, handles), handles);
    root = nfs.bytes(tree.root());
  }

  @AfterEach
  void everyFileWasClosed() throws Exception {
    trees.close();
  }

  FileTree newTree(int exportId) throws Exception {
    return trees.newTree(exportId);
  }

  static Export export(String path, FileTree tree) {
    return new Export(path, tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
  }

  void exportReadOnly() {
    exports.replace(
        List.of(
            new Export("/data", tree, "disk", true, Squash.of(Squash.Who.NONE), List.of(), false)));
  }

  byte[] newFile(String name, byte[] content) {
    byte[] file = handleOf(nfs.create(root, name, CreateMode.GUARDED, new Change().mode(0644)));
    if (content.length > 0) {
      assertOk(nfs.write(file, 0, StableHow.UNSTABLE, content));
    }
    return file;
  }

  byte[] newDirectory(String name) {
    return handleOf(nfs.mkdir(root, name, new Change().mode(0755)));
  }

  static byte[] handleOf(Reply reply) {
    assertOk(reply);
    return Objects.requireNonNull(reply.handle);
  }

  static Reply.Fattr present(Reply.@Nullable Fattr attributes) {
    return Objects.requireNonNull(attributes);
  }

  static void assertOk(Reply reply) {
    assertThat(reply.status).isEqualTo(Nfs3Status.OK);
  }

  static void assertRefused(Reply reply, Nfs3Status status) {
    assertThat(reply.status).isEqualTo(status);
  }

  static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
