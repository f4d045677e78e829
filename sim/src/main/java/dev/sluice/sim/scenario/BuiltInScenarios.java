package dev.sluice.sim.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The example scenarios, which the program carries with it. */
public final class BuiltInScenarios {
  private BuiltInScenarios() {}

  /** The one with this name; whatever is drawn in reading it follows from the seed. */
  public static Scenario read(String name, long seed) {
    String resource = "/scenarios/" + name + ".yaml";
    try (InputStream in = BuiltInScenarios.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(resource + " is not part of the program");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ScenarioReader.parse(name + ".yaml", text, Path.of(""), seed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
