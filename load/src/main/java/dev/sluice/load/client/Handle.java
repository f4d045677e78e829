package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.Arrays;
import java.util.HexFormat;

/** A server's name for a file: bytes that only the server understands. */
public final class Handle {
  private final byte[] bytes;

  private Handle(byte[] bytes) {
    this.bytes = bytes;
  }

  static Handle readFrom(XdrReader in) {
    return new Handle(in.readOpaque(Nfs3Procedure.HANDLE_BYTES_MAX));
  }

  void writeTo(XdrWriter out) {
    out.writeOpaque(bytes);
  }

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
