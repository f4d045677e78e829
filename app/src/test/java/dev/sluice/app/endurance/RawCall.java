package dev.sluice.app.endurance;

import dev.sluice.load.client.Handle;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;

/** Calls as bytes, for tests that send what no proper client would. */
public final class RawCall {
  private static final int RPC_VERSION = 2;
  private static final int CALL = 0;
  private static final int AUTH_NONE = 0;
  private static final int AUTH_SYS = 1;
  private static final int SMALL_BYTES = 1 << 10;
  private static final int LAST_FRAGMENT = 0x8000_0000;

  private RawCall() {}

  /** Writes a whole call without a record mark. */
  public static void write(
      XdrWriter out,
      int xid,
      int program,
      int procedure,
      Credential.Sys caller,
      Consumer<XdrWriter> arguments) {
    out.writeInt(xid).writeInt(CALL).writeInt(RPC_VERSION);
    out.writeInt(program).writeInt(3).writeInt(procedure);
    byte[] machine = caller.machine().getBytes(StandardCharsets.UTF_8);
    int credentialBytes = 4 * Integer.BYTES + Integer.BYTES + (machine.length + 3 & ~3);
    out.writeInt(AUTH_SYS).writeInt(credentialBytes);
    out.writeInt(0).writeOpaque(machine); // the first is a time stamp, which means nothing
    out.writeInt(caller.uid()).writeInt(caller.gid()).writeInt(0);
    out.writeInt(AUTH_NONE).writeInt(0);
    arguments.accept(out);
  }

  /** A whole record of one fragment, ready to be sent. */
  public static ByteBuffer record(
      int xid, int program, int procedure, Credential.Sys caller, Consumer<XdrWriter> arguments) {
    return record(xid, program, procedure, caller, SMALL_BYTES, arguments);
  }

  /** A whole record of one fragment with room for long arguments, ready to be sent. */
  public static ByteBuffer record(
      int xid,
      int program,
      int procedure,
      Credential.Sys caller,
      int bytesMax,
      Consumer<XdrWriter> arguments) {
    ByteBuffer record = ByteBuffer.allocate(bytesMax);
    record.putInt(0);
    write(new XdrWriter(record), xid, program, procedure, caller, arguments);
    record.putInt(0, LAST_FRAGMENT | (record.position() - Integer.BYTES));
    return record.flip();
  }

  public static byte[] bytes(Handle handle) {
    return HexFormat.of().parseHex(handle.toString());
  }
}
