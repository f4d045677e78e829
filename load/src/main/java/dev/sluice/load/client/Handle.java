package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A server's name for a file: bytes that only the server understands. In version 4, the handle of a
 * file that was opened goes with the open.
 */
public final class Handle {
  private final byte[] bytes;
  private final @Nullable OpenState open;

  private Handle(byte[] bytes, @Nullable OpenState open) {
    this.bytes = bytes;
    this.open = open;
  }

  static Handle readFrom(XdrReader in) {
    return new Handle(in.readOpaque(Nfs4Sizes.HANDLE_BYTES_MAX), null);
  }

  void writeTo(XdrWriter out) {
    out.writeOpaque(bytes);
  }

  /** The same file as it is open. */
  Handle openedAs(OpenState state) {
    return new Handle(bytes, state);
  }

  /** How it is open in version 4; null if it is not. */
  @Nullable OpenState open() {
    return open;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The same file for both, open or not. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Handle that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
