package dev.sluice.jobs;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that run now. An answer may be a moment old but never half of a change; asked once per
 * request, by many threads.
 */
public interface JobDirectory {
  /** Nobody runs. */
  JobDirectory EMPTY = new EmptyDirectory();

  /** The job with this id; null when none is known. */
  @Nullable Job job(JobId id);

  /**
   * The job behind requests of this user from this address; null when there is none, or more than
   * one so that nobody can tell.
   */
  @Nullable Job behind(ClientAddress address, int uid);

  /** Whether this address is one of the job's nodes. */
  boolean runsAt(JobId id, ClientAddress address);

  Collection<Job> jobs();

  /** Grows with every change, so that others know when to forget what they were told. */
  long version();
}
