package dev.sluice.store.keys;

import dev.sluice.access.Access;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what, by a file of digests that is read again when it changes: a token that is made or
 * revoked counts within two seconds. A file that cannot be read changes nothing. Safe for use by
 * many threads.
 */
public final class AccessFile implements Access {
  private static final System.Logger LOG = System.getLogger(AccessFile.class.getName());
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** Whoever is on the same machine may look. */
  private static final Caller VISITOR = new Caller("a visitor on this machine", Role.READ);

  private final Path file;
  private final InstantSource clock;
  private final FileWatch watch;
  private Known known;
  private long nextLookNanos;

  /** A list, who is in it by name, and how many were read before it. */
  private record Known(AccessList list, Map<String, List<AccessList.Holder>> byName, long version) {
    static Known of(AccessList list, long version) {
      Map<String, List<AccessList.Holder>> byName = new HashMap<>();
      list.holders()
          .forEach(
              holder -> byName.computeIfAbsent(holder.name(), _ -> new ArrayList<>(1)).add(holder));
      return new Known(list, byName, version);
    }
  }

  /** Reads the file; one that is not as it should be is refused. */
  public AccessFile(Path file) {
    this(file, InstantSource.system());
  }

  AccessFile(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.watch = new FileWatch(file);
    this.known = Known.of(read(file), 1);
    this.nextLookNanos = System.nanoTime() + LOOK_NANOS;
  }

  private static AccessList read(Path file) {
    try {
      PrivateFiles.requirePrivate(file);
      return AccessList.read(file);
    } catch (IOException e) {
      throw new KeyException(
          file + ": cannot be read: " + e.getMessage() + "; ./sluice keys init makes one", e);
    }
  }

  /** The list as it is now. */
  public AccessList current() {
    return known().list;
  }

  /** Goes up whenever the list is another; answers may then be others, too. */
  public long version() {
    return known().version;
  }

  private synchronized Known known() {
    long now = System.nanoTime();
    if (now - nextLookNanos >= 0) {
      nextLookNanos = now + LOOK_NANOS;
      if (watch.changed()) {
        try {
          known = Known.of(read(file), known.version + 1);
        } catch (KeyException | DocumentException e) {
          LOG.log(
              System.Logger.Level.WARNING, "what was known of tokens stays: {0}", e.getMessage());
        }
      }
    }
    return known;
  }

  @Override
  public Optional<Caller> caller(@Nullable String token, boolean fromThisMachine) {
    if (token == null) {
      return fromThisMachine ? Optional.of(VISITOR) : Optional.empty();
    }
    return current()
        .holder(SecretToken.shown(token))
        .filter(holder -> !holder.isOver(clock.instant()))
        .flatMap(holder ->
            Optional.ofNullable(holder.role()).map(role -> new Caller(holder.name(), role)));
  }

  @Override
  public @Nullable String refusal(String token) {
    return current()
        .holder(SecretToken.shown(token))
        .filter(holder -> holder.isOver(clock.instant()))
        .map(holder -> "the token of " + holder.name() + ended(holder))
        .orElse(null);
  }

  private static String ended(AccessList.Holder holder) {
    return " ended at " + holder.until() + "; ./sluice keys makes a new one";
  }

  /** What somebody who says that he is a node turned out to be. */
  public sealed interface Verdict {
    /**
     * This one, and no other, who may be this.
     *
     * @param until when what he has shown ends; null where it does not
     */
    record Node(String name, Mandate mandate, @Nullable Instant until) implements Verdict {}

    /** Nobody we know, or somebody who claims to be another. */
    record Refused(String reason) implements Verdict {}
  }

  /**
   * Whether somebody is the node that he says he is.
   *
   * @param certificateNames the names in a certificate that our authority has signed; none without
   * @param token null where none was shown
   */
  public Verdict node(String claimedName, List<String> certificateNames, @Nullable String token) {
    Known now = known();
    if (now.list.revoked().contains(claimedName)) {
      return new Verdict.Refused(claimedName + " was revoked");
    }
    Mandate mandate = now.list.mandate(claimedName);
    if (!certificateNames.isEmpty()) {
      return certificateNames.contains(claimedName)
          ? new Verdict.Node(claimedName, mandate, null)
          : new Verdict.Refused(
              "its certificate is for "
                  + String.join(", ", certificateNames)
                  + ", and it says that it is "
                  + claimedName);
    }
    if (token == null) {
      return new Verdict.Refused("it shows neither a certificate nor a token");
    }
    SecretToken.Digest shown = SecretToken.shown(token).digest();
    AccessList.Holder its = null;
    for (AccessList.Holder holder : now.byName.getOrDefault(claimedName, List.of())) {
      its = holder.role() == null && holder.digest().matches(shown) ? holder : its;
    }
    if (its == null) {
      return new Verdict.Refused(strange(claimedName, token, now.list));
    }
    return its.isOver(clock.instant())
        ? new Verdict.Refused("its token" + ended(its))
        : new Verdict.Node(claimedName, mandate, its.until());
  }

  private static String strange(String claimedName, String token, AccessList list) {
    Optional<AccessList.Holder> holder = list.holder(SecretToken.shown(token));
    return holder.isEmpty() || holder.get().role() != null
        ? "nobody knows its token as that of a node"
        : "its token is that of " + holder.get().name() + ", and it says that it is " + claimedName;
  }
}
