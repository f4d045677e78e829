package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import java.time.Duration;

/**
 * Where and how a scenario is played.
 *
 * @param version in which version of NFS
 * @param export the path that the server exports
 * @param jobMounts whether each job mounts {@code /@JOB/export}, by which a gateway of Sluice knows
 *     it, and not the export itself
 * @param caller who calls; of jobs that share nodes, the first user ({@link JobUsers})
 * @param patience for how long the server may be away before the play fails
 * @param fileBytesMax files that would be longer are written and read from the beginning again
 * @param verify whether all that was written is read back at the end and compared
 * @param keepFiles whether the files stay on the server
 */
public record PlaySettings(
    ServerAddress server,
    NfsVersion version,
    String export,
    boolean jobMounts,
    Credential.Sys caller,
    Duration patience,
    long fileBytesMax,
    boolean verify,
    boolean keepFiles) {

  /** Where nobody reads or removes the files, nobody needs the last answers either. */
  boolean abandonsFiles() {
    return keepFiles && !verify;
  }

  /** The path that a job mounts. */
  String mountPath(JobId job) {
    return jobMounts ? "/@" + job + export : export;
  }
}
