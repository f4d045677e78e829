package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import java.io.IOException;

/** Trees of one kind for a test; closing them fails where a file is still held. */
interface TestTrees extends AutoCloseable {
  /** An empty tree whose root everybody may write to, under this number. */
  FileTree newTree(int exportId) throws Exception;

  HandleCodec handleCodec() throws Exception;

  @Override
  void close() throws IOException;
}
