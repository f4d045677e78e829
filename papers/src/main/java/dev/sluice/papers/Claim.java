package dev.sluice.papers;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Something that a paper says, held against what one seed showed.
 *
 * @param id the section and a number: {@code IV-D.1}; readings of one statement have letters
 * @param paper what the paper says, in our words
 * @param figures what we see
 * @param condition what has to be so for it to hold
 * @param weaker what has to be so for it to hold weaker, where that is possible
 * @param rivals which figures are held against each other over all seeds, where some are
 * @param why what to make of it where it does not simply hold: a sentence or two
 */
public record Claim(
    String id,
    String paper,
    List<Figure> figures,
    Condition condition,
    @Nullable Condition weaker,
    Basis basis,
    @Nullable Rivals rivals,
    String why) {

  /** What agreement would show. */
  public enum Basis {
    /** That the statement is true here: it could have come out otherwise. */
    MEASURED,
    /** That we chose well: what was open was set looking at it. */
    CALIBRATED,
    /** That we built what we meant to: it could not have come out otherwise. */
    BY_CONSTRUCTION
  }

  /** How one seed's figures stand to the condition, the best first. */
  public enum Grade {
    MET("met"),
    MET_WEAKER("met weaker"),
    NOT_MET("not met");

    private final String words;

    Grade(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public Claim {
    figures = List.copyOf(figures);
    if (figures.isEmpty()) {
      throw new IllegalArgumentException(id + ": expected something that was seen");
    }
  }

  /** A claim that is measured and holds or does not. */
  public Claim(String id, String paper, List<Figure> figures, Condition condition) {
    this(id, paper, figures, condition, null, Basis.MEASURED, null, "");
  }

  /** A claim that is also worth something if no more than this is so. */
  public Claim orWeaker(Condition less) {
    return new Claim(id, paper, figures, condition, less, basis, rivals, why);
  }

  /** What to make of it. */
  public Claim because(String reason) {
    return new Claim(id, paper, figures, condition, weaker, basis, rivals, reason);
  }

  /** A claim of which it is also asked whether it holds within the spread of seeds. */
  public Claim within(Rivals both) {
    return new Claim(id, paper, figures, condition, weaker, basis, both, why);
  }

  /** Something that the paper leaves open was chosen looking at it. */
  public Claim calibrated(String what) {
    return new Claim(id, paper, figures, condition, weaker, Basis.CALIBRATED, rivals, what);
  }

  /** It cannot come out otherwise here, nor weaker. */
  public Claim byConstruction(String how) {
    return new Claim(id, paper, figures, condition, null, Basis.BY_CONSTRUCTION, rivals, how);
  }

  /** How the figures stand to the condition. */
  public Grade grade() {
    Figures byName = new Figures(figures);
    if (condition.isMetBy(byName)) {
      return Grade.MET;
    }
    return weaker != null && weaker.isMetBy(byName) ? Grade.MET_WEAKER : Grade.NOT_MET;
  }

  /** What is compared with what, in words. */
  public String criterion() {
    Figures byName = new Figures(figures);
    return condition.inWords(byName)
        + (weaker == null ? "" : ". Weaker: " + weaker.inWords(byName));
  }

  /** What was seen, in words. */
  public String ours() {
    return figures.stream()
        .map(figure -> figure.name() + " " + figure.text())
        .collect(Collectors.joining("; "));
  }
}
