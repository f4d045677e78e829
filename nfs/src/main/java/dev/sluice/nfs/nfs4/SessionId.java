package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Names a session (sessionid4).
 *
 * @param client whose it is
 * @param number tells the client's sessions apart, and those of different runs of the server
 */
public record SessionId(long client, long number) {
  public static final int BYTES = 16;

  public static SessionId read(XdrReader in) {
    return new SessionId(in.readLong(), in.readLong());
  }

  public void write(XdrWriter out) {
    out.writeLong(client).writeLong(number);
  }
}
