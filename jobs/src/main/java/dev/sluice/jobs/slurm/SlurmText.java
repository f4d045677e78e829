package dev.sluice.jobs.slurm;

/** Text of strangers, made fit to be kept and shown. */
final class SlurmText {
  private static final int SHOWN_MAX = 80;

  private SlurmText() {}

  /** At most so many characters, none of them a control character. */
  static String tame(String text, int lengthMax) {
    StringBuilder tame = new StringBuilder(Math.min(text.length(), lengthMax));
    for (int i = 0; i < text.length() && i < lengthMax; i++) {
      char next = text.charAt(i);
      tame.append(Character.isISOControl(next) ? '?' : next);
    }
    return tame.toString();
  }

  /** As much as fits into a message. */
  static String shown(String text) {
    return tame(text, SHOWN_MAX) + (text.length() > SHOWN_MAX ? "…" : "");
  }

  /** Slurm writes nothing in several ways. */
  static String orNothing(String text) {
    return text.equals("(null)") || text.equals("N/A") || text.equals("None assigned") ? "" : text;
  }
}
