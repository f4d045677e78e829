package dev.sluice.app;

import dev.sluice.document.Documents;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The scenario that a command is about, and the seed for all that is random in it. */
public final class ScenarioInput {
  private static final String STANDARD_INPUT = "-";
  private static final int HASH_DIGITS = 12;

  @Parameters(paramLabel = "FILE", description = "The scenario; - reads standard input.")
  String file = "";

  @Mixin SeedOption seed = new SeedOption();

  /** A scenario and the mark of the text that it was read from. */
  public record Read(Scenario scenario, String hash) {}

  /** The file as it was named. */
  public String file() {
    return file;
  }

  public long seed() {
    return seed.seed();
  }

  public Read read() {
    try {
      if (file.equals(STANDARD_INPUT)) {
        // The reader itself says what is wrong with a text that is longer than this.
        byte[] bytes = System.in.readNBytes(Documents.BYTES_MAX + 1);
        return new Read(
            ScenarioReader.read(file, new ByteArrayInputStream(bytes), seed()), hash(bytes));
      }
      Scenario scenario = ScenarioReader.read(file, InputStream.nullInputStream(), seed());
      return new Read(scenario, hash(Files.readAllBytes(Path.of(file))));
    } catch (IOException e) {
      throw new FailedException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
