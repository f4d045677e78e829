package dev.sluice.web.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where and how a server listens.
 *
 * @param listen port 0 stands for any free one
 * @param names under which it may be asked for, besides {@code localhost} and addresses
 * @param tls null where it speaks plain HTTP
 * @param writePatience how long a client may take to accept what is sent to it
 */
public record HttpSettings(
    InetSocketAddress listen, Set<String> names, @Nullable SSLContext tls, Duration writePatience) {
  /** Longer than any network that somebody would look at a live page over. */
  public static final Duration WRITE_PATIENCE = Duration.ofSeconds(20);

  public HttpSettings {
    names = Set.copyOf(names);
  }
}
