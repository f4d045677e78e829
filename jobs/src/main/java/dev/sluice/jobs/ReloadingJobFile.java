package dev.sluice.jobs;

import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The jobs in a {@link JobFile}, read again when the file has changed. While a changed file is bad,
 * the jobs that were read last stay, and {@link #problem} says what is wrong.
 *
 * <p>Safe for use by many threads, one of which polls.
 */
public final class ReloadingJobFile implements FollowedJobs {
  private final Path file;
  private final FileWatch watch;
  private volatile State state;

  /** What was read, and what is wrong with what could not be. */
  private record State(JobSnapshot jobs, long version, @Nullable String problem) {}

  /** Reads the file; throws {@link DocumentException} when it is bad. */
  public ReloadingJobFile(Path file) {
    this.file = file;
    this.watch = new FileWatch(file);
    this.state = new State(new JobSnapshot(JobFile.read(file)), 1, null);
  }

  /** Looks whether the file has changed and come to rest, and if so reads it. */
  @Override
  public void poll() {
    if (watch.changed()) {
      reload();
    }
  }

  /** Reads the file, changed or not. */
  @Override
  public synchronized void reload() {
    State before = state;
    try {
      state = new State(new JobSnapshot(JobFile.read(file)), before.version + 1, null);
    } catch (DocumentException e) {
      state = new State(before.jobs, before.version, e.getMessage());
    }
  }

  /** What is wrong with the file as it is now; null when nothing is. */
  @Override
  public @Nullable String problem() {
    String problem = state.problem;
    return problem == null ? null : "the jobs were not read again: " + problem;
  }

  @Override
  public boolean isCurrent() {
    return state.problem == null;
  }

  @Override
  public String words() {
    return state.jobs.jobs().size() + " jobs in " + file;
  }

  @Override
  public void close() {
    // A file is opened only while it is read.
  }

  @Override
  public JobSnapshot snapshot() {
    return state.jobs;
  }

  @Override
  public long version() {
    return state.version;
  }
}
