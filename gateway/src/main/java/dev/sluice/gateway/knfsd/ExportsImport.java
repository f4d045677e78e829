package dev.sluice.gateway.knfsd;

import dev.sluice.core.model.Network;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import dev.sluice.document.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says in a gateway's configuration what the kernel's server exports.
 *
 * <p>The kernel's server knows options for each client of a directory, a gateway's export one set
 * for all its clients. Clients with other options than the most get an export of their own, under
 * another path. Nobody is in two of them: where a host and the network around it have different
 * options, the network is written without the host, as the kernel's server would have it. So nobody
 * gets more than before.
 */
public final class ExportsImport {
  private static final int EXPORTS_MAX = 10_000;
  private static final String INDENT = "  ";

  private final ClientReader clients;
  private final Map<String, List<Seen>> byPath = new LinkedHashMap<>();

  /** A client whose options and addresses are known, as far as they can be. */
  private record Seen(
      Place place, ClientReader.Result client, OptionsReader.Result options, String text) {}

  public ExportsImport(HostNames names) {
    this.clients = new ClientReader(names);
  }

  /**
   * Takes in a file.
   *
   * @param file its name, for what is said about it
   * @throws DocumentException names the place of what cannot be read
   */
  public void add(String file, byte[] content) {
    for (KernelExport export : ExportsFile.read(file, content)) {
      byPath
          .computeIfAbsent(export.path(), _ -> new ArrayList<>())
          .add(
              new Seen(
                  export.place(),
                  clients.read(export),
                  OptionsReader.read(export.options()),
                  export.client().isEmpty() ? "*" : export.client()));
      if (byPath.size() > EXPORTS_MAX) {
        throw new DocumentException(
            export.pathPlace(), "expected at most " + EXPORTS_MAX + " exported directories");
      }
    }
  }

  /** Whether nothing is exported. */
  public boolean isEmpty() {
    return byPath.isEmpty();
  }

  /** The configuration. */
  public String text() {
    StringBuilder out =
        new StringBuilder(
            """
            # Made of what the kernel's NFS server exports. All keys: docs/gateway.md.
            listen: 0.0.0.0
            policy: %s
            targets:
              # One for each file system that has a disk of its own; "sluice calibrate DIRECTORY"
              # says what it can do.
              disk: {capacity: auto}
            exports:
            """
                .formatted(PolicyRegistry.OF_NEW_CONFIGURATIONS));
    byPath.forEach((path, seen) -> write(path, seen, out));
    return out.toString();
  }

  private void write(String path, List<Seen> seen, StringBuilder out) {
    Map<Settings, List<Network>> groups = groups(seen);
    List<Settings> order =
        groups.keySet().stream()
            .sorted(
                Comparator.comparingDouble(
                    (Settings s) -> -Networks.size(groups.getOrDefault(s, List.of()))))
            .toList();
    seen.stream().flatMap(one -> notes(one).stream()).forEach(note -> comment(note, out));
    warnOfWider(seen, out);
    if (order.isEmpty()) {
      comment("nobody but this machine, until you say which addresses may mount it:", out);
      Settings settings =
          seen.stream()
              .map(one -> one.options().settings())
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(new Settings(true, "root", Settings.NOBODY, Settings.NOBODY, true));
      writeExport(path, path, settings, List.of(Network.parse("127.0.0.1")), out);
      return;
    }
    writeExport(
        path, path, order.getFirst(), groups.getOrDefault(order.getFirst(), List.of()), out);
    Set<String> taken = byPath.keySet();
    int number = 1;
    for (Settings settings : order.subList(1, order.size())) {
      String other;
      do {
        number++;
        other = path + "." + number;
      } while (taken.contains(other));
      comment(
          "these clients mount %s, because an export has the same options for all its clients:"
              .formatted(other),
          out);
      writeExport(other, path, settings, groups.getOrDefault(settings, List.of()), out);
    }
  }

