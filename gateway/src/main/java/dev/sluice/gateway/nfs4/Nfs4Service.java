package dev.sluice.gateway.nfs4;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.identify.UserNames;
import dev.sluice.gateway.identify.UserNumbers;
import dev.sluice.gateway.nfs4.state.FileClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.gateway.rpc.ReplyJournal;
import dev.sluice.gateway.rpc.RpcProgram;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** NFS version 4 with what it remembers of clients, some of it beyond a restart. */
public final class Nfs4Service implements AutoCloseable {
  private static final String RECORDS = "nfs4-clients";
  private static final int DESCRIPTORS_MIN = 256;

  private final Nfs4States states;
  private final Nfs4Program program;

  private Nfs4Service(Nfs4States states, Nfs4Program program) {
    this.states = states;
    this.program = program;
  }

  /**
   * Begins.
   *
   * @param transfers how much one READ or WRITE moves
   * @param stateDirectory where is kept who may claim its locks again
   * @param domain what stands behind the names of users and groups; null where numbers are told
   * @param journal what outlives this server of its replies; null where nothing does
   * @param lease how long a client may be silent, and how long others wait for those of before
   */
  public static Nfs4Service start(
      Exports exports,
      HandleCodec handles,
      TransferSize transfers,
      Path stateDirectory,
      @Nullable String domain,
      @Nullable ReplyJournal journal,
      Duration lease)
      throws IOException {
    StateBounds bounds = bounds();
    Nfs4States states =
        new Nfs4States(
            bounds,
            lease.toNanos(),
            new FileClientRecords(stateDirectory.resolve(RECORDS), bounds.clientsMax()),
            new SecureRandom().nextInt(1, Integer.MAX_VALUE),
            System.nanoTime());
    Instant now = Instant.now();
    Timestamp began = new Timestamp(now.getEpochSecond(), now.getNano());
    OwnerNames owners =
        domain == null
            ? OwnerNames.NUMBERS
            : OwnerNames.in(domain, UserNames.ofThisMachine(), UserNumbers.ofThisMachine());
    return new Nfs4Service(
        states,
        new Nfs4Program(exports, handles, transfers, states, owners, journal, lease, began));
  }

  /**
   * An open file and every owner of locks on it hold a descriptor: a quarter of what the process
   * may have is theirs, and of that at most a quarter one client's.
   */
  private static StateBounds bounds() {
    StateBounds most = StateBounds.DEFAULTS;
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : DESCRIPTORS_MIN;
    int states = Math.clamp(descriptors / 4, DESCRIPTORS_MIN, most.statesMax());
    return new StateBounds(
        most.clientsMax(),
        most.sessionsPerClientMax(),
        most.slotsPerSessionMax(),
        most.repliesBytesMax(),
        most.slotsBytesMax(),
        Math.min(states / 4, most.statesPerClientMax()),
        states,
        most.lockRangesPerClientMax(),
        most.lockRangesMax(),
        most.nodesMin());
  }

  public RpcProgram program() {
    return program;
  }

  /** What clients have, and were told. */
  public Nfs4Figures figures() {
    return program.figures();
  }

  /**
   * Lets go of all files and their locks, so that clients can claim them elsewhere: who may do so
   * stays in the records. To be called when nothing is served any more.
   */
  @Override
  public void close() {
    states.letGo();
  }

  /** To be called now and then. */
  public void sweep() {
    states.sweep(System.nanoTime());
  }
}
