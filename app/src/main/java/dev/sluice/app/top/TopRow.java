package dev.sluice.app.top;

/**
 * What one line is about: a job, all jobs of a user or of a branch, or a target.
 *
 * @param branch its group in the tree of shares; empty where there is none
 * @param jobs how many jobs it stands for
 * @param allowedTokensPerSecond infinite where nothing limits it
 * @param usedTokensPerSecond what it uses of what is allowed
 */
record TopRow(
    String name,
    String user,
    String branch,
    long nodes,
    long jobs,
    double readBytesPerSecond,
    double writtenBytesPerSecond,
    double operationsPerSecond,
    double waitedMillis,
    long queued,
    double usedTokensPerSecond,
    double allowedTokensPerSecond) {
  double bytesPerSecond() {
    return readBytesPerSecond + writtenBytesPerSecond;
  }

  /** Both together, under this one's name. */
  TopRow plus(TopRow other) {
    double operations = operationsPerSecond + other.operationsPerSecond;
    double waited =
        operationsPerSecond * waitedMillis + other.operationsPerSecond * other.waitedMillis;
    return new TopRow(
        name,
        user,
        branch,
        nodes + other.nodes,
        jobs + other.jobs,
        readBytesPerSecond + other.readBytesPerSecond,
        writtenBytesPerSecond + other.writtenBytesPerSecond,
        operations,
        operations == 0 ? Math.max(waitedMillis, other.waitedMillis) : waited / operations,
        queued + other.queued,
        usedTokensPerSecond + other.usedTokensPerSecond,
        allowedTokensPerSecond + other.allowedTokensPerSecond);
  }
}
