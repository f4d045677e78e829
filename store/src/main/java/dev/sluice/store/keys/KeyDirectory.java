package dev.sluice.store.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A working set of keys in a directory: an authority of our own, a certificate for the controller,
 * one for each node, and the list of tokens. Only its owner can enter it; what is secret is in
 * files that only he can read.
 */
public final class KeyDirectory {
  /** What {@code keys init} names the controller's certificate. */
  public static final String CONTROLLER = "controller";

  private static final int AUTHORITY_DAYS = 3_650;
  private static final int CERTIFICATE_DAYS = 825;
  private static final String AUTHORITY = "authority";
  private static final String AUTHORITY_NAME = "Sluice authority";

  /** How a certificate marks the name of a host among its alternative names. */
  private static final Integer DNS_NAME = 2;

  private final Path directory;

  public KeyDirectory(Path directory) {
    this.directory = directory;
  }

  public Path directory() {
    return directory;
  }

  /** The certificate of the authority, which everybody needs who is to trust the others. */
  public Path authority() {
    return certificate(AUTHORITY);
  }

  private Path authorityKey() {
    return key(AUTHORITY);
  }

  /** Who holds which token. */
  public Path accessFile() {
    return directory.resolve("access.yaml");
  }

  /** The certificate of the controller or of a node. */
  public Path certificate(String name) {
    return directory.resolve(name + ".crt");
  }

  /** The key that goes with a certificate. */
  public Path key(String name) {
    return directory.resolve(name + ".key");
  }

  public boolean exists() {
    return Files.exists(authority());
  }