  /** Who gets what: each address once, with what the first that matches says. */
  private static Map<Settings, List<Network>> groups(List<Seen> seen) {
    List<Seen> inOrder =
        seen.stream().sorted(Comparator.comparing((Seen one) -> one.client().kind())).toList();
    Map<Settings, List<Network>> groups = new LinkedHashMap<>();
    List<Network> closed = new ArrayList<>();
    for (Seen one : inOrder) {
      Settings settings = one.options().settings();
      List<Network> open = open(one, closed, groups);
      if (settings == null) {
        // Who may not come in may not by way of a network around it either.
        closed.addAll(open);
      } else if (!open.isEmpty()) {
        groups.computeIfAbsent(settings, _ -> new ArrayList<>()).addAll(open);
      }
    }
    groups.replaceAll((_, networks) -> Networks.merged(networks));
    return groups;
  }

  /** The addresses of a client that nobody before it has with other options. */
  private static List<Network> open(
      Seen one, List<Network> closed, Map<Settings, List<Network>> groups) {
    try {
      List<Network> open = Networks.without(one.client().networks(), closed);
      for (Map.Entry<Settings, List<Network>> other : groups.entrySet()) {
        if (!other.getKey().equals(one.options().settings())) {
          open = Networks.without(open, other.getValue());
        }
      }
      return open;
    } catch (IllegalArgumentException e) {
      throw DocumentException.about(one.place(), one.text(), String.valueOf(e.getMessage()));
    }
  }

  private static List<String> notes(Seen one) {
    List<String> notes = new ArrayList<>();
    if (!one.client().note().isEmpty()) {
      notes.add(one.place() + ": " + one.client().note());
    }
    if (one.options().settings() == null) {
      notes.add(one.place() + ": " + one.text() + " is left out, because of");
    }
    one.options().notes().forEach(note -> notes.add(one.place() + ": " + note));
    return notes;
  }

  /** Clients without addresses fall under what is said of networks around them. */
  private static void warnOfWider(List<Seen> seen, StringBuilder out) {
    for (Seen one : seen) {
      boolean isLost = one.client().networks().isEmpty();
      boolean isAround =
          isLost
              && seen.stream()
                  .anyMatch(other ->
                      other.client().kind().compareTo(one.client().kind()) > 0
                          && !other.client().networks().isEmpty()
                          && !Objects.equals(other.options().settings(), one.options().settings()));
      if (isAround) {
        comment(
            "ATTENTION: %s: %s had options of its own, and now has those of the clients below"
                .formatted(one.place(), one.text()),
            out);
      }
    }
  }

  private static void comment(String text, StringBuilder out) {
    String line =
        text.chars()
            .mapToObj(c -> Character.isISOControl(c) ? "?" : Character.toString(c))
            .collect(Collectors.joining());
    out.append(INDENT).append("# ").append(line).append('\n');
  }

  private static void writeExport(
      String path, String directory, Settings settings, List<Network> clients, StringBuilder out) {
    out.append(INDENT).append(quoted(path)).append(":\n");
    key("directory", quoted(directory), out);
    if (settings.readOnly()) {
      key("read-only", "true", out);
    }
    key("squash", settings.squash(), out);
    if (settings.hasAnonymous()) {
      key(
          "anonymous",
          "{uid: " + settings.anonymousUid() + ", gid: " + settings.anonymousGid() + "}",
          out);
    }
    if (!settings.privilegedPorts()) {
      key("privileged-ports", "false", out);
    }
    key(
        "clients",
        clients.stream()
            .map(network -> network.prefixBits() == 0 ? "\"::/0\"" : "\"" + network + "\"")
            .collect(Collectors.joining(", ", "[", "]")),
        out);
  }

  private static void key(String name, String value, StringBuilder out) {
    out.append(INDENT).append(INDENT).append(name).append(": ").append(value).append('\n');
  }

  /** As YAML reads it, whatever is in it. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(letter -> {
          if (letter == '"' || letter == '\\') {
            quoted.append('\\').appendCodePoint(letter);
          } else if (letter < ' ' || letter == 0x7f || letter > 0xffff) {
            quoted.append("\\U%08x".formatted(letter));
          } else if (letter > 0x7f) {
            quoted.append("\\u%04x".formatted(letter));
          } else {
            quoted.appendCodePoint(letter);
          }
        });
    return quoted.append('"').toString();
  }
}
