package dev.sluice.control.server;

import dev.sluice.access.Refusals;
import dev.sluice.control.access.Credentials;
import dev.sluice.control.access.Identity;
import dev.sluice.control.access.MemberAuthenticator;
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
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call, from its first message to its end: lets in who is who it says, hands on what comes, and
 * refuses with a reason what makes no sense. All on the loop's thread.
 */
final class MemberCall extends ServerCall.Listener<Received> implements MemberLine {
  private static final System.Logger LOG = System.getLogger(MemberCall.class.getName());

  private static final int NAME_LENGTH_MAX = 255;

  /** Who calls and says nothing holds a place for nothing. */
  private static final long HELLO_NANOS = 10_000_000_000L;

  private final ServerCall<Received, ControllerMessage> call;
  private final Door door;
  private final String address;
  private final Loop loop;
  private final Loop.Timer untilHello;
  private @Nullable MemberSession session;

  /** Who was let in. */
  private @Nullable LetIn letIn;

  private String caller = "";
  private boolean over;

  /**
   * Who looks at callers.
   *
   * @param shown what the caller has shown, who says that he is this
   * @param whenOver told of the end of each call
   */
  record Door(
      Function<String, Shown> shown,
      MemberAuthenticator authenticator,
      Refusals refusals,
      MemberDesk desk,
      Consumer<MemberCall> whenOver) {}

  /**
   * What a caller has shown.
   *
   * @param credentials null where it does not count
   * @param until when the certificate ends; null without one
   * @param reason why it does not count
   */
  record Shown(@Nullable Credentials credentials, @Nullable Instant until, String reason) {}

  /**
   * Somebody who was let in.
   *
   * @param until when what he has shown ends; null where it does not
   */
  private record LetIn(Credentials credentials, Mandate mandate, @Nullable Instant until) {
    String name() {
      return credentials.claimedName();
    }
  }

  MemberCall(ServerCall<Received, ControllerMessage> call, Door door, String address, Loop loop) {
    this.call = call;
    this.door = door;
    this.address = address;
    this.loop = loop;
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
      LOG.log(
          System.Logger.Level.ERROR, "a message of " + named() + " at " + address + " failed", e);
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
    caller = hello.getMember();
    LetIn identified = identified(hello.getMember());
    check(hello, identified.mandate);
    untilHello.cancel();
    session = door.desk.welcome(hello, identified.mandate, this, nowNanos);
    letIn = identified;
  }

  private LetIn identified(String name) throws RefusedException {
    Shown shown = door.shown.apply(name);
    Credentials credentials = shown.credentials;
    if (credentials == null) {
      throw new RefusedException(RefusedException.Kind.NOT_ALLOWED, shown.reason);
    }
    return identified(credentials, shown.until);
  }

  private LetIn identified(Credentials credentials, @Nullable Instant certificateEnds)
      throws RefusedException {
    String name = credentials.claimedName();
    return switch (door.authenticator.identify(credentials)) {
      case Identity.Unknown(var reason) ->
          throw new RefusedException(RefusedException.Kind.NOT_ALLOWED, reason);
      case Identity.Known(var known, var may, var until) when known.equals(name) ->
          new LetIn(credentials, may, until == null ? certificateEnds : until);
      case Identity.Known(var known, _, _) ->
          throw new RefusedException(
              RefusedException.Kind.NOT_ALLOWED, known + " cannot speak for " + name);
    };
  }

  private static void check(Hello hello, Mandate mandate) throws RefusedException {
    String name = hello.getMember();
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
  }

  /**
   * Ends the call of somebody who would not be let in any more as what he was let in.
   *
   * @param otherAuthority whether certificates may count no more
   * @param otherList whether anything else may be another
   */
  void lookAgain(boolean otherAuthority, boolean otherList, Instant now) {
    LetIn before = letIn;
    if (before == null || over) {
      return;
    }
    try {
      if (before.until != null && !now.isBefore(before.until)) {
        throw new RefusedException(
            RefusedException.Kind.NOT_ALLOWED,
            "what " + before.name() + " has shown ended at " + before.until);
      }
      if (otherAuthority || otherList) {
        LetIn again =
            otherAuthority
                ? identified(before.name())
                : identified(before.credentials, before.until);
        if (!again.mandate.equals(before.mandate)) {
          throw new RefusedException(
              RefusedException.Kind.NOT_NOW,
              "what " + before.name() + " may be has changed, and it is to call again");
        }
      }
    } catch (RefusedException e) {
      refuse(e);
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
    door.whenOver.accept(this);
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
      door.refusals.refused(kind(why), named(), "at " + address, why.reason(), System.nanoTime());
    }
    call.close(MemberServer.status(why), new Metadata());
    finish();
  }

  /** Who has not said his name yet is somebody. */
  private String named() {
    return caller.isEmpty() ? "somebody" : caller;
  }

  private static Refusals.Kind kind(RefusedException why) {
    return switch (why.kind()) {
      case NOT_ALLOWED -> Refusals.Kind.IDENTITY;
      case NOT_ITS_OWN -> Refusals.Kind.NODES;
      case TOO_MANY -> Refusals.Kind.ROOM;
      case BAD_MESSAGE, NOT_NOW -> Refusals.Kind.MESSAGE;
    };
  }
}
