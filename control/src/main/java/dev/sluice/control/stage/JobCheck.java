package dev.sluice.control.stage;

import dev.sluice.core.model.JobId;

/** Says whether a job can be where a member says that it is. Must answer at once. */
public interface JobCheck {
  /** Believes all. */
  JobCheck NONE =
      new JobCheck() {
        @Override
        public Verdict look(JobId job, String user, String node) {
          return new Verdict.Believed(user);
        }

        @Override
        public long version() {
          return 0;
        }

        @Override
        public boolean looks() {
          return false;
        }
      };

  /** Whether this job of this user can be on this node. */
  Verdict look(JobId job, String user, String node);

  /** Whether it looks on which nodes a job is. */
  default boolean looks() {
    return true;
  }

  /** What is known of a job, wherever it does its I/O. */
  default Known known(JobId job) {
    return new Known.Nothing();
  }

  /** Another whenever answers may be others. */
  long version();

  /** What somebody other than members knows of a job. */
  sealed interface Known {
    /**
     * It runs.
     *
     * @param application what it is a run of
     */
    record Running(long nodes, long weight, JobId application) implements Known {}

    /** It does not run, as far as is known. */
    record Absent() implements Known {}

    /** Nobody looks, or who does cannot know. */
    record Nothing() implements Known {}
  }

  /** What came of looking. */
  sealed interface Verdict {
    /** It can be, and is this user's. */
    record Believed(String user) implements Verdict {}

    /** It cannot. */
    record Refused(String reason) implements Verdict {}
  }
}
