package dev.sluice.sim.scenario;

/**
 * How jobs that are played with real clients reach the server. A simulation looks at neither.
 *
 * @param sharing who shares a connection
 * @param perNode how many connections a node has, over which its calls go in turn
 */
public record Connections(Sharing sharing, int perNode) {
  /** As many as Linux opens at most. */
  public static final int PER_NODE_MAX = 16;

  /** Each node has one, as with the kernel's client unless told otherwise. */
  public static final Connections ONE_PER_NODE = new Connections(Sharing.PER_NODE, 1);

  /** Who shares a connection. */
  public enum Sharing {
    /** All jobs on a node. */
    PER_NODE("per node"),
    /** Nobody: each job has its own on each of its nodes, even where others have some too. */
    PER_JOB("per job");

    private final String text;

    Sharing(String text) {
      this.text = text;
    }

    /** As scenarios have it. */
    public String text() {
      return text;
    }
  }
}
