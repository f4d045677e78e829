import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints what packages are made of, as CycloneDX: each jar with its version, licence and hash, and
 * the Java runtime.
 *
 * <p>{@code java BillOfMaterials.java VERSION SECONDS RELEASE-FILE PARTS-FILE JAR...}
 */
final class BillOfMaterials {
  /** A name, a dash, and a version that begins with digits and a dot. */
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d+\\.[^/]*?)\\.jar");

  private BillOfMaterials() {}

  /** Who made a part, and under which licence it is. */
  private record Part(String group, String licence) {}

  public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
    String version = args[0];
    Map<String, Part> parts = parts(Path.of(args[3]));
    List<String> components = new ArrayList<>();
    components.add(runtime(Path.of(args[2])));
    for (int i = 4; i < args.length; i++) {
      components.add(component(Path.of(args[i]), parts, version));
    }
    System.out.printf(
        """
        {
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "version": 1,
          "metadata": {
            "timestamp": "%s",
            "component": {
              "type": "application",
              "group": "dev.sluice",
              "name": "sluice",
              "version": "%s",
              "licenses": [{"expression": "Apache-2.0"}]
            }
          },
          "components": [
        %s
          ]
        }
        """,
        Instant.ofEpochSecond(Long.parseLong(args[1])), version, String.join(",\n", components));
  }

  private static Map<String, Part> parts(Path file) throws IOException {
    Map<String, Part> parts = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        String[] fields = line.split("\t");
        parts.put(fields[0], new Part(fields[1], fields[2]));
      }
    }
    return parts;
  }

  private static String runtime(Path release) throws IOException {
    Map<String, String> said = new HashMap<>();
    for (String line : Files.readAllLines(release)) {
      String[] halves = line.split("=", 2);
      said.put(halves[0], halves[1].replace("\"", ""));
    }
    return component(
        said.getOrDefault("IMPLEMENTOR", "unknown"),
        "openjdk",
        said.getOrDefault("JAVA_RUNTIME_VERSION", said.getOrDefault("JAVA_VERSION", "unknown")),
        "GPL-2.0-only WITH Classpath-exception-2.0",
        "");
  }

  private static String component(Path jar, Map<String, Part> parts, String ours)
      throws IOException, NoSuchAlgorithmException {
    String file = jar.getFileName().toString();
    Matcher matcher = JAR.matcher(file);
    if (!matcher.matches()) {
      throw new IOException(file + ": expected NAME-VERSION.jar");
    }
    String name = matcher.group(1);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
    if (name.startsWith("sluice-")) {
      return component("dev.sluice", name, ours, "Apache-2.0", HexFormat.of().formatHex(hash));
    }
    Part part = parts.get(name);
    if (part == null) {
      throw new IOException(
          file + ": a part that nobody has named yet; enter its licence in packaging/parts.tsv");
    }
    return component(
        part.group, name, matcher.group(2), part.licence, HexFormat.of().formatHex(hash));
  }

  private static String component(
      String group, String name, String version, String licence, String hash) {
    String hashes =
        hash.isEmpty()
            ? ""
            : ", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"" + hash + "\"}]";
    String known =
        hash.isEmpty()
            ? ""
            : ", \"purl\": \"pkg:maven/" + group + "/" + name + "@" + version + "\"";
    return """
        {"type": "library", "group": "%s", "name": "%s", "version": "%s"%s, "licenses": \
    [{"expression": "%s"}]%s}\
    """
        .formatted(group, name, version, known, licence, hashes);
  }
}
