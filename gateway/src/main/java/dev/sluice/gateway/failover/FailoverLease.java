package dev.sluice.gateway.failover;

import dev.sluice.gateway.config.FailoverChoice;
import dev.sluice.gateway.files.DurableFiles;
import dev.sluice.gateway.posix.DeadMansTimer;
import dev.sluice.store.lease.LeaseKeeper;
import dev.sluice.store.lease.LeaseTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * One claim to be the gateway that serves. While it is held, the kernel kills this process at the
 * end of what was granted, unless that was prolonged: whoever holds it next waits for longer.
 */
public final class FailoverLease implements AutoCloseable {
  private static final String LEASE = "lease";
  private static final String WISH = "wish";

  /** What of the time that others wait is left between this one's end and their beginning. */
  private static final int MARGIN_PART = 5;

  private static final int RENEWALS = 10;
  private static final int LOOKS = 20;

  private final FailoverChoice choice;
  private final DeadMansTimer timer;
  private final LeaseKeeper keeper;

  /**
   * Claims the lease from now on.
   *
   * @param timer is set while it is held
   */
  public FailoverLease(FailoverChoice choice, DeadMansTimer timer) throws IOException {
    this.choice = choice;
    this.timer = timer;
    Path directory = choice.shared().resolve(LEASE);
    if (!Files.isDirectory(directory)) {
      DurableFiles.makeDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Holder me = Holder.ofThisProcess(choice.name());
    this.keeper =
        LeaseKeeper.inDirectory(directory, me.text(), times(choice), me::isHeirOf, timer::killAt);
  }

  static LeaseTimes times(FailoverChoice choice) {
    long lease = choice.takeover().toNanos();
    return new LeaseTimes(lease, lease / MARGIN_PART, lease / RENEWALS, lease / LOOKS);
  }

  /** Whether this gateway may serve now. */
  public boolean isHeld() {
    return keeper.leading(System.nanoTime()) != null;
  }

  /** When nobody gave a sign of life any more before this one had its turn; null before that. */
  public @Nullable Long vacantSinceNanos() {
    return keeper.vacantSinceNanos();
  }

  /** Why the lease cannot be looked after just now; null when all is well. */
  public @Nullable String trouble() {
    return keeper.trouble();
  }

  /** Whose the lease is, as somebody sees it who does not claim it. */
  public static LeaseKeeper.Held held(FailoverChoice choice) {
    LeaseKeeper.Held held = LeaseKeeper.heldIn(choice.shared().resolve(LEASE));
    return new LeaseKeeper.Held(held.epoch(), Holder.nameIn(held.holder()));
  }

  /** Asks whoever holds it to give it to this gateway. */
  public static void wish(FailoverChoice choice) throws IOException {
    byte[] name = choice.name().getBytes(StandardCharsets.US_ASCII);
    DurableFiles.replace(choice.shared().resolve(WISH), out -> out.write(ByteBuffer.wrap(name)));
  }

  /** Whether another wishes to have it; a wish is heard once. */
  public boolean isWishedFor() throws IOException {
    Path wish = choice.shared().resolve(WISH);
    if (!Files.exists(wish)) {
      return false;
    }
    String who = Files.readString(wish);
    Files.deleteIfExists(wish);
    return !who.equals(choice.name());
  }

  /**
   * Gives the lease back, if it is held. To be called when nothing is done any more by its right.
   */
  @Override
  public void close() {
    keeper.close();
    timer.putOff();
  }
}
