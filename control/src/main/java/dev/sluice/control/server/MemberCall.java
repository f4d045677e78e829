package dev.sluice.control.server;

import dev.sluice.access.RefusalLog;
import dev.sluice.control.access.Identity;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.wire.Received;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.keys.Mandate;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call, from its first message to its end: lets in who is who it says, hands on what comes, and
 * refuses with a reason what makes no sense. All on the loop's thread.
 */
final class MemberCall extends ServerCall.Listener<Received> implements MemberLine {
  private static final System.Logger LOG = System.getLogger(MemberCall.class.getName());

  /** One for all calls: whoever is refused again and again must not fill the log. */
  private static final RefusalLog REFUSALS = new RefusalLog();

  private static final int NAME_LENGTH_MAX = 255;

  /** Who calls and says nothing holds a place for nothing. */
  private static final long HELLO_NANOS = 10_000_000_000L;

  private final ServerCall<Received, ControllerMessage> call;
  private final Function<String, Identity> identify;
  private final String address;
  private final MemberDesk desk;
  private final Loop loop;
  private final Consumer<MemberCall> whenOver;
  private final Loop.Timer untilHello;
  private @Nullable MemberSession session;

  /** Who was let in. */
  private @Nullable String member;

  private String caller;
  private boolean over;

  MemberCall(
      ServerCall<Received, ControllerMessage> call,
      Function<String, Identity> identify,
      String address,
      MemberDesk desk,
      Loop loop,
      Consumer<MemberCall> whenOver) {
    this.call = call;
    this.identify = identify;
    this.address = address;
    this.caller = address;
    this.desk = desk;
    this.loop = loop;
    this.whenOver = whenOver;
    this.untilHello = loop.schedule(this::tooLate, HELLO_NANOS);
  }

  private void tooLate() {
    if (session == null) {
      refuse(RefusedException.badMessage("no hello came within 10 s"));
    }
  }

  @Override
  public void onMessage(Received received) {
    if (over) {
      return;
    }
    try {
      switch (received) {
        case Received.Malformed malformed -> throw RefusedException.badMessage(malformed.reason());
        case Received.Message message -> take(message.content(), loop.nowNanos());
      }
      call.request(1);
    } catch (RefusedException e) {
      refuse(e);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a message of " + caller + " failed", e);
      refuse(
          new RefusedException(RefusedException.Kind.NOT_NOW, "this is a defect in Sluice: " + e));
    }
  }

  private void take(MemberMessage message, long nowNanos) throws RefusedException {
    if (session != null) {
      if (message.hasHello()) {
        throw RefusedException.badMessage("a second hello");
      }
      session.received(message, nowNanos);
      return;
    }
    if (!message.hasHello()) {
      throw RefusedException.badMessage("expected a hello first, not " + message.getContentCase());
    }
    Hello hello = message.getHello();
    check(hello);
    caller = hello.getMember() + " at " + address;
    Mandate mandate = mandate(hello);
    untilHello.cancel();
    session = desk.welcome(hello, mandate.nodesMax(), this, nowNanos);
    member = hello.getMember();
  }

  private Mandate mandate(Hello hello) throws RefusedException {
    String name = hello.getMember();
    Mandate mandate =
        switch (identify.apply(name)) {
          case Identity.Unknown(var reason) ->
              throw new RefusedException(RefusedException.Kind.NOT_ALLOWED, reason);
          case Identity.Known(var known, var may) when known.equals(name) -> may;
          case Identity.Known(var known, _) ->
              throw new RefusedException(
                  RefusedException.Kind.NOT_ALLOWED, known + " cannot speak for " + name);
        };
    Mandate.Kind kind =
        switch (hello.getKind()) {
          case MEMBER_KIND_AGENT -> Mandate.Kind.AGENT;
          case MEMBER_KIND_AGGREGATOR -> Mandate.Kind.AGGREGATOR;
          default -> Mandate.Kind.GATEWAY;
        };
    if (!mandate.kinds().contains(kind)) {
      throw new RefusedException(
          RefusedException.Kind.NOT_ALLOWED,
          name
              + " may not be "
              + (kind == Mandate.Kind.GATEWAY ? "a " : "an ")
              + kind.text()
              + "; ./sluice keys assign "
              + name
              + switch (kind) {
                case AGENT -> " --agent";
                case GATEWAY -> " --gateway";
                case AGGREGATOR -> " --aggregates NODES";
              }
              + " lets it be one");
    }
    return mandate;
  }

  /** Ends the call of somebody who was revoked since. */
  void lookWhetherRevoked(Set<String> revoked) {
    if (member != null && revoked.contains(member)) {
      refuse(new RefusedException(RefusedException.Kind.NOT_ALLOWED, member + " was revoked"));
    }
  }

  private static void check(Hello hello) throws RefusedException {
    String name = hello.getMember();
    if (name.isEmpty()
        || name.length() > NAME_LENGTH_MAX
        || name.chars().anyMatch(Character::isISOControl)) {
      throw RefusedException.badMessage(
          "a member's name has 1 to " + NAME_LENGTH_MAX + " characters and none to control with");
    }
    if (hello.getHost().length() > NAME_LENGTH_MAX) {
      throw RefusedException.badMessage(
          "a host's name has at most " + NAME_LENGTH_MAX + " characters");
    }
    if (hello.getKind() == MemberKind.UNRECOGNIZED
        || hello.getKind() == MemberKind.MEMBER_KIND_UNSPECIFIED) {
      throw RefusedException.badMessage(
          "a member is an agent, an aggregator or a gateway, not number " + hello.getKindValue());
    }
  }

  @Override
  public void onHalfClose() {
    finish();
    if (!over) {
      over = true;
      call.close(Status.OK, new Metadata());
    }
  }

  @Override
  public void onCancel() {
    over = true;
    finish();
  }

  @Override
  public void onComplete() {
    over = true;
    finish();
  }

  private void finish() {
    untilHello.cancel();
    whenOver.accept(this);
    MemberSession ended = session;
    session = null;
    if (ended != null) {
      ended.ended(loop.nowNanos());
    }
  }

  @Override
  public boolean isReady() {
    return !over && call.isReady();
  }

  @Override
  public void send(ControllerMessage message) {
    if (!over) {
      call.sendMessage(message);
    }
  }

  @Override
  public void refuse(RefusedException why) {
    if (over) {
      return;
    }
    over = true;
    // Who only has to come back is no trouble, and ten thousand of them would fill the log.
    boolean harmless = why.kind() == RefusedException.Kind.NOT_NOW;
    if (harmless) {
      LOG.log(System.Logger.Level.DEBUG, "{0} is refused: {1}", caller, why.reason());
    } else {
      REFUSALS.refused(caller + ": " + why.reason(), System.nanoTime());
    }
    call.close(MemberServer.status(why), new Metadata());
    finish();
  }
}
