package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * An operation as a client puts it into a COMPOUND.
 *
 * @param arguments writes them, as often as the COMPOUND is sent
 */
public record CompoundOperation(Nfs4Operation operation, Consumer<XdrWriter> arguments) {
  private static final int NO_CALLBACKS = 0x4000_0000;
  private static final int CREATE_UNCHECKED = 0;
  private static final int CLAIM_NULL = 0;
  private static final int CLAIM_PREVIOUS = 1;
  private static final int CLAIM_HANDLE = 4;

  public static CompoundOperation of(Nfs4Operation operation) {
    return new CompoundOperation(operation, _ -> {});
  }

  /** Writes the arguments of a COMPOUND without a tag. */
  public static void write(int minorVersion, List<CompoundOperation> operations, XdrWriter out) {
    out.writeInt(0).writeInt(minorVersion).writeInt(operations.size());
    for (CompoundOperation operation : operations) {
      out.writeInt(operation.operation.code());
      operation.arguments.accept(out);
    }
  }

  /** EXCHANGE_ID of a client without a name of its program. */
  public static CompoundOperation exchangeId(long verifier, String owner) {
    return new CompoundOperation(
        Nfs4Operation.EXCHANGE_ID,
        out ->
            out.writeLong(verifier)
                .writeOpaque(bytes(owner))
                .writeInt(0) // flags
                .writeInt(0) // no protection of state
                .writeInt(0));
  }

  /**
   * What is wished for a session's channel (channel_attrs4).
   *
   * @param messageBytesMax of a request and of a reply
   * @param cachedBytesMax of a reply that is kept
   */
  public record Channel(int messageBytesMax, int cachedBytesMax, int operations, int slots) {}

  /** CREATE_SESSION without a way back. */
  public static CompoundOperation createSession(long clientId, int sequence, Channel channel) {
    return new CompoundOperation(
        Nfs4Operation.CREATE_SESSION,
        out -> {
          out.writeLong(clientId).writeInt(sequence).writeInt(0);
          for (int i = 0; i < 2; i++) {
            out.writeInt(0)
                .writeInt(channel.messageBytesMax)
                .writeInt(channel.messageBytesMax)
                .writeInt(channel.cachedBytesMax)
                .writeInt(channel.operations)
                .writeInt(channel.slots)
                .writeInt(0);
          }
          out.writeInt(NO_CALLBACKS).writeInt(1).writeInt(0); // AUTH_NONE for them
        });
  }

  public static CompoundOperation sequence(
      SessionId session, int sequence, int slot, int highestSlot, boolean isToBeCached) {
    return new CompoundOperation(
        Nfs4Operation.SEQUENCE,
        out -> {
          session.write(out);
          out.writeInt(sequence).writeInt(slot).writeInt(highestSlot).writeBoolean(isToBeCached);
        });
  }

  /** RECLAIM_COMPLETE of all file systems. */
  public static CompoundOperation reclaimComplete() {
    return new CompoundOperation(Nfs4Operation.RECLAIM_COMPLETE, out -> out.writeBoolean(false));
  }

  public static CompoundOperation putHandle(byte[] handle) {
    return new CompoundOperation(Nfs4Operation.PUTFH, out -> out.writeOpaque(handle));
  }

  public static CompoundOperation lookup(String name) {
    return new CompoundOperation(Nfs4Operation.LOOKUP, out -> out.writeOpaque(bytes(name)));
  }

  public static CompoundOperation getAttributes(AttributeSet attributes) {
    return new CompoundOperation(Nfs4Operation.GETATTR, attributes::write);
  }

  /**
   * OPEN of a name in the current directory.
   *
   * @param access bits of OPEN4_SHARE_ACCESS
   * @param deny bits of OPEN4_SHARE_DENY
   * @param mode the permission bits of a file that is made where there is none; -1 to make none
   */
  public static CompoundOperation open(
      long clientId, String owner, int access, int deny, int mode, String name) {
    return new CompoundOperation(
        Nfs4Operation.OPEN,
        out -> {
          writeOpen(clientId, owner, access, deny, out);
          out.writeInt(mode < 0 ? 0 : 1);
          if (mode >= 0) {
            out.writeInt(CREATE_UNCHECKED);
            AttributeSet.of(Nfs4Attribute.MODE).write(out);
            out.writeInt(Integer.BYTES).writeInt(mode);
          }
          out.writeInt(CLAIM_NULL).writeOpaque(bytes(name));
        });
  }

  /** OPEN of the current file as it was open before the server began anew. */
  public static CompoundOperation reclaim(long clientId, String owner, int access, int deny) {
    return new CompoundOperation(
        Nfs4Operation.OPEN,
        out -> {
          writeOpen(clientId, owner, access, deny, out);
          out.writeInt(0).writeInt(CLAIM_PREVIOUS).writeInt(0); // there was no delegation
        });
  }

  /** OPEN of the current file. */
  public static CompoundOperation openCurrent(long clientId, String owner, int access, int deny) {
    return new CompoundOperation(
        Nfs4Operation.OPEN,
        out -> {
          writeOpen(clientId, owner, access, deny, out);
          out.writeInt(0).writeInt(CLAIM_HANDLE);
        });
  }

  private static void writeOpen(long clientId, String owner, int access, int deny, XdrWriter out) {
    out.writeInt(0).writeInt(access).writeInt(deny).writeLong(clientId).writeOpaque(bytes(owner));
  }

  public static CompoundOperation close(StateId state) {
    return new CompoundOperation(
        Nfs4Operation.CLOSE,
        out -> {
          out.writeInt(0);
          state.write(out);
        });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
