package dev.sluice.core.schedule;

/**
 * Whose turn it is among jobs of which one is served at a time.
 *
 * @param order who is first
 * @param maxWait how long the others may wait for those that are served before them
 */
public record Turns(Order order, MaxWait maxWait) {
  /** By id, and nobody starves. */
  public static final Turns DEFAULT = new Turns(Order.ID, MaxWait.AUTOMATIC);

  /** Who is first. */
  public enum Order {
    /** The smallest job id, whoever is being served. */
    ID,
    /** Who has had something queued for longest, until it has nothing queued. */
    ARRIVAL
  }
}
