package dev.sluice.jobs.source;

import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentNode;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.ReloadingJobFile;
import dev.sluice.jobs.slurm.SlurmDirectory;
import dev.sluice.jobs.slurm.SlurmSettings;
import dev.sluice.jobs.slurm.SlurmSettingsReader;
import dev.sluice.jobs.slurm.SlurmShares;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where the directory of jobs comes from: {@code jobs: FILE} or {@code jobs: {slurm: {…}}}. */
public sealed interface JobSource {
  /** Begins to follow it; throws {@link DocumentException} when what it names is bad. */
  FollowedJobs open();

  /** Reads what a configuration says; paths in it are relative to the directory. */
  static JobSource read(DocumentNode node, Path directory) {
    if (node.isMap()) {
      return new Slurm(SlurmSettingsReader.read(node.map("slurm").required("slurm"), directory));
    }
    if (node.text().isEmpty()) {
      throw node.error("expected a path, or slurm: {…}");
    }
    try {
      return new InFile(directory.resolve(node.text()).normalize());
    } catch (InvalidPathException e) {
      throw node.error("expected a path without a zero byte");
    }
  }

  /** A file that somebody keeps. */
  record InFile(Path file) implements JobSource {
    @Override
    public FollowedJobs open() {
      return new ReloadingJobFile(file);
    }
  }

  /** The batch system. */
  record Slurm(SlurmSettings settings) implements JobSource {
    @Override
    public FollowedJobs open() {
      return new SlurmDirectory(settings);
    }

    /** Begins to follow what accounts and their users have by the batch system's books. */
    public SlurmShares openShares() {
      return new SlurmShares(settings);
    }
  }
}
