package dev.sluice.store.keys;

import dev.sluice.access.Access;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.document.DocumentException;
import dev.sluice.document.FileWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
  private final FileWatch watch;
  private AccessList list;
  private long nextLookNanos;

  /** Reads the file; one that is not as it should be is refused. */
  public AccessFile(Path file) {
    this.file = file;
    this.watch = new FileWatch(file);
    this.list = read(file);
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
  public synchronized AccessList current() {
    long now = System.nanoTime();
    if (now - nextLookNanos >= 0) {
      nextLookNanos = now + LOOK_NANOS;
      if (watch.changed()) {
        try {
          list = read(file);
        } catch (KeyException | DocumentException e) {
          LOG.log(
              System.Logger.Level.WARNING, "what was known of tokens stays: {0}", e.getMessage());
        }
      }
    }
    return list;
  }

  @Override
  public Optional<Caller> caller(@Nullable String token, boolean fromThisMachine) {
    if (token == null) {
      return fromThisMachine ? Optional.of(VISITOR) : Optional.empty();
    }
    return current()
        .holder(SecretToken.shown(token))
        .flatMap(holder ->
            Optional.ofNullable(holder.role()).map(role -> new Caller(holder.name(), role)));
  }

  /** What somebody who says that he is a node turned out to be. */
  public sealed interface Verdict {
    /** This one, and no other, who may be this. */
    record Node(String name, Mandate mandate) implements Verdict {}

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
    AccessList known = current();
    if (known.revoked().contains(claimedName)) {
      return new Verdict.Refused(claimedName + " was revoked");
    }
    if (!certificateNames.isEmpty()) {
      return certificateNames.contains(claimedName)
          ? new Verdict.Node(claimedName, known.mandate(claimedName))
          : new Verdict.Refused(
              "its certificate is for "
                  + String.join(", ", certificateNames)
                  + ", and it says that it is "
                  + claimedName);
    }
    if (token == null) {
      return new Verdict.Refused("it shows neither a certificate nor a token");
    }
    Optional<AccessList.Holder> holder = known.holder(SecretToken.shown(token));
    if (holder.isEmpty() || holder.get().role() != null) {
      return new Verdict.Refused("nobody knows its token as that of a node");
    }
    return holder.get().name().equals(claimedName)
        ? new Verdict.Node(claimedName, known.mandate(claimedName))
        : new Verdict.Refused(
            "its token is that of "
                + holder.get().name()
                + ", and it says that it is "
                + claimedName);
  }
}
