package dev.sluice.gateway.files;

import dev.sluice.core.model.ClientAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the last change of a directory that went through us, to tell whether what
 * the directory was before the next one may be told to who makes that one. A client that hears that
 * the directory was as it has it in its cache takes its own change for the only one since, and goes
 * on with the cache.
 *
 * <p>A directory is known by the time of its last change, which moves on only with the kernel's
 * clock, by milliseconds. Several changes in between two of its ticks look alike. Therefore:
 *
 * <ul>
 *   <li>If the time is that of one change of ours, whoever has it in a cache looked after that
 *       change, and is told.
 *   <li>If it is that of several changes of one client, that client knows them all, and is told.
 *   <li>If it is that of changes of several clients, nobody is told.
 *   <li>If the time is not of ours, somebody else changes the directory, on the server itself or
 *       through another one. If that was a while ago it is told; else the next may come any moment
 *       and nobody is told.
 * </ul>
 *
 * <p>So what is told is right whatever is done through us. Not promised is that a change on the
 * server itself is seen that falls between our looking and changing (microseconds, on a local file
 * system), in a directory that nobody else touched for a second, or into the same tick as our own:
 * clients that have the directory in their caches may then miss it until its next change.
 *
 * @param changed the directory's time after the change
 * @param by the client whose changes alone have this time; null when several have
 * @param isOnlyOne whether one change alone has this time
 */
record ChangeStamp(Timestamp changed, @Nullable ClientAddress by, boolean isOnlyOne) {
  static final long QUIET_MILLIS = 1_000;

  private static final long MILLIS_PER_SECOND = 1_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  /** Whether a client may be told that a directory had this time before the client's change. */
  static boolean isTold(
      @Nullable ChangeStamp last, Timestamp before, ClientAddress client, long nowMillis) {
    if (last != null && last.changed.equals(before)) {
      return last.isOnlyOne || client.equals(last.by);
    }
    long beforeMillis = before.seconds() * MILLIS_PER_SECOND + before.nanos() / NANOS_PER_MILLI;
    return nowMillis - beforeMillis >= QUIET_MILLIS;
  }

  /**
   * What is to be remembered after a change.
   *
   * @param isDone whether something was changed; not when it was refused
   */
  static @Nullable ChangeStamp after(
      @Nullable ChangeStamp last,
      Timestamp before,
      Timestamp after,
      ClientAddress client,
      boolean isDone) {
    if (!after.equals(before)) {
      return new ChangeStamp(after, client, true);
    }
    if (!isDone) {
      return last;
    }
    boolean isOneClients = last != null && last.changed.equals(before) && client.equals(last.by);
    return new ChangeStamp(after, isOneClients ? client : null, false);
  }

  /** The same after a change that nobody looked at: others may have this time as well now. */
  static @Nullable ChangeStamp unseen(@Nullable ChangeStamp last) {
    return last == null ? null : new ChangeStamp(last.changed, null, false);
  }
}
