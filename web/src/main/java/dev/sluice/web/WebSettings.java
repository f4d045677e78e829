package dev.sluice.web;

import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.web.server.PemFiles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator says about the dashboard; docs/dashboard.md describes it.
 *
 * @param insists whether it must be this address; else any free port of it does where it is taken
 * @param names under which browsers may ask for it, besides {@code localhost} and addresses
 * @param tokens the file that says who may do what; null when there is none
 * @param tls null for plain HTTP
 */
public record WebSettings(
    InetSocketAddress listen,
    boolean insists,
    Set<String> names,
    @Nullable Path tokens,
    @Nullable PemFiles tls) {
  public static final int PORT = 8080;

  private static final String OFF = "off";
  private static final int PORT_MAX = 65_535;

  /** Where it is unless somebody says otherwise. */
  public static final WebSettings STANDARD =
      new WebSettings(
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), PORT),
          false,
          Set.of(),
          null,
          null);

  public WebSettings {
    names = Set.copyOf(names);
  }

  /** On any free port of loopback, as tests and demonstrations want it. */
  public static WebSettings anywhere() {
    return new WebSettings(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), true, Set.of(), null, null);
  }

  /**
   * Reads the value of {@code dashboard}: {@code off}, an address, or a mapping.
   *
   * @param node null where nothing is said
   * @param directory where files are that are named without a slash in front
   * @return null where there is to be no dashboard
   */
  public static @Nullable WebSettings read(@Nullable DocumentNode node, Path directory) {
    if (node == null) {
      return STANDARD;
    }
    if (!node.isMap()) {
      return node.text().equals(OFF)
          ? null
          : checked(
              node, new WebSettings(node.parsed(WebSettings::address), true, Set.of(), null, null));
    }
    DocumentMap map = node.map("listen", "names", "tokens", "tls");
    DocumentNode listen = map.optional("listen");
    Set<String> names = new LinkedHashSet<>();
    DocumentNode given = map.optional("names");
    if (given != null) {
      given.list().forEach(name -> names.add(name.text()));
    }
    DocumentNode tokens = map.optional("tokens");
    DocumentNode tls = map.optional("tls");
    return checked(
        node,
        new WebSettings(
            listen == null ? STANDARD.listen() : listen.parsed(WebSettings::address),
            listen != null,
            names,
            tokens == null ? null : path(tokens, directory),
            tls == null ? null : pemFiles(tls.map("certificate", "key"), directory)));
  }

  /** A token must not be heard by whoever listens on the network. */
  private static WebSettings checked(DocumentNode node, WebSettings settings) {
    if (!settings.listen.getAddress().isLoopbackAddress() && settings.tls == null) {
      throw node.error(
          "expected tls with a certificate and a key, because other machines can reach this"
              + " address; or 127.0.0.1 and a proxy in front of it");
    }
    return settings;
  }

  private static PemFiles pemFiles(DocumentMap map, Path directory) {
    return new PemFiles(
        path(map.required("certificate"), directory), path(map.required("key"), directory));
  }

  private static Path path(DocumentNode node, Path directory) throws DocumentException {
    try {
      return directory.resolve(node.text()).normalize();
    } catch (InvalidPathException e) {
      throw node.error("expected a path");
    }
  }

  /** Never asks a name service. */
  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    String complaint = "expected off, or an address and a port such as 127.0.0.1:" + PORT;
    if (colon < 0) {
      throw new IllegalArgumentException(complaint);
    }
    try {
      String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port < 0 || port > PORT_MAX) {
        throw new IllegalArgumentException(complaint);
      }
      return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(complaint, e);
    }
  }
}
