package dev.sluice.store.keys;

import dev.sluice.access.Role;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which token, who is more than the agent of a node, and who may do nothing any more. It
 * has no secrets, only their digests. Immutable.
 *
 * @param assigned by name, whoever signed the certificate or made the token
 * @param revoked names whose certificates and tokens are refused, whoever signed them
 */
public record AccessList(
    List<Holder> holders, SortedMap<String, Assignment> assigned, Set<String> revoked) {
  /** Nobody. */
  public static final AccessList EMPTY =
      new AccessList(List.of(), Collections.emptySortedMap(), Set.of());

  /** A node each, and all who look after them. */
  private static final int HOLDERS_MAX = 100_000;

  public AccessList {
    holders = List.copyOf(holders);
    assigned = Collections.unmodifiableSortedMap(new TreeMap<>(assigned));
    revoked = Set.copyOf(revoked);
  }

  /** What somebody was said to be. */
  public sealed interface Assignment {
    /**
     * A gateway.
     *
     * @param targets null where nobody said which it has
     */
    record Gateway(@Nullable TargetNames targets) implements Assignment {}

    /** An aggregator of these nodes. */
    record Aggregator(NodeNames nodes) implements Assignment {}

    default Mandate mandate() {
      return switch (this) {
        case Gateway(var targets) ->
            targets == null ? Mandate.GATEWAY : Mandate.gatewayWith(targets);
        case Aggregator(var nodes) -> Mandate.aggregatorOf(nodes);
      };
    }

    /** For people: {@code aggregator of n[001-040]}. */
    default String words() {
      return switch (this) {
        case Gateway(var targets) -> targets == null ? "gateway" : "gateway with " + targets.text();
        case Aggregator(var nodes) -> "aggregator of " + nodes.text();
      };
    }
  }

  /** What whoever has a key with this name may be. */
  public Mandate mandate(String name) {
    Assignment assignment = assigned.get(name);
    return assignment == null ? Mandate.AGENT : assignment.mandate();
  }

  /**
   * Somebody who holds a token.
   *
   * @param role what a person may do; null for a node, which may speak for itself and nothing else
   * @param until when the token ends; null for one that does not end by itself
   */
  public record Holder(
      String name,
      @Nullable Role role,
      SecretToken.Digest digest,
      LocalDate since,
      @Nullable Instant until) {
    /** Whether the token has ended. */
    public boolean isOver(Instant now) {
      return until != null && !now.isBefore(until);
    }

    /** The digest of the token, in hexadecimal digits. */
    public String digestHex() {
      return digest.hex();
    }

    /** {@code node} or the role. */
    public String kind() {
      return role == null ? NODE : role.name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String NODE = "node";
  private static final String GATEWAY = "gateway";
  private static final String AGGREGATOR = "aggregator";

  /** Who holds this token. Takes the same time whoever it is, and if it is nobody. */
  public Optional<Holder> holder(SecretToken token) {
    SecretToken.Digest shown = token.digest();
    Holder found = null;
    for (Holder holder : holders) {
      if (holder.digest().matches(shown)) {
        found = holder;
      }
    }
    return Optional.ofNullable(found).filter(holder -> !revoked.contains(holder.name()));
  }

  /**
   * This list, with a holder in the place of whoever had the same name. A token that ends by itself
   * counts on until then, the last of them, so that it can be renewed before everybody has the new
   * one; a person's role is the new one's at once.
   */
  AccessList with(Holder holder, Instant now) {
    List<Holder> more = new ArrayList<>();
    Holder before = null;
    for (Holder other : holders) {
      if (!other.name().equals(holder.name())) {
        more.add(other);
      } else if (other.until() != null && !other.isOver(now)) {
        before = other;
      }
    }
    if (before != null && holder.until() != null) {
      more.add(
          new Holder(
              before.name(), holder.role(), before.digest(), before.since(), before.until()));
    }
    more.add(holder);
    return new AccessList(more, assigned, revoked);
  }

  /** This list, in which somebody is this; null for the agent of a node. */
  AccessList with(String name, @Nullable Assignment assignment) {
    SortedMap<String, Assignment> more = new TreeMap<>(assigned);
    if (assignment == null) {
      more.remove(name);
    } else {
      more.put(name, assignment);
    }
    return new AccessList(holders, more, revoked);
  }

  /** This list, with somebody who may do nothing any more. */
  AccessList without(String name) {
    Set<String> more = new TreeSet<>(revoked);
    more.add(name);
    List<Holder> fewer = new ArrayList<>(holders);
    fewer.removeIf(holder -> holder.name().equals(name));
    return new AccessList(fewer, assigned, more);
  }

  static AccessList read(Path file) {
    DocumentMap map =
        Documents.read(file.toString(), InputStream.nullInputStream())
            .map("holders", "members", "revoked");
    List<Holder> holders = new ArrayList<>();
    DocumentNode list = map.required("holders");
    for (DocumentNode item : list.list()) {
      holders.add(holder(item.map("name", "kind", "sha256", "since", "until")));
    }
    if (holders.size() > HOLDERS_MAX) {
      throw list.error("expected at most " + HOLDERS_MAX + " holders");
    }
    Set<String> revoked = new TreeSet<>();
    map.required("revoked").list().forEach(name -> revoked.add(name.text()));
    return new AccessList(holders, members(map.optional("members")), revoked);
  }

  private static SortedMap<String, Assignment> members(@Nullable DocumentNode list) {
    SortedMap<String, Assignment> assigned = new TreeMap<>();
    // Earlier versions knew nobody but agents.
    for (DocumentNode item : list == null ? List.<DocumentNode>of() : list.list()) {
      DocumentMap map = item.map("name", "kind", "nodes", "targets");
      DocumentNode targets = map.optional("targets");
      DocumentNode name = map.required("name");
      boolean gateway = map.required("kind").oneOf(List.of(GATEWAY, AGGREGATOR)).equals(GATEWAY);
      Assignment assignment =
          gateway
              ? new Assignment.Gateway(targets == null ? null : targets.parsed(TargetNames::parse))
              : new Assignment.Aggregator(map.required("nodes").parsed(NodeNames::parse));
      if (assigned.put(name.parsed(AccessList::checkedName), assignment) != null) {
        throw name.error("expected a name that is not there twice");
      }
    }
    return assigned;
  }

  private static Holder holder(DocumentMap map) {
    List<String> kinds = new ArrayList<>(roleNames());
    kinds.add(NODE);
    String kind = map.required("kind").oneOf(kinds);
    DocumentNode until = map.optional("until");
    return new Holder(
        map.required("name").parsed(AccessList::checkedName),
        kind.equals(NODE) ? null : role(kind),
        map.required("sha256").parsed(SecretToken.Digest::parse),
        map.required("since").parsed(AccessList::date),
        until == null ? null : until.parsed(AccessList::instant));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("expected a time such as 2026-11-16T20:00:00Z", e);
    }
  }

  private static LocalDate date(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("expected a date such as 2026-11-16", e);
    }
  }

  /** The roles, as people write them. */
  public static List<String> roleNames() {
    return Arrays.stream(Role.values()).map(role -> role.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** The role with this name, which is one of {@link #roleNames}. */
  public static Role role(String name) {
    return Role.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * A name that can be in a certificate, in the name of a file and in a log.
   *
   * @throws IllegalArgumentException for any other, with what was expected
   */
  public static String checkedName(String name) {
    if (!name.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?")) {
      throw new IllegalArgumentException(
          "expected a name of 1 to 63 letters, digits, dots and hyphens");
    }
    return name;
  }

  /** The list as {@link #read} understands it. */
  String text() {
    StringBuilder text =
        new StringBuilder("# Written by ./sluice keys. The tokens themselves are not in it.\n");
    text.append(holders.isEmpty() ? "holders: []\n" : "holders:\n");
    for (Holder holder : holders) {
      text.append("  - {name: \"").append(holder.name());
      text.append("\", kind: ").append(holder.kind());
      text.append(", since: ").append(holder.since());
      if (holder.until() != null) {
        text.append(", until: \"").append(holder.until()).append('"');
      }
      text.append(", sha256: \"").append(holder.digest().hex()).append("\"}\n");
    }
    if (!assigned.isEmpty()) {
      text.append("members:\n");
    }
    assigned.forEach((name, assignment) -> {
      text.append("  - {name: \"").append(name).append("\", kind: ");
      text.append(
          switch (assignment) {
            case Assignment.Gateway(var targets) ->
                GATEWAY + (targets == null ? "" : ", targets: \"" + targets.text() + '"');
            case Assignment.Aggregator(var nodes) ->
                AGGREGATOR + ", nodes: \"" + nodes.text() + '"';
          });
      text.append("}\n");
    });
    text.append("revoked: [").append(quoted(revoked)).append("]\n");
    return text.toString();
  }

  private static String quoted(Collection<String> names) {
    return String.join(", ", names.stream().sorted().map(name -> '"' + name + '"').toList());
  }
}
