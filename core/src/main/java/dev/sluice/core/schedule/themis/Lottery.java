package dev.sluice.core.schedule.themis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tickets of which one is drawn, each as likely as it weighs. Kept as sums over ranges that double
 * in length (Fenwick, 1994), so that entering, leaving and drawing cost the logarithm of the number
 * of tickets.
 *
 * <p>Theorem. Of a number drawn evenly from 0 to below {@link #weight}, each ticket has as many as
 * it weighs.
 *
 * @param <T> what is drawn
 */
final class Lottery<T extends Lottery.Ticket> {
  private static final int NOWHERE = -1;
  private static final int CAPACITY_AT_FIRST = 4;

  private final List<T> tickets = new ArrayList<>();

  /** At {@code i}, counted from 1, what the last {@code lowest bit of i} places up to it weigh. */
  private long[] sums = new long[CAPACITY_AT_FIRST + 1];

  private long weight;

  /** What can be drawn: it knows what it weighs and where it is. */
  abstract static class Ticket {
    private int place = NOWHERE;
    private long weight = 1;

    /** Whether it is in a lottery. */
    final boolean isIn() {
      return place != NOWHERE;
    }

    final long weight() {
      return weight;
    }
  }

  /** What all tickets weigh. */
  long weight() {
    return weight;
  }

  int size() {
    return tickets.size();
  }

  /** Puts a ticket in that is in none. */
  void enter(T ticket) {
    if (ticket.isIn()) {
      throw new IllegalStateException("the ticket is in a lottery already: " + ticket);
    }
    if (tickets.size() + 1 == sums.length) {
      grow();
    }
    ((Ticket) ticket).place = tickets.size();
    tickets.add(ticket);
    add(tickets.size() - 1, ticket.weight());
  }

  private void grow() {
    sums = new long[2 * sums.length];
    weight = 0;
    for (int i = 0; i < tickets.size(); i++) {
      add(i, tickets.get(i).weight());
    }
  }

  /** Takes a ticket out; the last one moves to its place. */
  void leave(T ticket) {
    int place = placeOf(ticket);
    int last = tickets.size() - 1;
    T moved = tickets.get(last);
    add(place, moved.weight() - ticket.weight());
    add(last, -moved.weight());
    tickets.set(place, moved);
    ((Ticket) moved).place = place;
    tickets.removeLast();
    ((Ticket) ticket).place = NOWHERE;
  }

  /** Lets a ticket, which may be in this lottery or in none, weigh something else. */
  void reweigh(T ticket, long other) {
    if (ticket.isIn()) {
      add(placeOf(ticket), other - ticket.weight());
    }
    ((Ticket) ticket).weight = other;
  }

  @SuppressWarnings("ReferenceEquality") // This very ticket.
  private int placeOf(T ticket) {
    int place = ((Ticket) ticket).place;
    if (place < 0 || place >= tickets.size() || tickets.get(place) != ticket) {
      throw new IllegalStateException("the ticket is not in this lottery: " + ticket);
    }
    return place;
  }

  private void add(int place, long more) {
    weight += more;
    for (int i = place + 1; i < sums.length; i += i & -i) {
      sums[i] += more;
    }
  }

  /** The ticket that a number from 0 to below {@link #weight} falls on. */
  T draw(long number) {
    if (number < 0 || number >= weight) {
      throw new IllegalArgumentException("expected 0 to below " + weight + ", not " + number);
    }
    int place = 0;
    long left = number;
    for (int step = Integer.highestOneBit(sums.length - 1); step > 0; step /= 2) {
      if (place + step < sums.length && sums[place + step] <= left) {
        place += step;
        left -= sums[place];
      }
    }
    return tickets.get(place);
  }

  /** Throws where the sums are not those of the tickets. */
  void checkInvariants() {
    long[] derived = new long[sums.length];
    long all = 0;
    for (int place = 0; place < tickets.size(); place++) {
      Ticket ticket = tickets.get(place);
      if (ticket.place != place) {
        throw new IllegalStateException(ticket + " is at " + place + " and not " + ticket.place);
      }
      all += ticket.weight;
      for (int i = place + 1; i < sums.length; i += i & -i) {
        derived[i] += ticket.weight;
      }
    }
    if (all != weight || !Arrays.equals(derived, sums)) {
      throw new IllegalStateException("tickets weigh " + all + "; the books say " + weight);
    }
  }
}
