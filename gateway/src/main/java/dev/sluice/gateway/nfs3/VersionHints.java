package dev.sluice.gateway.nfs3;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Says in the log which clients asked for another version of NFS: all that their users see is
 * "Protocol not supported". Once in a while for each client, and for so many clients at most. Safe
 * for use by many threads.
 */
final class VersionHints {
  static final long SILENCE_NANOS = 600_000_000_000L;
  static final int CLIENTS_MAX = 1_000;

  private static final System.Logger LOG = System.getLogger(VersionHints.class.getName());

  private final Consumer<String> log;

  /** When each was told of, the earliest first. */
  private final Map<ClientAddress, Long> told = new LinkedHashMap<>();

  VersionHints() {
    this(message -> LOG.log(Level.INFO, message));
  }

  VersionHints(Consumer<String> log) {
    this.log = log;
  }

  synchronized void tell(ClientAddress client, int version, long nowNanos) {
    told.values().removeIf(toldNanos -> nowNanos - toldNanos >= SILENCE_NANOS);
    if (told.size() >= CLIENTS_MAX || told.putIfAbsent(client, nowNanos) != null) {
      return;
    }
    log.accept(
        client
            + " asked for NFS version "
            + Integer.toUnsignedString(version)
            + "; version "
            + Nfs3Procedure.VERSION
            + " is what there is: if its mount fails, mount with -o vers="
            + Nfs3Procedure.VERSION);
  }
}
