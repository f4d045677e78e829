package dev.sluice.studies.capacity;

/**
 * A storage as it is simulated: channels that serve one request each at a time, behind a network,
 * with a cache for writes in front.
 *
 * @param channels how many requests it serves at the same time
 * @param bytesPerSecond of all channels together, for what is read
 * @param operationNanos what a request of data takes besides its bytes
 * @param metadataNanos what an operation on names takes
 * @param networkNanos what a request is under way, which keeps no channel busy
 * @param networkSpread by how many times of that it may be longer, at random
 * @param serviceSpread the spread of service times: the standard deviation of their logarithm
 * @param writeDearness what a byte that is written takes, in bytes that are read
 * @param cacheBytes what writes it takes in at once
 * @param stallEveryNanos how often it stands still; 0 for never
 * @param stallNanos for how long
 * @param neighbourPart the part of it that somebody else uses, off and on
 * @param neighbourEveryNanos how often that begins and ends
 * @param wander by how much its speed wanders around the mean from second to second
 * @param limitBytesPerSecond what a {@link SlicedLimit} in front of it lets pass; 0 for none
 */
record StorageModel(
    String name,
    int channels,
    double bytesPerSecond,
    long operationNanos,
    long metadataNanos,
    long networkNanos,
    double networkSpread,
    double serviceSpread,
    double writeDearness,
    long cacheBytes,
    long stallEveryNanos,
    long stallNanos,
    double neighbourPart,
    long neighbourEveryNanos,
    double wander,
    double limitBytesPerSecond,
    Load load) {

  /**
   * What the busy jobs do.
   *
   * @param bytes of a request
   * @param writePart the part of requests of data that write
   * @param metadataPart the part of requests that are about names
   */
  record Load(long bytes, double writePart, double metadataPart) {}

  static final long MILLI = 1_000_000;
  static final long MICRO = 1_000;

  static StorageModel of(String name, int channels, double megabytesPerSecond, Load load) {
    return new StorageModel(
        name,
        channels,
        megabytesPerSecond * 1e6,
        100 * MICRO,
        500 * MICRO,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        load);
  }

  StorageModel operations(long dataNanos, long namesNanos) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        dataNanos,
        namesNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel network(long nanos, double spread) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        nanos,
        spread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel spread(double spread) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        spread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel writes(double dearness, long cache) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        dearness,
        cache,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel stalls(long everyNanos, long nanos) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        everyNanos,
        nanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel neighbour(double part, long everyNanos) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        part,
        everyNanos,
        wander,
        limitBytesPerSecond,
        load);
  }

  StorageModel wanders(double by) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        by,
        limitBytesPerSecond,
        load);
  }

  StorageModel limited(double megabytesPerSecond) {
    return new StorageModel(
        name,
        channels,
        bytesPerSecond,
        operationNanos,
        metadataNanos,
        networkNanos,
        networkSpread,
        serviceSpread,
        writeDearness,
        cacheBytes,
        stallEveryNanos,
        stallNanos,
        neighbourPart,
        neighbourEveryNanos,
        wander,
        megabytesPerSecond * 1e6,
        load);
  }

  /** For how long a request keeps a channel busy, in the mean, at full speed. */
  double serviceNanos(boolean metadata, boolean write, long bytes) {
    if (metadata) {
      return metadataNanos;
    }
    return operationNanos + bytes * (write ? writeDearness : 1) * channels / bytesPerSecond * 1e9;
  }

  /** What part of it one such request a second takes. */
  double part(boolean metadata, boolean write, long bytes) {
    double served = serviceNanos(metadata, write, bytes) / channels / 1e9;
    return limitBytesPerSecond == 0 || metadata
        ? served
        : Math.max(served, bytes / limitBytesPerSecond);
  }

  /** Requests a second of its load that it can serve at full speed, in the mean. */
  double requestsPerSecond() {
    double part =
        load.metadataPart * part(true, false, 0)
            + (1 - load.metadataPart)
                * (load.writePart * part(false, true, load.bytes)
                    + (1 - load.writePart) * part(false, false, load.bytes));
    double standing = stallEveryNanos == 0 ? 0 : (double) stallNanos / stallEveryNanos;
    return (1 - standing) / part;
  }
}
