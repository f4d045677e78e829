package dev.sluice.lustre.tbf;

/**
 * Patterns in which {@code *} stands for any letters or none. Lustre's own matching misses some of
 * what this matches and matches nothing else, so who asks this errs on the safe side.
 */
final class GlobPattern {
  private GlobPattern() {}

  /** In time proportional to the product of the lengths at worst. */
  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int asterisk = -1;
    int resumeAt = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        asterisk = p++;
        resumeAt = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (asterisk >= 0) {
        p = asterisk + 1;
        t = ++resumeAt;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
