package dev.sluice.app;

import dev.sluice.app.load.ThisUser;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;

/** Whom NFS clients in tests are. */
public final class NfsCaller {
  private static final int SOMEBODY = 1_001;

  private NfsCaller() {}

  /** A user whom the gateway can act as: anybody but root when the tests run as root. */
  public static Credential.Sys find() throws IOException {
    int self = ThisUser.find().uid();
    int uid = self == 0 ? SOMEBODY : self;
    return new Credential.Sys("test", uid, uid);
  }
}
