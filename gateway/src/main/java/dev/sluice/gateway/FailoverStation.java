package dev.sluice.gateway;

import dev.sluice.command.CommandServer;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.gateway.admin.FailoverControl;
import dev.sluice.gateway.admin.FailoverJson;
import dev.sluice.gateway.config.FailoverChoice;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.failover.FailoverLease;
import dev.sluice.gateway.posix.DeadMansTimer;
import dev.sluice.store.StoreException;
import dev.sluice.store.lease.LeaseKeeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's place among those that serve the same exports: it stands by until it is its turn,
 * sees to it that it serves no longer than that, and lets another go on. It takes commands while it
 * stands by; a gateway that serves takes its own.
 */
public final class FailoverStation implements FailoverControl, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FailoverStation.class.getName());

  /** How often it is looked whose turn it is, which costs nothing. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** How often it is looked on the storage whether another wishes to serve. */
  private static final Duration LISTEN = Duration.ofMillis(250);

  /** So long whoever has handed over lets others go first; then it serves again itself. */
  private static final Duration COURTESY = Duration.ofSeconds(10);

  /** The end of a program that must not do anything more, not even tidy up. */
  private static final int FENCED = 70;

  private static final List<String> COMMANDS = List.of("failover", "health", "stop");

  private final FailoverChoice choice;
  private final Path state;
  private final Path controlSocket;
  private final DeadMansTimer timer = new DeadMansTimer();

  private volatile boolean stopped;
  private volatile boolean handingOver;
  private volatile @Nullable FailoverLease lease;

  /** Whether a gateway may be serving by the lease, known here or not yet. */
  private volatile boolean isTurn;

  private volatile @Nullable Gateway serving;

  /** Since when; and how long nobody served before, null where nobody did. */
  private volatile long servingSinceNanos;

  private volatile @Nullable Long moveNanos;

  /**
   * @param configuration with a failover
   */
  public FailoverStation(GatewayConfiguration configuration) throws IOException {
    FailoverChoice chosen = configuration.failover();
    if (chosen == null) {
      throw new IllegalArgumentException("expected a configuration with a failover");
    }
    this.choice = chosen;
    this.state = configuration.state();
    this.controlSocket = configuration.controlSocket();
  }

  /**
   * Waits until it is this gateway's turn.
   *
   * @return false when it was told to stop instead
   */
  public boolean awaitTurn() throws IOException, InterruptedException {
    try (StateDirectory _ = StateDirectory.take(state);
        CommandServer _ = new CommandServer(controlSocket, this::reply)) {
      if (handingOver) {
        letOthersGoFirst();
        handingOver = false;
      }
      if (stopped) {
        return false;
      }
      FailoverLease claimed = new FailoverLease(choice, timer);
      lease = claimed;
      while (!stopped && !claimed.isHeld()) {
        Thread.sleep(LOOK);
      }
      isTurn = !stopped;
      return isTurn;
    }
  }

  private void letOthersGoFirst() throws InterruptedException {
    long untilNanos = System.nanoTime() + COURTESY.toNanos();
    while (!stopped && System.nanoTime() - untilNanos < 0 && holder().holder().isEmpty()) {
      Thread.sleep(LISTEN);
    }
  }

  private LeaseKeeper.Held holder() {
    try {
      return FailoverLease.held(choice);
    } catch (StoreException e) {
      return new LeaseKeeper.Held(0, "");
    }
  }

  /** The gateway serves from now on; it is asked to stop when another wishes to serve. */
  public void serves(Gateway gateway) {
    servingSinceNanos = System.nanoTime();
    FailoverLease held = lease;
    Long vacantSinceNanos = held == null ? null : held.vacantSinceNanos();
    boolean isFirst = holder().epoch() <= 1;
    moveNanos = isFirst || vacantSinceNanos == null ? null : servingSinceNanos - vacantSinceNanos;
    serving = gateway;
    Thread.ofPlatform().name("failover").daemon().start(() -> watch(gateway));
  }

  private void watch(Gateway gateway) {
    try {
      while (serving == gateway) {
        Thread.sleep(LISTEN);
        FailoverLease held = lease;
        if (held == null || serving != gateway) {
          return;
        }
        if (!held.isHeld() && !stopped) {
          // The kernel's timer would do the same in a moment, unless somebody removed the lease.
          LOG.log(System.Logger.Level.ERROR, "it is another's turn: this gateway ends at once");
          Runtime.getRuntime().halt(FENCED);
        }
        if (isWishedFor(held)) {
          LOG.log(System.Logger.Level.INFO, "another gateway wishes to serve");
          handOver();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isWishedFor(FailoverLease held) {
    try {
      return held.isWishedFor();
    } catch (IOException | UncheckedIOException e) {
      // Storage that cannot be read; if that lasts, the lease ends too.
      return false;
    }
  }

  /**
   * The gateway has been closed: lets another serve.
   *
   * @return whether this one is to stand by again
   */
  public boolean isToStandBy() {
    endTurn();
    return handingOver && !stopped;
  }

  private synchronized void endTurn() {
    Gateway ended = serving;
    FailoverLease held = lease;
    if (held == null) {
      return;
    }
    if (isTurn && ended == null) {
      // One that is about to begin, or could not: the end of this program ends the lease.
      return;
    }
    if (ended != null && !ended.hasEnded()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "calls are stuck in the storage: the lease is not given back, and this program ends");
      Runtime.getRuntime().halt(FENCED);
    }
    serving = null;
    lease = null;
    isTurn = false;
    held.close();
  }

  @Override
  public Turn turn() {
    FailoverLease held = lease;
    LeaseKeeper.Held seen = holder();
    boolean serves = serving != null;
    return new Turn(
        choice.name(),
        serves,
        seen.holder(),
        seen.epoch(),
        choice.takeover().toNanos(),
        serves ? System.nanoTime() - servingSinceNanos : 0,
        serves ? moveNanos : null,
        held == null ? null : held.trouble());
  }

  @Override
  public void handOver() {
    Gateway gateway = serving;
    if (gateway != null) {
      handingOver = true;
      gateway.handOver();
    }
  }

  @Override
  public void take() {
    if (serving != null) {
      return;
    }
    try {
      FailoverLease.wish(choice);
    } catch (IOException e) {
      throw new IllegalArgumentException("the wish to serve cannot be written: " + e, e);
    }
  }

  /** What is answered while it stands by. */
  private RequestHandler.Reply reply(String request) {
    try {
      DocumentNode document = Documents.parse("request", request);
      String command = document.openMap().required("command").text();
      if (!COMMANDS.contains(command)) {
        return RequestHandler.Reply.of(
            JsonLine.error(
                choice.name() + " stands by and can say no more; " + words(holder()) + " serves"));
      }
      return switch (command) {
        case "stop" ->
            new RequestHandler.Reply(
                JsonLine.object(json -> json.writeBooleanProperty("stopping", true)),
                () -> stopped = true);
        case "health" ->
            RequestHandler.Reply.of(
                JsonLine.object(json -> {
                  json.writeBooleanProperty("healthy", true);
                  json.writeArrayPropertyStart("findings");
                  json.writeEndArray();
                }));
        default -> FailoverJson.reply(document.map("command", "action"), this);
      };
    } catch (DocumentException | IllegalArgumentException e) {
      return RequestHandler.Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    }
  }

  private static String words(LeaseKeeper.Held held) {
    return held.holder().isEmpty() ? "nobody" : held.holder();
  }

  /** Ends standing by, or lets another serve; after the gateway was closed, if it served. */
  @Override
  public void close() {
    stopped = true;
    endTurn();
  }
}
