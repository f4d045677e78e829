package dev.sluice.gateway.config;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether NFS version 4.1 and 4.2 are served beside version 3, and how.
 *
 * @param domain what stands behind the names of users and groups; null where numbers are told
 * @param lease how long a client may be silent, and how long after a restart others wait for those
 *     who were there before
 */
public record Nfs4Choice(boolean isServed, @Nullable String domain, Duration lease) {
  static final Duration LEASE = Duration.ofSeconds(45);
  private static final Duration LEASE_MIN = Duration.ofSeconds(10);
  private static final Duration LEASE_MAX = Duration.ofMinutes(10);
  private static final String DOMAIN = "[A-Za-z0-9][A-Za-z0-9.-]{0,62}";

  /** Reads what a configuration says: yes, which is also meant by nothing and by how, or no. */
  static Nfs4Choice read(@Nullable DocumentNode node) {
    if (node == null) {
      return new Nfs4Choice(true, null, LEASE);
    }
    if (!node.isMap()) {
      return new Nfs4Choice(node.bool(), null, LEASE);
    }
    DocumentMap how = node.map("domain", "lease");
    DocumentNode domain = how.optional("domain");
    DocumentNode lease = how.optional("lease");
    return new Nfs4Choice(
        true,
        domain == null ? null : domain(domain),
        lease == null
            ? LEASE
            : Duration.ofNanos(lease.durationNanos(LEASE_MIN.toNanos(), LEASE_MAX.toNanos())));
  }

  private static String domain(DocumentNode node) {
    String text = node.text();
    if (!text.matches(DOMAIN)) {
      throw node.error(
          "expected a domain of at most 63 letters, digits, dots and dashes, such as example.org,"
              + " the same as in the clients' idmapd.conf");
    }
    return text;
  }
}
