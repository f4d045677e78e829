package dev.sluice.app;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * Calls our command what whoever reads would type. All texts speak of {@code ./sluice}, as in a
 * tree of sources; where it is installed, its launcher says under which name.
 */
final class SpokenName extends FilterWriter {
  private static final String IN_THE_TREE = "./sluice";

  private final String name;

  private SpokenName(Writer out, String name) {
    super(out);
    this.name = name;
  }

  /** What is written there names our command as this process was started. */
  static Writer in(Writer out) {
    String name = System.getProperty("sluice.command", IN_THE_TREE);
    return name.equals(IN_THE_TREE) ? out : new SpokenName(out, name);
  }

  /** Lines are written whole, so that the name is never cut. */
  @Override
  public void write(String text, int offset, int length) throws IOException {
    String said = text.substring(offset, offset + length).replace(IN_THE_TREE, name);
    super.write(said, 0, said.length());
  }
}
