package dev.sluice.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a verdict is, whatever the claim. */
class EvidenceTest {
  private static final double FULL = 10;
  private static final double LESS = 5;
  private static final List<Notation> NOTATIONS = List.of(Notation.values());

  /** A claim about one figure: it holds from 10 % on, and weaker from 5 % on. */
  private static Claim claim(double raw, Claim.Basis basis) {
    Claim claim =
        new Claim(
                "1.1",
                "jobs gain",
                List.of(Figure.of("gain", raw, Notation.CHANGE)),
                Condition.atLeast("gain", FULL))
            .orWeaker(Condition.atLeast("gain", LESS));
    return switch (basis) {
      case MEASURED -> claim;
      case CALIBRATED -> claim.calibrated("chosen");
      case BY_CONSTRUCTION -> claim.byConstruction("built");
    };
  }

  private static List<Claim> claims(Claim.Basis basis, RandomGenerator random) {
    List<Claim> claims = new ArrayList<>();
    double least = random.nextDouble(0, 0.11);
    for (int seeds = random.nextInt(1, 6); seeds > 0; seeds--) {
      claims.add(claim(random.nextDouble(least, 0.13), basis));
    }
    return claims;
  }

  private static double worst(List<Claim> claims) {
    return claims.stream()
        .mapToDouble(claim -> claim.figures().getFirst().value())
        .min()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aVerdictIsWhatTheWorstSeedAllows(Claim.Basis basis) {
    SeededCases.forAll(
        500,
        random -> {
          List<Claim> claims = claims(basis, random);
          double worst = worst(claims);
          Verdict verdict = new Evidence(claims).verdict();
          if (worst < LESS) {
            assertThat(verdict).isEqualTo(Verdict.DOES_NOT_HOLD);
          } else {
            assertThat(verdict)
                .isEqualTo(
                    switch (basis) {
                      case MEASURED -> worst < FULL ? Verdict.HOLDS_WEAKER : Verdict.HOLDS;
                      case CALIBRATED -> Verdict.CALIBRATED;
                      case BY_CONSTRUCTION ->
                          worst < FULL ? Verdict.DOES_NOT_HOLD : Verdict.BY_CONSTRUCTION;
                    });
          }
        });
  }

  /** What was chosen or could not be otherwise never counts as having been found. */
  @Test
  void onlyWhatIsMeasuredHolds() {
    SeededCases.forAll(
        500,
        random -> {
          for (Claim.Basis basis : List.of(Claim.Basis.CALIBRATED, Claim.Basis.BY_CONSTRUCTION)) {
            assertThat(new Evidence(claims(basis, random)).verdict())
                .isNotIn(Verdict.HOLDS, Verdict.HOLDS_WEAKER);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void anotherSeedNeverMakesItBetterAndTheirOrderDoesNotMatter(Claim.Basis basis) {
    SeededCases.forAll(
        500,
        random -> {
          List<Claim> claims = claims(basis, random);
          Verdict before = new Evidence(claims).verdict();
          List<Claim> shuffled = new ArrayList<>(claims);
          Collections.shuffle(shuffled, new Random(random.nextLong()));
          assertThat(new Evidence(shuffled).verdict()).isEqualTo(before);
          shuffled.add(claim(random.nextDouble(0, 0.13), basis));
          assertThat(new Evidence(shuffled).verdict()).isGreaterThanOrEqualTo(before);
        });
  }

  @Test
  void itSaysWithHowManySeedsTheConditionIsMet() {
    Evidence evidence =
        new Evidence(
            List.of(
                claim(0.2, Claim.Basis.MEASURED),
                claim(0.07, Claim.Basis.MEASURED),
                claim(0.11, Claim.Basis.MEASURED),
                claim(0.01, Claim.Basis.MEASURED)));
    assertThat(evidence.met()).isEqualTo(2);
    assertThat(evidence.counts()).isEqualTo("2 of 4, weaker 1");
    assertThat(evidence.criterion()).isEqualTo("gain ≥ +10.0 %. Weaker: gain ≥ +5.0 %");
    assertThat(evidence.ours()).isEqualTo("gain +9.0 % (+1.0 to +20.0)");
  }

  @Test
  void seedsAreJudgedAlike() {
    Claim stricter =
        new Claim(
            "1.1",
            "jobs gain",
            List.of(Figure.of("gain", 0.2, Notation.CHANGE)),
            Condition.atLeast("gain", 15));
    assertThatThrownBy(() -> new Evidence(List.of(claim(0.2, Claim.Basis.MEASURED), stricter)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.1");
  }

  /** A reader who only has the page comes to the same verdict. */
  @Test
  void whatIsComparedIsWhatIsWritten() {
    SeededCases.forAll(
        1_000,
        random -> {
          Notation notation = NOTATIONS.get(random.nextInt(NOTATIONS.size()));
          Figure one = figure("one", notation, random);
          Figure two =
              new Figure(
                  "two", one.value() + random.nextInt(-1, 2) * random.nextDouble(), notation);
          Figures figures = new Figures(List.of(one, two));
          double left = read(one);
          double right = read(two);
          assertThat(Condition.above("one", "two").isMetBy(figures)).isEqualTo(left > right);
          assertThat(Condition.below("one", "two").isMetBy(figures)).isEqualTo(left < right);
          assertThat(Condition.rising("one", "two").isMetBy(figures)).isEqualTo(left < right);
          assertThat(Condition.atLeast("one", right).isMetBy(figures)).isEqualTo(left >= right);
          assertThat(Condition.atMost("one", right).isMetBy(figures)).isEqualTo(left <= right);
          assertThat(Condition.more("one", right).isMetBy(figures)).isEqualTo(left > right);
          assertThat(Condition.less("one", right).isMetBy(figures)).isEqualTo(left < right);
          assertThat(Condition.near("one", right, 0).isMetBy(figures)).isEqualTo(left == right);
        });
  }

  private static Figure figure(String name, Notation notation, RandomGenerator random) {
    return Figure.of(name, random.nextDouble(-2, 2) * Math.pow(10, random.nextInt(4)), notation);
  }

  /** As people read it. */
  private static double read(Figure figure) {
    String number = figure.text().split(" ", 2)[0].replace(",", "");
    return Double.parseDouble(number);
  }

  @Test
  void whatIsNoNumberMeetsNothing() {
    Figures figures =
        new Figures(
            List.of(
                new Figure("nothing", Double.NaN, Notation.PART),
                new Figure("something", 1, Notation.PART)));
    for (Condition condition :
        List.of(
            Condition.atLeast("nothing", 0),
            Condition.atMost("nothing", 0),
            Condition.near("nothing", 0, 1),
            Condition.rising("nothing", "something"),
            Condition.above("nothing", "something"),
            Condition.below("something", "nothing"),
            Condition.closer("something", "nothing", "something"))) {
      assertThat(condition.isMetBy(figures)).as(condition.inWords(figures)).isFalse();
    }
  }

  @Test
  void conditionsNameWhatTheyCompare() {
    Figures figures =
        new Figures(
            List.of(
                new Figure("ours", 96.4, Notation.PART),
                new Figure("theirs", 95.6, Notation.PART),
                new Figure("others", 10, Notation.PART)));
    assertThat(Condition.above("ours", "theirs", "others").inWords(figures))
        .isEqualTo("ours above each of theirs, others");
    assertThat(Condition.near("ours", 97.4, 1).inWords(figures))
        .isEqualTo("ours between 96.4 % and 98.4 %");
    assertThat(Condition.near("ours", 97.4, 1).isMetBy(figures)).isTrue();
    assertThat(
            Condition.all(
                    Condition.rising("others", "theirs", "ours"),
                    Condition.closer("theirs", "ours", "others"))
                .inWords(figures))
        .isEqualTo("others < theirs < ours; theirs closer to ours than to others");
    assertThatThrownBy(() -> Condition.less("nobody", 1).isMetBy(figures))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody");
  }

  /** The median lies in the range, and one value has none. */
  @Test
  void aSpreadIsMedianAndRange() {
    SeededCases.forAll(
        1_000,
        random -> {
          List<Figure> figures = new ArrayList<>();
          int count = random.nextInt(1, 6);
          for (int i = 0; i < count; i++) {
            figures.add(Figure.of("x", random.nextInt(4) / 10.0, Notation.PART));
          }
          double least = figures.stream().mapToDouble(Figure::value).min().orElseThrow();
          double most = figures.stream().mapToDouble(Figure::value).max().orElseThrow();
          String text = new Spread(figures).text();
          if (least == most) {
            assertThat(text).isEqualTo(figures.getFirst().text());
          } else {
            assertThat(text)
                .endsWith(
                    "(" + Notation.PART.number(least) + " to " + Notation.PART.number(most) + ")");
            assertThat(Double.parseDouble(text.split(" ", 2)[0])).isBetween(least, most);
          }
        });
  }
}
