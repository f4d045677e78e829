package dev.sluice.jobs;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A directory that follows what happens: what it says changes by itself. While it cannot learn what
 * happens, it goes on saying what it knew last.
 */
public interface FollowedJobs extends JobDirectory, AutoCloseable {
  /** Looks whether something has happened, if looking takes no time; called about once a second. */
  void poll();

  /** Learns everything anew, soon. */
  void reload();

  /** What somebody should look into, in words; null when all is well. */
  @Nullable String problem();

  /**
   * Whether it would know of a job that runs: false before it has learned of any, and while it
   * cannot learn.
   */
  boolean isCurrent();

  /** Where the jobs come from, how many they are, and how old this is. */
  String words();

  /** The jobs as they were known last. */
  JobSnapshot snapshot();

  @Override
  default @Nullable Job job(JobId id) {
    return snapshot().job(id);
  }

  @Override
  default @Nullable Job behind(ClientAddress address, int uid) {
    return snapshot().behind(address, uid);
  }

  @Override
  default boolean runsAt(JobId id, ClientAddress address) {
    return snapshot().runsAt(id, address);
  }

  @Override
  default Collection<Job> jobs() {
    return snapshot().jobs();
  }

  @Override
  void close();
}
