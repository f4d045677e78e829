package dev.sluice.web.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The description of what can be asked for over HTTP: docs/openapi.yaml as it was built in. */
public final class OpenApi {
  private static final String FILE = "openapi.yaml";

  private OpenApi() {}

  /** The description. */
  public static String text() {
    try (InputStream in = OpenApi.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
