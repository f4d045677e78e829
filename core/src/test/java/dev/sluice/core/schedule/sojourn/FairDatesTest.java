package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairDatesTest {
  private final FairDates fair = new FairDates();

  private static PhaseQueue queue(int number, long weight) {
    PhaseQueue queue = new PhaseQueue(Flow.of(JobId.of("job" + number), "t"), 0);
    queue.weight = weight;
    return queue;
  }

  private PhaseQueue date(int number, long weight, long tokens) {
    PhaseQueue queue = queue(number, weight);
    fair.set(queue, FairDates.virtual(tokens, weight));
    return queue;
  }

  /** Fair sharing by hand: every token is divided by weight among those who want more. */
  private static final class Sharing {
    final long[] weights;
    final double[] left;

    Sharing(long[] weights, long[] tokens) {
      this.weights = weights.clone();
      left = Arrays.stream(tokens).asDoubleStream().toArray();
    }

    /** Serves so many tokens, or until all have theirs; answers after how many each had its. */
    double[] serve(double tokens) {
      double[] doneAfter = new double[left.length];
      double served = 0;
      while (served < tokens) {
        double weight = 0;
        double step = Double.POSITIVE_INFINITY;
        for (int i = 0; i < left.length; i++) {
          if (left[i] > 0) {
            weight += weights[i];
            step = Math.min(step, left[i] / weights[i]);
          }
        }
        if (weight == 0) {
          break;
        }
        step = Math.min(step, (tokens - served) / weight);
        served += step * weight;
        for (int i = 0; i < left.length; i++) {
          if (left[i] > 0) {
            left[i] -= step * weights[i];
            if (left[i] < 1e-9) {
              left[i] = 0;
              doneAfter[i] = served;
            }
          }
        }
      }
      return doneAfter;
    }
  }

  /** What the class is for, with weights that change meanwhile. */
  @Test
  void datesAreThoseOfSharingByWeightButForATokenOfEach() {
    SeededCases.forAll(
        1_000,
        random -> {
          int jobs = random.nextInt(1, 7);
          long[] weights = random.longs(jobs, 1, 20).toArray();
          long[] tokens = random.longs(jobs, 50, 400).toArray();
          Sharing sharing = new Sharing(weights, tokens);
          FairDates dates = new FairDates();
          List<PhaseQueue> queues = new ArrayList<>();
          for (int i = 0; i < jobs; i++) {
            queues.add(queue(i, weights[i]));
            dates.set(queues.get(i), FairDates.virtual(tokens[i], weights[i]));
          }
          int serve = random.nextInt(0, (int) Arrays.stream(tokens).sum());
          for (int i = 0; i < serve && dates.weight() > 0; i++) {
            if (random.nextInt(100) == 0) {
              int job = random.nextInt(jobs);
              PhaseQueue queue = queues.get(job);
              long before = queue.weight;
              queue.weight = random.nextLong(1, 20);
              sharing.weights[job] = queue.weight;
              assertThat(dates.reweigh(queue, before)).isEqualTo(queue.fairDate.isQueued());
            }
            dates.goOn(1, 1);
            sharing.serve(1);
            for (PhaseQueue done = dates.pass(); done != null; done = dates.pass()) {
              int job = queues.indexOf(done);
              assertThat(sharing.left[job]).isCloseTo(0, within(3.0 * jobs));
            }
            dates.checkInvariants(
                queues.stream()
                    .filter(queue -> queue.fairDate.isQueued())
                    .mapToLong(queue -> queue.weight)
                    .sum());
          }
          dates.findTokens();
          double[] doneAfter = sharing.serve(Double.POSITIVE_INFINITY);
          for (int i = 0; i < jobs; i++) {
            if (queues.get(i).fairDate.isQueued()) {
              assertThat(queues.get(i).fairTokens).isCloseTo(doneAfter[i], within(3.0 * jobs));
            }
          }
        });
  }

  @Test
  void whatIsLeftOfAPhaseIsTheSameTokensAtAnotherWeight() {
    assertThat(FairDates.reweighed(1_200, 1_000, 1, 4)).isEqualTo(1_050);
    assertThat(FairDates.reweighed(1_200, 1_000, 4, 1)).isEqualTo(1_800);
    assertThat(FairDates.reweighed(1_001, 1_000, 1, 4)).as("not nothing").isEqualTo(1_001);
    assertThat(FairDates.reweighed(1_000, 1_000, 1, 4)).as("nothing is left").isEqualTo(1_000);
    assertThat(FairDates.reweighed(900, 1_000, 1, 4)).as("who is behind").isEqualTo(900);
    assertThat(FairDates.reweighed(FairDates.VIRTUAL_MAX, 5, 1L << 20, 1))
        .isEqualTo(5 + FairDates.VIRTUAL_MAX);
  }

  @Test
  void whoHasADateAlreadyIsGivenAnotherAndWeighsOnce() {
    PhaseQueue job = date(1, 4, 30);
    fair.set(job, FairDates.virtual(60, 4));
    assertThat(fair.weight()).isEqualTo(4);
    fair.goOn(59, 4);
    assertThat(fair.pass()).isNull();
    assertThat(fair.ahead(job)).isEqualTo(FairDates.virtual(1, 4));
    fair.goOn(1, 4);
    assertThat(fair.pass()).isSameAs(job);
    assertThat(fair.ahead(job)).isZero();
    assertThat(fair.weight()).isZero();
  }

  @Test
  void whoIsServedBesideThoseWithADateMovesTimeByItsOwnWeightAtLeast() {
    assertThat(fair.goOn(10, 5)).isEqualTo(FairDates.virtual(10, 5));
    date(1, 8, 100);
    assertThat(fair.goOn(16, 5)).isEqualTo(FairDates.virtual(2, 1));
    assertThat(fair.time()).isEqualTo(FairDates.virtual(4, 1));
  }

  @Test
  void whenTimeBeginsAnewEverybodyIsAsFarAheadAsBefore() {
    PhaseQueue late = date(1, 1, 300);
    PhaseQueue soon = date(2, 1, 200);
    fair.goOn(100, 1);
    long lateAhead = fair.ahead(late);
    long soonAhead = fair.ahead(soon);
    fair.setBack();
    assertThat(fair.time()).isZero();
    assertThat(fair.ahead(late)).isEqualTo(lateAhead);
    assertThat(fair.ahead(soon)).isEqualTo(soonAhead);
    fair.goOn(300, 1);
    assertThat(fair.pass()).isSameAs(soon);
    assertThat(fair.pass()).isNull();
    fair.goOn(100, 1);
    assertThat(fair.pass()).isSameAs(late);
  }
}
