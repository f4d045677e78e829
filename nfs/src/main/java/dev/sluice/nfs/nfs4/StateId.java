package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Names something that the server keeps for a client: an open file, or locks (stateid4).
 *
 * @param sequence counts the changes of the state; 0 stands for whatever it is now
 * @param server which run of the server gave it out
 * @param number tells its states apart
 */
public record StateId(int sequence, int server, long number) {
  public static final int BYTES = 16;

  /** Of nothing: reads and writes without an open file. */
  public static final StateId ANONYMOUS = new StateId(0, 0, 0);

  /** The same for a reader whom no share reservation stops. */
  public static final StateId READ_BYPASS = new StateId(-1, -1, -1);

  /** The one that the COMPOUND had last. */
  public static final StateId CURRENT = new StateId(1, 0, 0);

  /** None. */
  public static final StateId INVALID = new StateId(-1, 0, 0);

  public static StateId read(XdrReader in) {
    return new StateId(in.readInt(), in.readInt(), in.readLong());
  }

  public void write(XdrWriter out) {
    out.writeInt(sequence).writeInt(server).writeLong(number);
  }

  /** Whether both name the same thing, be it before or after a change. */
  public boolean isOfSame(StateId other) {
    return server == other.server && number == other.number;
  }

  /** Whether it names nothing that the server keeps. */
  public boolean isSpecial() {
    return (server == 0 && number == 0) || (server == -1 && number == -1);
  }
}
