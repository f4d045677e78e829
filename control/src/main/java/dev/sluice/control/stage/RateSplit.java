package dev.sluice.control.stage;

import java.math.BigInteger;
import java.util.Arrays;

/** Divides a job's rate among the nodes that it runs on. */
public final class RateSplit {
  /** The part of an even share that every node has, whatever it did: one in so many. */
  static final long FLOOR_PARTS = 16;

  /** How much more than it used a node may have that is not short of anything: one in so many. */
  private static final long GROWTH_PARTS = 4;

  private RateSplit() {}

  /**
   * One node's claim, or that of several nodes behind an aggregator.
   *
   * @param usagePerSecond what was done there lately
   * @param pressed whether it would have done more, had it been let
   * @param nodes how many nodes it stands for
   */
  public record NodeClaim(long usagePerSecond, boolean pressed, long nodes) {}

  /**
   * Divides {@code total} among the claims.
   *
   * <p>A node that is not pressed wants what it used and a quarter more; one that is pressed wants
   * all. Everybody has one and a sixteenth of an even share first. The rest is filled evenly by
   * nodes up to what each wants; what nobody wants goes to all, in proportion to what they have.
   * Where nobody is pressed, it is filled up to what each used before anybody has more: one node's
   * room to grow must not be taken from what another has just used.
   *
   * <p>Theorem. The parts add up to {@code total}. Where it is at least the number of claims, each
   * part is at least {@code floor = 1 + (total − claims)·nodes/(16·all nodes)}, rounded down: no
   * node starves. A node that is pressed while no other wants more than its floor has at least
   * 15/16 of {@code total − claims}: an uneven job is not starved. A node that is not pressed and
   * wants no more than an even share has what it used, and all that it wants where another is
   * pressed. Where nobody is pressed and the total is no less than what all used, and the floors of
   * those that used less than theirs, everybody has at least what it used. Where the total is less
   * than the number of claims, no part is more than 1, and in as many successive turns as there are
   * claims each has had one.
   *
   * @param turn goes up by one from each division to the next, so that what cannot be divided goes
   *     around
   */
  public static long[] split(long total, NodeClaim[] claims, long turn) {
    int count = claims.length;
    long[] parts = new long[count];
    if (count == 0 || total <= 0) {
      return parts;
    }
    if (total < count) {
      for (long i = 0; i < total; i++) {
        parts[(int) ((Math.floorMod(turn, (long) count) * total + i) % count)] = 1;
      }
      return parts;
    }
    long allNodes = 0;
    for (NodeClaim claim : claims) {
      allNodes += claim.nodes();
    }
    long rest = total;
    long[] wants = new long[count];
    double wanted = 0;
    for (int i = 0; i < count; i++) {
      parts[i] = 1 + portion(total - count, claims[i].nodes(), FLOOR_PARTS * allNodes);
      rest -= parts[i];
      wants[i] = want(total, claims[i], parts[i]);
      wanted += wants[i];
    }
    if (wanted >= rest) {
      long left = isAnyPressed(claims) ? rest : giveUsed(parts, wants, claims, rest);
      fill(parts, wants, claims, left, allNodes, turn);
    } else {
      long had = total - rest;
      for (int i = 0; i < count; i++) {
        parts[i] += wants[i];
        had += wants[i];
      }
      spread(parts, total - had, had, turn);
    }
    return parts;
  }

  /** What is wanted besides the floor. */
  private static long want(long total, NodeClaim claim, long floor) {
    if (claim.pressed()) {
      return total;
    }
    long used = Math.clamp(claim.usagePerSecond(), 0, total);
    return Math.clamp(used + used / GROWTH_PARTS - floor, 0, total);
  }

  private static boolean isAnyPressed(NodeClaim[] claims) {
    for (NodeClaim claim : claims) {
      if (claim.pressed()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives each what it used besides its floor, and answers what is left; where there is too little
   * for that, nothing is given yet, and nobody wants more than that.
   *
   * @param wants what each wants besides what it has, before and afterwards
   */
  private static long giveUsed(long[] parts, long[] wants, NodeClaim[] claims, long rest) {
    long[] used = new long[parts.length];
    double all = 0;
    for (int i = 0; i < parts.length; i++) {
      used[i] = Math.clamp(claims[i].usagePerSecond() - parts[i], 0, wants[i]);
      all += used[i];
    }
    if (all >= rest) {
      System.arraycopy(used, 0, wants, 0, used.length);
      return rest;
    }
    long left = rest;
    for (int i = 0; i < parts.length; i++) {
      parts[i] += used[i];
      wants[i] -= used[i];
      left -= used[i];
    }
    return left;
  }

  /** Fills evenly by nodes, those first that want least; what is wanted is all that there is. */
  private static void fill(
      long[] parts, long[] wants, NodeClaim[] claims, long rest, long allNodes, long turn) {
    Integer[] order = order(parts.length, turn);
    // Stable, so that among equals the turn decides who comes last and has the odd ones.
    Arrays.sort(
        order,
        (one, other) ->
            Double.compare(
                (double) wants[one] / claims[one].nodes(),
                (double) wants[other] / claims[other].nodes()));
    long left = rest;
    long nodesLeft = allNodes;
    for (int i : order) {
      long more = Math.min(wants[i], portion(left, claims[i].nodes(), nodesLeft));
      parts[i] += more;
      left -= more;
      nodesLeft -= claims[i].nodes();
    }
    // With claims of different weights, rounding may leave a few that the last one did not want.
    parts[order[order.length - 1]] += left;
  }

  /** Adds what nobody asked for in proportion to what each has; the odd ones go around. */
  private static void spread(long[] parts, long surplus, long had, long turn) {
    long left = surplus;
    long hadLeft = had;
    for (int i : order(parts.length, turn)) {
      long more = portion(left, parts[i], hadLeft);
      hadLeft -= parts[i];
      parts[i] += more;
      left -= more;
    }
  }

  private static Integer[] order(int count, long turn) {
    Integer[] order = new Integer[count];
    int first = (int) Math.floorMod(turn + 1, (long) count);
    for (int i = 0; i < count; i++) {
      order[i] = (first + i) % count;
    }
    return order;
  }

  /** {@code total·part/whole}, rounded down; exact where a long is too short for the product. */
  private static long portion(long total, long part, long whole) {
    if (Math.multiplyHigh(total, part) == 0 && total * part >= 0) {
      return total * part / whole;
    }
    return BigInteger.valueOf(total)
        .multiply(BigInteger.valueOf(part))
        .divide(BigInteger.valueOf(whole))
        .longValueExact();
  }
}
