package dev.sluice.control.server;

import dev.sluice.access.Refusals;
import dev.sluice.control.access.Credentials;
import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.access.ShownCertificate;
import dev.sluice.control.access.TlsFiles;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.wire.ExchangeMethod;
import dev.sluice.control.wire.Received;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.document.FileWatch;
import dev.sluice.store.keys.KeyException;
import dev.sluice.store.keys.TlsContexts;
import dev.sluice.web.server.PemFiles;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Where members call: one call each, whose messages are handed to a desk on the loop's thread. Off
 * loopback it insists on TLS.
 */
public final class MemberServer implements AutoCloseable {
  /** How a member sends its token: {@code authorization: Bearer …}. */
  public static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  public static final String BEARER = "Bearer ";

  private static final System.Logger LOG = System.getLogger(MemberServer.class.getName());
  private static final int HEADERS_BYTES_MAX = 8 << 10;
  private static final int CALLS_PER_CONNECTION_MAX = 4;
  private static final int BACKLOG = 8_192;

  private static final long LOOK_AGAIN_NANOS = 1_000_000_000L;

  /** Members ask whether we live, at most this often. */
  private static final long PINGS_SECONDS_MIN = 2;

  private final NettyLoop loop;
  private final MemberAuthenticator authenticator;
  private final Refusals refusals;
  private final MemberDesk desk;
  private final Server server;

  /** All that are open; of the loop's thread. */
  private final Set<MemberCall> calls = new HashSet<>();

  /** Where the certificate of the authority is; null where nobody shows any. */
  private final @Nullable Path authorityFile;

  private final @Nullable FileWatch authorityWatch;
  private @Nullable X509TrustManager authority;

  /** What the authenticator knew when all were looked at. */
  private long versionSeen;

  private Loop.@Nullable Timer timer;

  /**
   * Listens.
   *
   * @param tls null on loopback alone
   * @param refusals where those are noted down who are not let in, or are sent away
   */
  public MemberServer(
      InetSocketAddress address,
      @Nullable TlsFiles tls,
      MemberAuthenticator authenticator,
      Refusals refusals,
      MemberDesk desk,
      NettyLoop loop)
      throws IOException {
    if (tls == null && !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "listen "
              + address.getAddress().getHostAddress()
              + ": whoever listens to other machines needs tls with certificate, key and"
              + " authority; ./sluice keys init makes them");
    }
    this.loop = loop;
    this.authenticator = authenticator;
    this.refusals = refusals;
    this.authorityFile = tls == null ? null : tls.authority();
    this.authorityWatch = authorityFile == null ? null : new FileWatch(authorityFile);
    this.authority = authorityFile == null ? null : TlsContexts.trustManager(authorityFile);
    this.versionSeen = authenticator.version();
    this.desk = desk;
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(loop.group())
            .workerEventLoopGroup(loop.group())
            .channelType(loop.serverChannelType())
            .withOption(ChannelOption.SO_BACKLOG, BACKLOG)
            .withChildOption(ChannelOption.TCP_NODELAY, true)
            .directExecutor()
            .flowControlWindow(ExchangeMethod.WINDOW_BYTES)
            .maxInboundMessageSize(ExchangeMethod.BYTES_READ_MAX)
            .maxInboundMetadataSize(HEADERS_BYTES_MAX)
            .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
            .permitKeepAliveTime(PINGS_SECONDS_MIN, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(service());
    if (tls != null) {
      builder.sslContext(context(tls));
    }
    this.server = builder.build().start();
    loop.execute(this::lookAgain);
  }

  private static SslContext context(TlsFiles tls) throws IOException {
    try {
      PemFiles own = new PemFiles(tls.certificate(), tls.key());
      return GrpcSslContexts.configure(SslContextBuilder.forServer(own.followed()))
          .trustManager(new AnyCertificate())
          // A member without a certificate may still have a token.
          .clientAuth(ClientAuth.OPTIONAL)
          .build();
    } catch (IOException | IllegalArgumentException e) {
      // Files that are missing, or have something else in them.
      throw new IOException(
          e.getMessage() + "; ./sluice keys init and ./sluice keys node make keys", e);
    }
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(
            String.valueOf(ExchangeMethod.answering().getServiceName()))
        .addMethod(ExchangeMethod.answering(), this::open)
        .build();
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  private ServerCall.Listener<Received> open(
      ServerCall<Received, ControllerMessage> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    call.request(1);
    MemberCall opened =
        new MemberCall(
            call,
            new MemberCall.Door(
                name -> shown(name, call, headers), authenticator, refusals, desk, calls::remove),
            address(call),
            loop);
    calls.add(opened);
    return opened;
  }

  /** Who would not be let in any more as what he was let in is sent away. */
  private void lookAgain() {
    boolean otherAuthority = isAuthorityAnother();
    long version = authenticator.version();
    boolean otherList = version != versionSeen;
    versionSeen = version;
    Instant now = Instant.now();
    List.copyOf(calls).forEach(call -> call.lookAgain(otherAuthority, otherList, now));
    timer = loop.schedule(this::lookAgain, LOOK_AGAIN_NANOS);
  }

  private boolean isAuthorityAnother() {
    if (authorityFile == null || authorityWatch == null || !authorityWatch.changed()) {
      return false;
    }
    try {
      authority = TlsContexts.trustManager(authorityFile);
      return true;
    } catch (KeyException e) {
      LOG.log(System.Logger.Level.WARNING, "the authority stays as it was: {0}", e.getMessage());
      return false;
    }
  }

  private static String address(ServerCall<?, ?> call) {
    return String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
  }

  private static @Nullable String token(Metadata headers) {
    String value = headers.get(AUTHORIZATION);
    return value != null && value.startsWith(BEARER) ? value.substring(BEARER.length()) : null;
  }

  private MemberCall.Shown shown(String claimedName, ServerCall<?, ?> call, Metadata headers) {
    ShownCertificate shown =
        authority == null
            ? ShownCertificate.Names.NONE
            : ShownCertificate.of(chain(call), authority);
    return switch (shown) {
      case ShownCertificate.Refused(var reason) -> new MemberCall.Shown(null, null, reason);
      case ShownCertificate.Names(var names, var until) ->
          new MemberCall.Shown(
              new Credentials(claimedName, address(call), names, token(headers)), until, "");
    };
  }

  /** The certificates that a caller has shown, its own first. */
  private static List<X509Certificate> chain(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    List<X509Certificate> chain = new ArrayList<>();
    try {
      Certificate[] shown = session == null ? new Certificate[0] : session.getPeerCertificates();
      for (Certificate certificate : shown) {
        if (certificate instanceof X509Certificate known) {
          chain.add(known);
        }
      }
    } catch (SSLPeerUnverifiedException e) {
      // It showed none, and may have a token.
    }
    return chain;
  }

  @Override
  public void close() {
    loop.execute(() -> {
      if (timer != null) {
        timer.cancel();
      }
    });
    server.shutdownNow();
    try {
      boolean _ = server.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Status status(RefusedException why) {
    Status status =
        switch (why.kind()) {
          case BAD_MESSAGE -> Status.INVALID_ARGUMENT;
          case NOT_ALLOWED, NOT_ITS_OWN -> Status.PERMISSION_DENIED;
          case TOO_MANY -> Status.RESOURCE_EXHAUSTED;
          case NOT_NOW -> Status.UNAVAILABLE;
        };
    return status.withDescription(why.reason());
  }
}
