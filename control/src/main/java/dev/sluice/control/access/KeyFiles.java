package dev.sluice.control.access;

import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.SecretToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    if (directory == null) {
      return MemberAuthenticator.TRUSTING;
    }
    AccessFile list = list(directory);
    return list == null ? KeyFiles::byCertificate : new ListedMembers(list);
  }

  /**
   * Knows the agents that an aggregator stands for: those whom its controller has told it of, and
   * where a list is beside its keys, those in the list.
   */
  public static ToldNodes ofAggregator(@Nullable Path directory, String aggregator) {
    if (directory == null) {
      return new ToldNodes(aggregator, MemberAuthenticator.TRUSTING);
    }
    AccessFile list = list(directory);
    return new ToldNodes(
        aggregator, list == null ? KeyFiles::byCertificate : new ListedMembers(list));
  }

  private static @Nullable AccessFile list(Path directory) {
    Path list = new KeyDirectory(directory).accessFile();
    return Files.exists(list) ? new AccessFile(list) : null;
  }

  private static Identity byCertificate(Credentials offered) {
    return offered.certificateNames().contains(offered.claimedName())
        ? new Identity.Known(offered.claimedName(), Mandate.AGENT, null)
        : new Identity.Unknown("its certificate is not for " + offered.claimedName());
  }
}
