package dev.sluice.papers;

/** How a claim stands after it was held against all that was seen. */
public enum Verdict {
  HOLDS("holds", "its condition is met with every seed"),
  HOLDS_WEAKER(
      "holds weaker", "not always, but with every seed a weaker condition is met, which is named"),
  CALIBRATED(
      "calibrated",
      "the condition or the weaker one is met with every seed, but something that the paper does"
          + " not give was chosen looking at this figure or one that implies it: no evidence"),
  BY_CONSTRUCTION(
      "by construction",
      "the condition is met with every seed, and could not have been missed in this simulation: no"
          + " evidence"),
  DOES_NOT_HOLD("does not hold", "anything else");

  private final String words;
  private final String meaning;

  Verdict(String words, String meaning) {
    this.words = words;
    this.meaning = meaning;
  }

  public String words() {
    return words;
  }

  /** What has to be so for it. */
  public String meaning() {
    return meaning;
  }
}
