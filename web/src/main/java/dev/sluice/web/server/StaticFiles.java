package dev.sluice.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files that come with the program and are the same for everybody, ready to be sent. Immutable. */
public final class StaticFiles {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "webmanifest", "application/manifest+json");

  private final Map<String, Content> files;

  private StaticFiles(Map<String, Content> files) {
    this.files = files;
  }

  /**
   * Reads files.
   *
   * @param owner a class beside which they lie
   * @param names each file's name, which may have a directory in it
   */
  public static StaticFiles beside(Class<?> owner, List<String> names) {
    Map<String, Content> files = new LinkedHashMap<>();
    for (String name : names) {
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      if (type == null) {
        throw new IllegalArgumentException(name + ": expected one of " + TYPES.keySet());
      }
      try (InputStream in = owner.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalArgumentException(name + ": there is no such file");
        }
        files.put(name, Content.lasting(type, in.readAllBytes()));
      } catch (IOException e) {
        throw new UncheckedIOException(name + " cannot be read", e);
      }
    }
    return new StaticFiles(files);
  }

  /** Has each file answered under its name, and one of them under the directory itself. */
  public void addTo(Routes routes, String directory, String index) {
    files.forEach((name, content) -> {
      WebAnswer answer = new WebAnswer.Whole(200, content, Map.of());
      routes.addForAnybody(HttpMethod.GET, directory + name, _ -> answer);
      if (name.equals(index)) {
        routes.addForAnybody(HttpMethod.GET, directory, _ -> answer);
      }
    });
  }

  /** How many bytes go over the wire to somebody who takes all of them compressed. */
  public int transferredBytes() {
    return files.values().stream().mapToInt(Content::transferredBytes).sum();
  }
}
