package dev.sluice.app.endurance;

/**
 * How long the tests of this package last: short in the gate, and as long as docs/performance.md
 * says with {@code -Dsluice.endurance=full}, which {@code ./sluice test endurance} sets.
 */
final class EnduranceScale {
  static final boolean FULL = "full".equals(System.getProperty("sluice.endurance"));

  private EnduranceScale() {}

  static int of(int inTheGate, int full) {
    return FULL ? full : inTheGate;
  }
}
