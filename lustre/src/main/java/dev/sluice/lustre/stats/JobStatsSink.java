package dev.sluice.lustre.stats;

/** Takes what a {@link JobStatsParser} finds, in the order of the text. */
public interface JobStatsSink {
  void job(JobSample sample);

  /** An entry or a line that is not understood and left out; {@code problem} says where and why. */
  void malformed(String problem);
}
