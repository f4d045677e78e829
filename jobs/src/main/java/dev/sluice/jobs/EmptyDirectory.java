package dev.sluice.jobs;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows no job. */
record EmptyDirectory() implements JobDirectory {
  @Override
  public @Nullable Job job(JobId id) {
    return null;
  }

  @Override
  public @Nullable Job behind(ClientAddress address, int uid) {
    return null;
  }

  @Override
  public boolean runsAt(JobId id, ClientAddress address) {
    return false;
  }

  @Override
  public Collection<Job> jobs() {
    return List.of();
  }

  @Override
  public long version() {
    return 0;
  }
}
