package dev.sluice.papers;

import java.util.ArrayList;
import java.util.List;

/** A claim with what every seed showed of it. */
public record Evidence(List<Claim> bySeed) {
  public Evidence {
    bySeed = List.copyOf(bySeed);
    if (bySeed.isEmpty()) {
      throw new IllegalArgumentException("expected at least one seed");
    }
    Claim first = bySeed.getFirst();
    for (Claim claim : bySeed) {
      if (!claim.id().equals(first.id()) || !claim.criterion().equals(first.criterion())) {
        throw new IllegalArgumentException(
            first.id() + " is not judged alike with every seed: " + claim.criterion());
      }
    }
  }

  private Claim first() {
    return bySeed.getFirst();
  }

  public String id() {
    return first().id();
  }

  public String paper() {
    return first().paper();
  }

  public String criterion() {
    return first().criterion();
  }

  /** What to make of it; blank where it simply holds and nothing was given. */
  public String why() {
    return first().why();
  }

  /** One seed that is worse spoils it: what depends on luck does not hold. */
  public Verdict verdict() {
    Claim.Grade worst =
        bySeed.stream().map(Claim::grade).max(Enum::compareTo).orElse(Claim.Grade.NOT_MET);
    return switch (first().basis()) {
      case MEASURED ->
          switch (worst) {
            case MET -> Verdict.HOLDS;
            case MET_WEAKER -> Verdict.HOLDS_WEAKER;
            case NOT_MET -> Verdict.DOES_NOT_HOLD;
          };
      case CALIBRATED -> worst == Claim.Grade.NOT_MET ? Verdict.DOES_NOT_HOLD : Verdict.CALIBRATED;
      case BY_CONSTRUCTION ->
          worst == Claim.Grade.MET ? Verdict.BY_CONSTRUCTION : Verdict.DOES_NOT_HOLD;
    };
  }

  /** With how many seeds the condition itself is met. */
  public int met() {
    return count(Claim.Grade.MET);
  }

  private int count(Claim.Grade grade) {
    return (int) bySeed.stream().filter(claim -> claim.grade() == grade).count();
  }

  /** Whether two figures of it are held against each other over all seeds. */
  public boolean isOfRivals() {
    return first().rivals() != null;
  }

  /**
   * Whether ours is as good as the rival's within the spread of seeds, as {@link Rivals} says; also
   * where it is so with every seed. Never where there is no rival.
   */
  public boolean isWithinSpread() {
    Rivals rivals = first().rivals();
    return rivals != null
        && (verdict() == Verdict.HOLDS
            || rivals.areAlike(values(rivals.ours()), values(rivals.theirs())));
  }

  private double[] values(String figure) {
    return bySeed.stream()
        .mapToDouble(claim -> new Figures(claim.figures()).value(figure))
        .toArray();
  }

  /** How many seeds say what: {@code 4 of 5}, {@code 3 of 5, weaker 2}. */
  public String counts() {
    int weaker = count(Claim.Grade.MET_WEAKER);
    return met() + " of " + bySeed.size() + (weaker == 0 ? "" : ", weaker " + weaker);
  }

  /** The figures, each with its median and its range. */
  public String ours() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < first().figures().size(); i++) {
      int index = i;
      Spread spread = new Spread(bySeed.stream().map(claim -> claim.figures().get(index)).toList());
      texts.add(spread.name() + " " + spread.text());
    }
    return String.join("; ", texts);
  }
}
