package dev.sluice.testkit;

/**
 * How long long tests last: short in the gate, and as long as docs/performance.md says with {@code
 * -Dsluice.endurance=full}, which {@code ./sluice test endurance} sets. What is done more than
 * twenty times and is not quick belongs there.
 */
public final class EnduranceScale {
  public static final boolean FULL = "full".equals(System.getProperty("sluice.endurance"));

  private EnduranceScale() {}

  public static int of(int inTheGate, int full) {
    return FULL ? full : inTheGate;
  }
}
