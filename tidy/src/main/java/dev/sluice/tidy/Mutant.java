package dev.sluice.tidy;

/**
 * A change of one instruction, as the mutation tester made it.
 *
 * @param what the class, the method and what was changed: the same however lines move
 * @param line the place now
 * @param detected whether a test failed, or did not end
 */
record Mutant(Change what, int line, boolean detected) {
  /**
   * What tells a mutant from others, and does not move with the lines above it.
   *
   * @param type the class's full name, with {@code $} before a class within it
   * @param method its name; that of the method around it where it is a lambda's
   * @param description in the tester's words
   * @param source the line that was changed, without blanks around it
   */
  record Change(String type, String method, String description, String source) {}

  String packageName() {
    String type = what.type();
    return type.substring(0, type.lastIndexOf('.'));
  }

  /** The method that a lambda's name tells, or the name itself. */
  static String methodOf(String name) {
    String[] parts = name.split("\\$", -1);
    return parts.length == 3 && parts[0].equals("lambda") ? parts[1] : name;
  }
}