  /**
   * Makes an authority, the controller's certificate, and an empty list of tokens.
   *
   * @param hosts under which the controller can be called besides {@code localhost}: names and
   *     addresses
   */
  public void make(List<String> hosts) {
    if (exists()) {
      throw new KeyException(
          authority() + ": there is an authority already; expected another directory", null);
    }
    hosts.forEach(KeyDirectory::alternative);
    Keytool.KeyAndCertificate authority = Keytool.makeAuthority(AUTHORITY_NAME, AUTHORITY_DAYS);
    try {
      PrivateFiles.makeDirectory(directory);
      PrivateFiles.write(authorityKey(), Pem.text(authority.key()), true);
      PrivateFiles.write(accessFile(), AccessList.EMPTY.text(), true);
      sign(authority, CONTROLLER, hosts);
      // Last, because it says that all the rest is there.
      PrivateFiles.write(authority(), Pem.text(authority.certificate()), false);
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException(directory + ": cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Goes by an authority of the site's own: its certificate is copied, and an empty list of tokens
   * made. Whoever keeps that authority makes the certificates.
   *
   * @param certificates a file with the certificate of the authority, or of several
   */
  public void makeFor(Path certificates) {
    if (exists()) {
      throw new KeyException(
          authority() + ": there is an authority already; expected another directory", null);
    }
    try {
      String text = Files.readString(certificates);
      Pem.certificates(text);
      PrivateFiles.makeDirectory(directory);
      PrivateFiles.write(accessFile(), AccessList.EMPTY.text(), true);
      PrivateFiles.write(authority(), text, false);
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException(
          certificates + ": expected the certificate of an authority in PEM: " + e.getMessage(), e);
    }
  }

  private void sign(Keytool.KeyAndCertificate authority, String name, List<String> hosts)
      throws IOException, GeneralSecurityException {
    List<String> alternatives = new ArrayList<>(List.of("dns:" + name));
    hosts.stream().map(KeyDirectory::alternative).forEach(alternatives::add);
    if (name.equals(CONTROLLER)) {
      alternatives.addAll(List.of("dns:localhost", "ip:127.0.0.1", "ip:::1"));
    }
    Keytool.KeyAndCertificate made = Keytool.sign(authority, name, alternatives, CERTIFICATE_DAYS);
    PrivateFiles.write(key(name), Pem.text(made.key()), true);
    PrivateFiles.write(certificate(name), Pem.text(made.certificate()), false);
  }

  private static String alternative(String host) {
    if (host.matches("[0-9.]+") || host.contains(":")) {
      if (!host.matches("(\\d{1,3}\\.){3}\\d{1,3}|[0-9A-Fa-f:]+")) {
        throw new IllegalArgumentException(
            "\"" + host + "\": expected a name or an address such as 10.1.0.3");
      }
      return "ip:" + host;
    }
    try {
      return "dns:" + AccessList.checkedName(host);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + host + "\": " + e.getMessage(), e);
    }
  }

  /**
   * Makes a certificate for a node, an aggregator or a gateway; one that is there is replaced.
   *
   * @param hosts under which it can be called besides its name
   */
  public void addNode(String name, List<String> hosts) {
    requireName(name);
    hosts.forEach(KeyDirectory::alternative);
    if (name.equals(CONTROLLER) || name.equals(AUTHORITY)) {
      throw new IllegalArgumentException("\"" + name + "\": expected a name that no node has yet");
    }
    try {
      if (list().revoked().contains(name)) {
        throw new KeyException(
            name + " was revoked, and its old certificate would count again; expected another name",
            null);
      }
      PrivateFiles.requirePrivate(authorityKey());
      Keytool.KeyAndCertificate authority =
          new Keytool.KeyAndCertificate(
              Pem.key(Files.readString(authorityKey())),
              Pem.certificate(Files.readString(authority())));
      sign(authority, name, hosts);
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(e);
    }
  }

  /**
   * Makes a token, whose digest goes into the list in the place of one of the same name. Where both
   * end by themselves, the one before counts beside it until then.
   *
   * @param role what a person may do, one of {@link AccessList#roleNames}; null for a node
   * @param lifetime null for one that does not end
   * @return the token, which is nowhere else
   */
  public SecretToken addToken(
      String name, @Nullable String role, @Nullable Duration lifetime, Instant now) {
    requireName(name);
    AccessList list = list();
    if (list.revoked().contains(name)) {
      throw new KeyException(name + " was revoked; expected another name", null);
    }
    SecretToken token = SecretToken.random();
    write(
        list.with(
            new AccessList.Holder(
                name,
                role == null ? null : AccessList.role(role),
                token.digest(),
                LocalDate.ofInstant(now, ZoneOffset.UTC),
                lifetime == null ? null : now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS)),
            now));
    return token;
  }

  /**
   * Says what whoever has a key with this name may be, whoever made the key.
   *
   * @param assignment null for the agent of a node
   */
  public void assign(String name, AccessList.@Nullable Assignment assignment) {
    requireName(name);
    write(list().with(name, assignment));
  }

  /** Has tokens and certificates of this name refused from now on, for good. */
  public void revoke(String name) {
    requireName(name);
    AccessList list = list();
    // Whom an authority of the site's own has given a certificate, nobody knows here.
    boolean known =
        !Files.exists(authorityKey())
            || Files.exists(certificate(name))
            || list.holders().stream().anyMatch(holder -> holder.name().equals(name));
    if (!known) {
      throw new IllegalArgumentException(
          "\"" + name + "\": expected the name of a node or of the holder of a token");
    }
    write(list.without(name));
  }

  private static void requireName(String name) {
    try {
      AccessList.checkedName(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + name + "\": " + e.getMessage(), e);
    }
  }

  /** Who holds which token. */
  public AccessList list() {
    return new AccessFile(accessFile()).current();
  }

  /** The names of hosts that are in a certificate. */
  public List<String> hostNames(String name) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives =
          Pem.certificate(Files.readString(certificate(name))).getSubjectAlternativeNames();
      for (List<?> alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
        if (alternative.getFirst().equals(DNS_NAME)) {
          names.add(alternative.get(1).toString());
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw unusable(e);
    }
    return names;
  }

  /** The names of those that have certificates. */
  public List<String> certificates() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(file -> file.endsWith(".crt") && !file.equals(AUTHORITY + ".crt"))
          .map(file -> file.substring(0, file.length() - ".crt".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private void write(AccessList list) {
    try {
      PrivateFiles.write(accessFile(), list.text(), true);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private KeyException unusable(Exception e) {
    return new KeyException(
        directory + ": " + e.getMessage() + "; ./sluice keys init makes a directory of keys", e);
  }
}
