package dev.sluice.sim.fluid;

import org.jspecify.annotations.Nullable;

/** What one process sends to one target: requests of one size, counted in parts of a request. */
final class FluidStream {
  final FluidProcess process;
  final FluidAccount account;

  /** What a request costs here in tokens. */
  final double priceTokens;

  /** The next stream of the account, which keeps them in a list without any other object. */
  @Nullable FluidStream next;

  private final long requestBytes;
  private final double latencyNanos;

  /** What it costs the device in this period. */
  private double requestNanos;

  /** What it could take in this period if it had the target to itself. */
  private double wantedRequests;

  /** At which part of its time its window lets it have that at the soonest. */
  private double soonestPart;

  private double grantedRequests;
  private double doneAtPart;

  FluidStream(FluidProcess process, FluidAccount account) {
    this.process = process;
    this.account = account;
    this.requestBytes = process.requestBytes();
    this.latencyNanos = account.target.spec.latencyNanos();
    this.priceTokens = (double) account.target.spec.told().unit().price(1, requestBytes);
  }

  /** Works out what it wants of a period, from the instant at which its process came. */
  void want(long beginNanos, long endNanos) {
    requestNanos = account.target.requestNanos(requestBytes);
    long availableNanos = endNanos - Math.max(beginNanos, process.sinceNanos());
    double roundTripNanos = requestNanos + latencyNanos;
    double possibleRequests = process.windowPerStripe() * availableNanos / roundTripNanos;
    wantedRequests = Math.min(process.leftPerStripe(), possibleRequests);
    soonestPart = possibleRequests > 0 ? wantedRequests / possibleRequests : 1;
    grantedRequests = 0;
  }

  double wantedNanos() {
    return wantedRequests * requestNanos;
  }

  double wantedTokens() {
    return wantedRequests * priceTokens;
  }

  /** What it keeps at the target: what its share of it is measured by, without control. */
  double keptNanos() {
    return process.keptPerStripe() * requestNanos;
  }

  /**
   * Gives it device time.
   *
   * @param atPart at which part of the period it has that, if it is all it wants; 0 to 1
   */
  void grant(double nanos, double atPart) {
    grantedRequests = Math.min(wantedRequests, nanos / requestNanos);
    doneAtPart = Math.max(atPart, soonestPart);
  }

  double doneAtPart() {
    return doneAtPart;
  }

  double grantedRequests() {
    return grantedRequests;
  }

  /** What so many requests take at least, a window at a time. */
  double aloneNanosFor(double requests) {
    return process.isOpenLoop()
        ? 0
        : requests * (requestNanos + latencyNanos) / process.windowPerStripe();
  }

  double nanosFor(double requests) {
    return requests * requestNanos;
  }
}
