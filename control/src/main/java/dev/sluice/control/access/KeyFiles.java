package dev.sluice.control.access;

import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.SecretToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a directory of keys means for connections. */
public final class KeyFiles {
  /** Under this name the controller has its certificate. */
  public static final String CONTROLLER = "controller";

  private KeyFiles() {}

  /** The keys of somebody with this name; null where there is no directory. */
  public static @Nullable TlsFiles of(@Nullable Path directory, String name) {
    if (directory == null) {
      return null;
    }
    KeyDirectory keys = new KeyDirectory(directory);
    return new TlsFiles(keys.certificate(name), keys.key(name), keys.authority());
  }

  /** The secret in a file that nobody else can read; null without a file. */
  public static @Nullable String token(@Nullable Path file) throws IOException {
    return file == null ? null : SecretToken.in(file).reveal();
  }

  /**
   * Knows members by their certificates and tokens; without a directory everybody is who he says,
   * which is for loopback. A directory without a list of tokens knows certificates alone.
   */
  public static MemberAuthenticator authenticator(@Nullable Path directory) {
    return authenticator(directory, null);
  }

  /**
   * Knows the agents that an aggregator stands for: where the list beside its keys says which nodes
   * are its own, no others.
   */
  public static MemberAuthenticator ofAggregator(@Nullable Path directory, String aggregator) {
    return authenticator(directory, aggregator);
  }

  private static MemberAuthenticator authenticator(
      @Nullable Path directory, @Nullable String aggregator) {
    if (directory == null) {
      return MemberAuthenticator.TRUSTING;
    }
    Path list = new KeyDirectory(directory).accessFile();
    if (!Files.exists(list)) {
      return KeyFiles::byCertificate;
    }
    AccessFile access = new AccessFile(list);
    return new MemberAuthenticator() {
      @Override
      public Identity identify(Credentials offered) {
        String claimed = offered.claimedName();
        Set<String> own =
            aggregator == null ? Set.of() : access.current().mandate(aggregator).nodes();
        if (!own.isEmpty() && !own.contains(claimed)) {
          return new Identity.Unknown(claimed + " is not one of the nodes of " + aggregator);
        }
        return switch (access.node(claimed, offered.certificateNames(), offered.token())) {
          case AccessFile.Verdict.Node(var name, var mandate) -> new Identity.Known(name, mandate);
          case AccessFile.Verdict.Refused(var reason) -> new Identity.Unknown(reason);
        };
      }

      @Override
      public Set<String> revoked() {
        return access.current().revoked();
      }
    };
  }

  private static Identity byCertificate(Credentials offered) {
    return offered.certificateNames().contains(offered.claimedName())
        ? new Identity.Known(offered.claimedName(), Mandate.AGENT)
        : new Identity.Unknown("its certificate is not for " + offered.claimedName());
  }
}
