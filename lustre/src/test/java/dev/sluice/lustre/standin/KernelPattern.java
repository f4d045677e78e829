package dev.sluice.lustre.standin;

/** Matching of job ids as the server does it, oddities and all. */
final class KernelPattern {
  private KernelPattern() {}

  /** Without an asterisk both must be equal. */
  static boolean matches(String pattern, String id) {
    return pattern.indexOf('*') < 0 ? pattern.equals(id) : matches(pattern, 0, id, 0);
  }

  /**
   * An asterisk in the id is equal to one in the pattern and uses it up; one that is not the last
   * letter of the pattern needs something to be left of the id.
   */
  private static boolean matches(String pattern, int from, String id, int at) {
    int p = from;
    int i = at;
    while (true) {
      boolean patternEnds = p == pattern.length();
      boolean idEnds = i == id.length();
      if (patternEnds && idEnds) {
        return true;
      }
      boolean asterisk = !patternEnds && pattern.charAt(p) == '*';
      if (asterisk && p + 1 < pattern.length() && idEnds) {
        return false;
      }
      if (!patternEnds && !idEnds && pattern.charAt(p) == id.charAt(i)) {
        p++;
        i++;
        continue;
      }
      return asterisk
          && (matches(pattern, p + 1, id, i) || (!idEnds && matches(pattern, p, id, i + 1)));
    }
  }
}
