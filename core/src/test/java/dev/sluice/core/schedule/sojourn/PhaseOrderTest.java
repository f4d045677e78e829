package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PhaseOrderTest {
  private static final double TINY = 1e-6;

  /** Phases as the test knows them; fair dates are those of sharing equally from now on. */
  private static final class Waiting {
    final double[] rest;
    final double[] fair;
    final double[] alone;
    final double[] perStretch;

    Waiting(RandomGenerator random, int count) {
      rest = random.doubles(count, 1, 100).toArray();
      alone = random.doubles(count, -100, 100).toArray();
      perStretch = random.doubles(count, 10, 1_000).toArray();
      fair = new double[count];
      for (int i = 0; i < count; i++) {
        // By equal shares, and some have come so late that fair sharing is far from done with them.
        for (double other : rest) {
          fair[i] += Math.min(rest[i], other);
        }
        fair[i] += random.nextBoolean() ? 0 : random.nextDouble(0, 300);
      }
    }

    double deadline(int phase, double k) {
      return Math.min(fair[phase], alone[phase] + k * perStretch[phase]);
    }

    boolean keeps(List<Integer> order, double k) {
      return keeps(order, k, TINY);
    }

    boolean keeps(List<Integer> order, double k, double tolerance) {
      double done = 0;
      for (int phase : order) {
        done += rest[phase];
        if (done > deadline(phase, k) + tolerance) {
          return false;
        }
      }
      return true;
    }

    List<Integer> byDeadline(double k) {
      return IntStream.range(0, rest.length)
          .boxed()
          .sorted(Comparator.comparingDouble(phase -> deadline(phase, k)))
          .toList();
    }

    PhaseOrder solved(double ease) {
      PhaseOrder order = new PhaseOrder();
      for (int i = 0; i < rest.length; i++) {
        order.add(rest[i], fair[i], alone[i], perStretch[i]);
      }
      order.solve(ease, TINY);
      return order;
    }
  }

  private static List<List<Integer>> permutations(List<Integer> of) {
    if (of.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (Integer first : of) {
      List<Integer> others = of.stream().filter(other -> !other.equals(first)).toList();
      for (List<Integer> rest : permutations(others)) {
        List<Integer> whole = new ArrayList<>(List.of(first));
        whole.addAll(rest);
        all.add(whole);
      }
    }
    return all;
  }

  /** Against all orders that there are. */
  @Test
  void noOrderKeepsASmallerStretchAndTheShortestGoesFirstThatMay() {
    SeededCases.forAll(
        1_000,
        random -> {
          int count = random.nextInt(1, 6);
          Waiting waiting = new Waiting(random, count);
          List<List<Integer>> orders = permutations(IntStream.range(0, count).boxed().toList());
          double ease = random.nextBoolean() ? 0 : random.nextDouble(0.1);
          PhaseOrder solved = waiting.solved(ease);
          double k = solved.stretch();
          double smaller = k - 2 * PhaseOrder.STRETCH_STEP;
          if (k > 0) {
            assertThat(orders)
                .as("orders with a smaller stretch than %s", k)
                .noneMatch(order -> waiting.keeps(order, smaller, -TINY));
          }
          assertThat(waiting.keeps(waiting.byDeadline(k), k)).as("by deadline").isTrue();

          List<Integer> ours = firstAndByDeadline(waiting, solved.first(), k + ease);
          assertThat(waiting.keeps(ours, k + ease)).as("the first, then by deadline").isTrue();
          for (int phase = 0; phase < count; phase++) {
            assertThat(solved.deadlineTokens(phase))
                .isCloseTo(waiting.deadline(phase, k + ease), within(TINY));
            int other = phase;
            if (waiting.rest[phase] < waiting.rest[solved.first()] - TINY) {
              assertThat(orders)
                  .as("orders with %s first, which is shorter", phase)
                  .noneMatch(
                      order -> order.getFirst() == other && waiting.keeps(order, k + ease, -TINY));
            }
          }
        });
  }

  private static List<Integer> firstAndByDeadline(Waiting waiting, int first, double k) {
    List<Integer> order = new ArrayList<>(List.of(first));
    waiting.byDeadline(k).stream().filter(phase -> phase != first).forEach(order::add);
    return order;
  }

  @Test
  void whereFairDatesCannotBeKeptTheOrderIsThatOfTheDeadlines() {
    PhaseOrder order = new PhaseOrder();
    order.add(10, 5, 0, 1);
    order.add(1, 8, 0, 1);
    order.solve(0, 0);
    assertThat(order.first()).isZero();
  }

  @Test
  void asManyAsFitAreOrderedAndNoMore() {
    PhaseOrder order = new PhaseOrder();
    double[] rest = new double[PhaseOrder.SIZE_MAX];
    Arrays.setAll(rest, i -> 1 + i % 7);
    double sum = Arrays.stream(rest).sum();
    for (double one : rest) {
      order.add(one, sum, sum, 1);
    }
    order.solve(0, 0);
    assertThat(order.size()).isEqualTo(PhaseOrder.SIZE_MAX);
    assertThat(rest[order.first()]).isEqualTo(1);
    assertThat(order.stretch()).isZero();
  }

  @Test
  void whoIsDoneLateByNoMoreThanIsToleratedIsInTime() {
    PhaseOrder order = new PhaseOrder();
    order.add(10, 9.5, 9.5, 1);
    order.solve(0, 0.5);
    assertThat(order.stretch()).isZero();
    order.solve(0, 0.4);
    assertThat(order.stretch()).as("no stretch is enough").isGreaterThan(1_000);
  }

  @Test
  void whoNeedsExactlyWhatOthersHaveToSpareMayGoFirst() {
    PhaseOrder order = new PhaseOrder();
    order.add(10, 15, 15, 1);
    order.add(5, 20, 20, 1);
    order.solve(0, 0);
    assertThat(order.first()).isEqualTo(1);
  }

  @Test
  void ofTwoThatAreAsShortTheOneGoesFirstThatIsToBeDoneEarlier() {
    PhaseOrder order = new PhaseOrder();
    order.add(5, 20, 20, 1);
    order.add(5, 10, 10, 1);
    order.solve(0, 0);
    assertThat(order.first()).isEqualTo(1);
  }
}
