package dev.sluice.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** When ours is as good as a rival's within the spread of seeds. */
class RivalsTest {
  private static final Rivals MORE = new Rivals("ours", "theirs", false);
  private static final Rivals LESS = new Rivals("ours", "theirs", true);

  private static double[] figures(RandomGenerator random, int seeds) {
    return random.doubles(seeds, 1, 2).toArray();
  }

  /** The theorem. */
  @Test
  void whoIsNoWorseWithAnySeedIsAsGood() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] theirs = figures(random, random.nextInt(1, 8));
          double[] better = Arrays.stream(theirs).map(x -> x + random.nextDouble()).toArray();
          assertThat(MORE.areAlike(better, theirs)).isTrue();
          assertThat(LESS.areAlike(theirs, better)).isTrue();
        });
  }

  @Test
  void whereTheRivalAlwaysHasTheSameTheMedianDecides() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] ours = figures(random, 2 * random.nextInt(4) + 1);
          double[] theirs = new double[ours.length];
          Arrays.fill(theirs, 1.5);
          double median = Arrays.stream(ours).sorted().toArray()[ours.length / 2];
          assertThat(MORE.areAlike(ours, theirs)).isEqualTo(median >= 1.5 - 5e-6);
          assertThat(LESS.areAlike(ours, theirs)).isEqualTo(median <= 1.5 + 5e-6);
        });
  }

  @Test
  void halfOfTheRivalsRangeMayBeMissingAndNoMore() {
    double[] theirs = {10, 11, 12, 13, 14};
    assertThat(MORE.areAlike(new double[] {8, 9, 10, 11, 12}, theirs)).isTrue();
    assertThat(MORE.areAlike(new double[] {7.9, 8.9, 9.9, 10.9, 11.9}, theirs)).isFalse();
    assertThat(LESS.areAlike(new double[] {12, 13, 14, 15, 16}, theirs)).isTrue();
    assertThat(LESS.areAlike(new double[] {12.1, 13.1, 14, 15.1, 16.1}, theirs)).isFalse();
  }

  /** Pairs alone could be won by hard seeds for the rival: ours must be in its range, too. */
  @Test
  void theMedianOfOursIsNoWorseThanTheRivalsWorst() {
    double[] theirs = {10, 10, 11, 14, 14};
    double[] ours = {9.9, 9.9, 9.9, 13, 13};
    assertThat(MORE.areAlike(ours, theirs)).isFalse();
  }

  @Test
  void aClaimSaysItBesideItsVerdict() {
    List<Claim> claims = new ArrayList<>();
    double[] ours = {1.20, 1.21, 1.24};
    double[] theirs = {1.22, 1.22, 1.23};
    for (int i = 0; i < ours.length; i++) {
      claims.add(
          new Claim(
                  "1.1",
                  "no worse",
                  List.of(
                      Figure.of("gain", 1 - ours[i] / theirs[i], Notation.CHANGE),
                      Figure.of("ours", ours[i], Notation.RATIO),
                      Figure.of("theirs", theirs[i], Notation.RATIO)),
                  Condition.atLeast("gain", 0))
              .within(LESS));
    }
    Evidence evidence = new Evidence(claims);
    assertThat(evidence.verdict()).isEqualTo(Verdict.DOES_NOT_HOLD);
    assertThat(evidence.isWithinSpread()).isTrue();
  }
}
