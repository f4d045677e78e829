package dev.sluice.gateway.files;

/** Handles for tests that serve no files. */
public final class TestHandles {
  private TestHandles() {}

  /** A handle of some file. */
  public static FileHandle any() {
    return new FileHandle(1, null, new byte[] {1, 2, 3});
  }
}
