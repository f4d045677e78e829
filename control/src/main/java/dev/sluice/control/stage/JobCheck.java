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
      };

  /** Whether this job of this user can be on this node. */
  Verdict look(JobId job, String user, String node);

  /** Another whenever answers may be others. */
  long version();

  /** What came of looking. */
  sealed interface Verdict {
    /** It can be, and is this user's. */
    record Believed(String user) implements Verdict {}

    /** It cannot. */
    record Refused(String reason) implements Verdict {}
  }
}
