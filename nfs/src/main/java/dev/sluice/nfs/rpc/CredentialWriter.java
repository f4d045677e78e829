package dev.sluice.nfs.rpc;

import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;

/** Writes credentials as they stand in calls. */
final class CredentialWriter {
  private static final int UNITS_OF_FIXED_PARTS = 5;

  private CredentialWriter() {}

  static void write(Credential credential, XdrWriter out) {
    switch (credential) {
      case Credential.None _ -> out.writeInt(CredentialReader.AUTH_NONE).writeInt(0);
      case Credential.Unknown unknown -> out.writeInt(unknown.flavor()).writeInt(0);
      case Credential.Sys sys -> write(sys, out);
    }
  }

  private static void write(Credential.Sys sys, XdrWriter out) {
    byte[] machine = sys.machine().getBytes(StandardCharsets.UTF_8);
    int[] groups = sys.groups();
    if (machine.length > Credential.Sys.MACHINE_NAME_BYTES_MAX
        || groups.length > Credential.Sys.GROUPS_MAX) {
      throw new IllegalArgumentException(
          "AUTH_SYS has room for a machine name of "
              + Credential.Sys.MACHINE_NAME_BYTES_MAX
              + " bytes and "
              + Credential.Sys.GROUPS_MAX
              + " groups, not for "
              + machine.length
              + " and "
              + groups.length);
    }
    int stamp = 0;
    out.writeInt(CredentialReader.AUTH_SYS)
        .writeInt(4 * (UNITS_OF_FIXED_PARTS + groups.length) + XdrReader.padded(machine.length))
        .writeInt(stamp)
        .writeOpaque(machine)
        .writeInt(sys.uid())
        .writeInt(sys.gid())
        .writeInt(groups.length);
    for (int group : groups) {
      out.writeInt(group);
    }
  }
}
