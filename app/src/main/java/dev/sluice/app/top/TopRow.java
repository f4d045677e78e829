package dev.sluice.app.top;

/**
 * What one line is about: a job, all jobs of a user, or a target.
 *
 * @param jobs how many jobs it stands for
 * @param allowedTokensPerSecond infinite where nothing limits it
 * @param usedTokensPerSecond what it uses of what is allowed
 */
record TopRow(
    String name,
    String user,
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
