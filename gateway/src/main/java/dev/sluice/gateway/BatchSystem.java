package dev.sluice.gateway;

import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.config.ShareChoice;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.jobs.slurm.SlurmShares;
import dev.sluice.jobs.source.JobSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway follows besides its own files: which jobs run, and what shares accounts have. Not
 * thread-safe.
 */
final class BatchSystem implements AutoCloseable {
  /** Below all versions. */
  private static final long NONE_SEEN = 0;

  private @Nullable JobSource source;
  private @Nullable FollowedJobs jobs;
  private @Nullable SlurmShares shares;
  private long jobsVersion = NONE_SEEN;
  private long sharesVersion = NONE_SEEN;

  /** Begins to follow what a configuration names. */
  BatchSystem(GatewayConfiguration configuration) {
    this.source = configuration.jobs();
    this.jobs = source == null ? null : source.open();
    this.shares = openedShares(configuration);
  }

  private static @Nullable SlurmShares openedShares(GatewayConfiguration configuration) {
    return configuration.shares().bySlurm() && configuration.jobs() instanceof JobSource.Slurm slurm
        ? slurm.openShares()
        : null;
  }

  /** Follows what another configuration names, and learns anew what stays; or throws. */
  void follow(GatewayConfiguration wanted) {
    boolean sameSource = Objects.equals(source, wanted.jobs());
    if (!sameSource) {
      JobSource named = wanted.jobs();
      FollowedJobs opened = named == null ? null : named.open();
      close();
      source = named;
      jobs = opened;
      jobsVersion = NONE_SEEN;
      shares = null;
    } else if (jobs != null) {
      jobs.reload();
    }
    if (shares != null && wanted.shares().bySlurm()) {
      shares.reload();
    } else {
      closeShares();
      shares = openedShares(wanted);
      sharesVersion = NONE_SEEN;
    }
  }

  JobDirectory directory() {
    return jobs == null ? JobDirectory.EMPTY : jobs;
  }

  /** By what jobs share, with the weights that are known now. */
  ShareGrouping grouping(ShareChoice choice) {
    return shares == null ? choice.grouping() : choice.grouping().weighedBy(shares.shares());
  }

  /** Looks which jobs run, if that takes no time; true where these are others than before. */
  boolean jobsChanged() {
    if (jobs == null) {
      return false;
    }
    jobs.poll();
    boolean changed = jobs.version() != jobsVersion;
    jobsVersion = jobs.version();
    return changed;
  }

  /** Whether accounts have other shares than when this was asked last. */
  boolean sharesChanged() {
    if (shares == null) {
      return false;
    }
    boolean changed = shares.version() != sharesVersion;
    sharesVersion = shares.version();
    return changed;
  }

  /** Where jobs come from, how many they are, and how old this is; empty where from nowhere. */
  String jobsWords() {
    return jobs == null ? "" : jobs.words();
  }

  /** Whose shares count, and how old this is; empty where nobody is asked. */
  String sharesWords() {
    return shares == null ? "" : shares.words();
  }

  /** What somebody should look into, in words. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    String ofJobs = jobs == null ? null : jobs.problem();
    if (ofJobs != null) {
      problems.add(ofJobs);
    }
    String ofShares = shares == null ? null : shares.problem();
    if (ofShares != null) {
      problems.add(ofShares);
    }
    return problems;
  }

  private void closeShares() {
    if (shares != null) {
      shares.close();
    }
  }

  @Override
  public void close() {
    if (jobs != null) {
      jobs.close();
    }
    closeShares();
  }
}
