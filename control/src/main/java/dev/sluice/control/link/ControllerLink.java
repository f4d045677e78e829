package dev.sluice.control.link;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.access.TlsFiles;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.server.MemberServer;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.wire.ExchangeMethod;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.lease.Fence;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderMemory;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A member's connection to whoever gives it orders: makes it, and makes it again, here or there,
 * whenever it ends. Checks that orders come in order and from a leader that was not replaced. All
 * on the loop's thread, but for {@link #start} and {@link #close}.
 */
public final class ControllerLink implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControllerLink.class.getName());
  private static final long PING_SECONDS = 5;
  private static final long PONG_SECONDS = 3;

  /** How much later than when our report was due orders may come, at least. */
  private static final long SLACK_NANOS = 2_000_000_000L;

  /** Of a connection of which it is not known yet whether it can be made. */
  private static final Set<ConnectivityState> UNSETTLED =
      EnumSet.of(ConnectivityState.IDLE, ConnectivityState.CONNECTING);

  private static final Duration LOOK = Duration.ofMillis(10);

  private final Addresses addresses;
  private final LinkRole role;
  private final NettyLoop loop;
  private final Backoff backoff;

  private int next;
  private @Nullable ManagedChannel channel;
  private @Nullable ClientCall<MemberMessage, ControllerMessage> call;

  /** Goes up with each call, so that what an old one still says is not taken for the new one's. */
  private long calls;

  private long sequenceHeard;
  private final Fence fence;

  /** Who gave the last orders of this call. */
  private Leader heard = Leader.NOBODY;

  /** Looks whether the call is still answered; set while there is a call. */
  private Loop.@Nullable Timer watch;

  private long watchNanos;
  private long answerDueNanos;
  private boolean closed;

  /** What went wrong last with each address, so that it is logged once and not for a night. */
  private final Map<InetSocketAddress, String> lastTrouble = new HashMap<>();

  /**
   * Whom to call, and how.
   *
   * @param controllers in the order in which to try them
   * @param tls null on loopback alone
   * @param tokenFile where the secret of this member is, read at each call; null where its
   *     certificate says who it is
   */
  public record Addresses(
      List<InetSocketAddress> controllers, @Nullable TlsFiles tls, @Nullable Path tokenFile) {
    public Addresses {
      controllers = List.copyOf(controllers);
      if (controllers.isEmpty()) {
        throw new IllegalArgumentException("there is no controller to call");
      }
      for (InetSocketAddress address : controllers) {
        boolean local = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
        if (tls == null && !local) {
          throw new IllegalArgumentException(
              address
                  + ": whoever calls another machine needs tls with certificate, key and"
                  + " authority; ./sluice keys init makes them");
        }
      }
    }

    /** On loopback, without more ado. */
    public static Addresses local(InetSocketAddress... controllers) {
      return new Addresses(List.of(controllers), null, null);
    }
  }

  /**
   * A link that is not made yet, of a member that does not outlive this process.
   *
   * @param random spreads out when members call again
   */
  public ControllerLink(
      Addresses addresses, LinkRole role, NettyLoop loop, RandomGenerator random) {
    this(addresses, role, loop, random, LeaderMemory.NONE);
  }

  /**
   * A link that is not made yet.
   *
   * @param random spreads out when members call again
   * @param memory keeps whom this member has obeyed
   */
  public ControllerLink(
      Addresses addresses,
      LinkRole role,
      NettyLoop loop,
      RandomGenerator random,
      LeaderMemory memory) {
    this.addresses = addresses;
    this.fence = new Fence(memory);
    this.role = role;
    this.loop = loop;
    this.backoff = new Backoff(addresses.controllers.size(), random);
  }

  /** Begins to call. */
  public void start() {
    loop.execute(this::connect);
  }

  /**
   * Connects to one of the addresses and hangs up without a word: whoever will have to call quickly
   * has then loaded what that takes. On any thread but the loop's.
   *
   * @param most how long it may take for each address
   * @return whether one of them could be reached
   */
  public static boolean reaches(Addresses addresses, NettyLoop loop, Duration most)
      throws InterruptedException {
    for (InetSocketAddress address : addresses.controllers) {
      try {
        ManagedChannel tried = channel(address, addresses.tls, loop);
        try {
          long untilNanos = System.nanoTime() + most.toNanos();
          ConnectivityState state = tried.getState(true);
          while (UNSETTLED.contains(state) && System.nanoTime() - untilNanos < 0) {
            Thread.sleep(LOOK);
            state = tried.getState(false);
          }
          if (state == ConnectivityState.READY) {
            return true;
          }
        } finally {
          tried.shutdownNow();
        }
      } catch (SSLException | IllegalArgumentException e) {
        LOG.log(System.Logger.Level.WARNING, "our keys: {0}", e.getMessage());
      }
    }
    return false;
  }

  /** How many there are to be called in turn. */
  public int addresses() {
    return addresses.controllers.size();
  }

  /** Whether there is a call that takes what is sent. */
  public boolean isReady() {
    return call != null && call.isReady();
  }

  /** Says something; nothing where there is no call. */
  public void send(MemberMessage message) {
    if (call != null) {
      call.sendMessage(message);
    }
  }

  /** Nothing is reported for so long, so that no orders are due either. */
  public void rest(long nanos) {
    expectAnswer(2 * nanos + SLACK_NANOS);
  }

  /** Ends the call, and makes another. */
  public void hangUp(String reason) {
    ClientCall<MemberMessage, ControllerMessage> current = call;
    if (current != null) {
      long number = calls;
      current.cancel(reason, null);
      ended(number, Status.CANCELLED.withDescription(reason));
    }
  }

  private void connect() {
    if (closed) {
      return;
    }
    InetSocketAddress address = addresses.controllers.get(next % addresses.controllers.size());
    long number = ++calls;
    String token;
    try {
      token = KeyFiles.token(addresses.tokenFile);
      channel = channel(address, addresses.tls, loop);
    } catch (IOException | IllegalArgumentException e) {
      // The latter for files that are missing or have something else in them.
      ended(number, Status.UNAVAILABLE.withDescription("our keys: " + e.getMessage()));
      return;
    }
    sequenceHeard = 0;
    heard = Leader.NOBODY;
    expectAnswer(backoff.answerNanos());
    ClientCall<MemberMessage, ControllerMessage> made =
        channel.newCall(ExchangeMethod.calling(), CallOptions.DEFAULT);
    call = made;
    Metadata headers = new Metadata();
    if (token != null) {
      headers.put(MemberServer.AUTHORIZATION, MemberServer.BEARER + token);
    }
    made.start(new Answers(number, address), headers);
    made.request(2);
    made.sendMessage(MemberMessage.newBuilder().setHello(role.hello(fence.obeyed())).build());
  }

  private static ManagedChannel channel(
      InetSocketAddress address, @Nullable TlsFiles tls, NettyLoop loop) throws SSLException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address)
            .eventLoopGroup(loop.group())
            .channelType(loop.channelType())
            .withOption(ChannelOption.TCP_NODELAY, true)
            .directExecutor()
            .flowControlWindow(ExchangeMethod.WINDOW_BYTES)
            .disableRetry()
            .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
            .maxInboundMessageSize(ExchangeMethod.MESSAGE_BYTES_MAX);
    if (tls == null) {
      return builder.usePlaintext().build();
    }
    SslContextBuilder context = GrpcSslContexts.forClient().trustManager(tls.authority().toFile());
    if (Files.exists(tls.certificate())) {
      context.keyManager(tls.certificate().toFile(), tls.key().toFile());
    }
    return builder.sslContext(context.build()).build();
  }

  /**
   * Hangs up if nothing comes in time. A controller that was stopped or cut off keeps its
   * connections, and its successor waits for us.
   */
  private void expectAnswer(long withinNanos) {
    answerDueNanos = loop.nowNanos() + withinNanos;
    if (watch != null && watchNanos - answerDueNanos <= 0) {
      // It looks sooner, and then again. One timer for many messages.
      return;
    }
    stopWatching();
    watchNanos = answerDueNanos;
    watch = loop.schedule(this::lookForAnswer, withinNanos);
  }

  private void stopWatching() {
    if (watch != null) {
      watch.cancel();
      watch = null;
    }
  }

  private void lookForAnswer() {
    watch = null;
    long leftNanos = answerDueNanos - loop.nowNanos();
    if (leftNanos > 0) {
      expectAnswer(leftNanos);
      return;
    }
    boolean never = sequenceHeard == 0;
    if (never) {
      backoff.unanswered();
    }
    hangUp(never ? "no answer" : "no orders came when they were due");
  }

  /** What comes of one call. */
  private final class Answers extends ClientCall.Listener<ControllerMessage> {
    private final long number;
    private final InetSocketAddress address;

    Answers(long number, InetSocketAddress address) {
      this.number = number;
      this.address = address;
    }

    @Override
    public void onMessage(ControllerMessage message) {
      if (number != calls || call == null) {
        return;
      }
      try {
        check(message);
        role.ordered(message, heard, loop.nowNanos());
        if (!lastTrouble.isEmpty()) {
          LOG.log(System.Logger.Level.INFO, "connected to {0}", address);
          lastTrouble.clear();
        }
        backoff.reset();
        expectAnswer(untilOrdersNanos(message));
        if (call != null) {
          call.request(1);
        }
      } catch (RefusedException e) {
        hangUp("orders of " + address + " are refused: " + e.reason());
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended(number, status);
    }
  }

  /** Orders follow on our report, once all others have reported or are late. */
  private static long untilOrdersNanos(ControllerMessage message) {
    long reportInMicros =
        message.hasStage()
            ? message.getStage().getReportInMicros()
            : message.getTargets().getReportInMicros();
    return 2 * Math.min(reportInMicros, 3_600_000_000L) * 1_000 + SLACK_NANOS;
  }

  private void check(ControllerMessage message) throws RefusedException {
    long sequence;
    Leader spokenBy;
    switch (message.getContentCase()) {
      case STAGE -> {
        sequence = message.getStage().getSequence();
        spokenBy = new Leader(message.getStage().getEpoch(), message.getStage().getLeader());
      }
      case TARGETS -> {
        sequence = message.getTargets().getSequence();
        spokenBy = new Leader(message.getTargets().getEpoch(), message.getTargets().getLeader());
      }
      default -> throw RefusedException.badMessage("orders that say nothing");
    }
    if (sequence != sequenceHeard + 1) {
      throw RefusedException.badMessage(
          "orders " + sequence + " came after " + sequenceHeard + "; expected the next");
    }
    if (spokenBy.mark() == 0 && spokenBy.epoch() == heard.epoch()) {
      spokenBy = heard;
    }
    Leader before = fence.obeyed();
    String refusal = fence.refusal(spokenBy);
    if (refusal != null) {
      throw new RefusedException(RefusedException.Kind.NOT_ALLOWED, refusal);
    }
    if (spokenBy.epoch() != before.epoch() && before.epoch() != 0) {
      LOG.log(
          System.Logger.Level.INFO,
          "obeys leader {0} from now on; before it was {1}",
          Long.toString(spokenBy.epoch()),
          Long.toString(before.epoch()));
    }
    sequenceHeard = sequence;
    heard = spokenBy;
  }

  private void ended(long number, Status status) {
    if (number != calls) {
      return;
    }
    calls++;
    call = null;
    stopWatching();
    ManagedChannel old = channel;
    channel = null;
    if (old != null) {
      old.shutdownNow();
    }
    String reason = LinkTrouble.words(status);
    InetSocketAddress address = addresses.controllers.get(next % addresses.controllers.size());
    if (!closed && !reason.equals(lastTrouble.put(address, reason))) {
      LOG.log(System.Logger.Level.WARNING, "no orders from {0}: {1}", address, reason);
    }
    role.parted(reason, loop.nowNanos());
    next++;
    if (!closed) {
      Loop.Timer _ = loop.schedule(this::connect, backoff.nextNanos());
    }
  }

  /** Ends the link for good. */
  @Override
  public void close() {
    loop.execute(() -> {
      closed = true;
      hangUp("this member ends");
    });
  }
}
