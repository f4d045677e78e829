package dev.sluice.testkit;

/**
 * Lets time pass where time itself is what is tried: a rate that is measured over some seconds,
 * something that must not happen meanwhile, a random moment to kill somebody at, the pace of a
 * load. What must come about is waited for with {@link Eventually}.
 */
public final class TimePasses {
  private TimePasses() {}

  public static void forMillis(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }
}
