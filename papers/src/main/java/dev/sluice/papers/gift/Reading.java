package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.above;
import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.below;
import static dev.sluice.papers.Condition.closer;
import static dev.sluice.papers.Condition.each;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Condition;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The paper says of its rivals whom they throttle, and not how what the throttled lose is handed
 * out. Whatever compares GIFT with them is judged both ways.
 */
enum Reading {
  /** As the authors' prototype does it: all the others grow alike. */
  AS_BUILT("a", "rules as in the authors' prototype"),
  /** By GIFT's own program; and beside the paper's rivals one that it does not have. */
  BY_PROGRAM("b", "rules that solve GIFT's linear program, and maxmin");

  /** Why GIFT is not the best of those that solve its program. */
  private static final String PROGRAM =
      "what gains is the program, and filling gaps without throttling anybody gains nearly as"
          + " much; whom GIFT throttles matters little";

  private static final String CLOSE =
      "with so little contention policies differ by little more than chance makes them";

  private static final String MBW_WINS =
      "MBW, which in the paper does worse than BSIP, is the fastest here: it gives all to those"
          + " whose progress adds up to most, and whoever starves meanwhile does so for a short"
          + " phase and seldom beside the same jobs again";

  private final String letter;
  private final String words;

  Reading(String letter, String words) {
    this.letter = letter;
    this.words = words;
  }

  /** TSA, ESA, TMF and RND, read this way. */
  private List<Contender> byRule() {
    return this == AS_BUILT ? Contender.BY_RULE : Contender.BY_RULE_AND_PROGRAM;
  }

  /** A statement, read both ways. */
  static List<Claim> both(Function<Reading, Claim> of) {
    return Stream.of(values()).map(of).toList();
  }

  private String id(String number) {
    return number + letter;
  }

  private String said(String statement) {
    return statement + " (" + words + ")";
  }

  private static String name(Contender contender) {
    return contender.name();
  }

  /** Whom GIFT is held against. */
  private List<Contender> rivals() {
    List<Contender> rivals = new ArrayList<>(List.of(Contender.BSIP, Contender.MBW));
    rivals.addAll(byRule());
    if (this == BY_PROGRAM) {
      rivals.add(Contender.MAXMIN);
    }
    return rivals;
  }

  private List<String> rivalsBut(Contender... without) {
    return rivals().stream()
        .filter(rival -> !List.of(without).contains(rival))
        .map(Reading::name)
        .toList();
  }

  private List<Figure> figures(
      SetRuns runs, ToDoubleFunction<Comparison> measure, Notation notation) {
    List<Figure> figures = new ArrayList<>();
    Stream.concat(Stream.of(Contender.GIFT), rivals().stream())
        .forEach(one ->
            figures.add(Figure.of(one.name(), measure.applyAsDouble(runs.of(one)), notation)));
    return figures;
  }

  /** Mean I/O time. */
  Claim shortest(String number, SetRuns runs) {
    return new Claim(
            id(number),
            said("GIFT has the shortest mean I/O time; the next best is BSIP"),
            figures(runs, Comparison::ioTime, Notation.CHANGE),
            all(
                below(name(Contender.GIFT), rivalsBut()),
                below(name(Contender.BSIP), rivalsBut(Contender.BSIP))))
        .because(this == AS_BUILT ? MBW_WINS : PROGRAM);
  }

  /** What rules gain. */
  Claim rules(String number, SetRuns runs) {
    List<String> names = byRule().stream().map(Reading::name).toList();
    return new Claim(
            id(number),
            said("TSA, ESA, TMF and RND do about as well as BSIP in I/O time"),
            figures(runs, Comparison::ioTime, Notation.CHANGE),
            each(names, rule -> closer(rule, name(Contender.BSIP), name(Contender.GIFT))))
        .because(this == AS_BUILT ? CLOSE : PROGRAM);
  }

  /** Effective bandwidth. */
  Claim bandwidth(String number, SetRuns runs) {
    String mbw = name(Contender.MBW);
    String gift = name(Contender.GIFT);
    List<String> others = rivalsBut(Contender.MBW);
    return new Claim(
            id(number),
            said("MBW has the highest effective bandwidth, GIFT the next"),
            figures(runs, Comparison::effectiveBandwidth, Notation.CHANGE),
            all(above(mbw, gift), above(mbw, others), above(gift, others)))
        .because(this == AS_BUILT ? CLOSE : PROGRAM);
  }

  /** Who is worse off. */
  Claim fewestWorse(String number, SetRuns runs) {
    return new Claim(
            id(number),
            said("fewer applications are worse off than under POFS than under every rival"),
            figures(runs, Comparison::worse, Notation.PART),
            below(name(Contender.GIFT), rivalsBut()))
        .because(
            this == AS_BUILT
                ? "few are worse off under any of them here, and a handful of applications, whom"
                    + " chance made worse, decides who has fewest"
                : PROGRAM);
  }

  /** The paper's own numbers for that. */
  Claim worse(String number, SetRuns runs) {
    Condition rivals = each(rivalsBut(), rival -> Condition.more(rival, 45));
    return new Claim(
            id(number),
            said(
                "32 % of the applications are worse off than under POFS under GIFT, more than 45 %"
                    + " under every rival, 76 % under MBW"),
            figures(runs, Comparison::worse, Notation.PART),
            all(
                Condition.atMost(name(Contender.GIFT), 32),
                rivals,
                Condition.atLeast(name(Contender.MBW), 76)))
        .because(
            "with our applications there is less contention than in the paper's system, so that"
                + " fewer meet anybody who could make them slower");
  }

  /** Who gains much. */
  Claim muchBetter(String number, SetRuns runs) {
    double third = 33.3;
    return new Claim(
            id(number),
            said("a third of the applications do their I/O over 20 % faster, and under no rival"),
            figures(runs, Comparison::muchBetter, Notation.PART),
            all(
                Condition.atLeast(name(Contender.GIFT), third),
                each(rivalsBut(), rival -> Condition.less(rival, third))))
        .because(
            "with 250 applications there is too little contention for GIFT to make a third of them"
                + " so much faster; MBW, which spares nobody, does");
  }
}
