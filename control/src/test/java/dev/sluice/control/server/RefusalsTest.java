package dev.sluice.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.access.Identity;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.ExchangeMethod;
import dev.sluice.store.keys.Mandate;
import dev.sluice.testkit.SeededCases;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real server answers to those who do not keep to the protocol. */
@Timeout(180)
class RefusalsTest {
  private Controller controller;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    controller =
        new Controller(
            new ControllerOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                20_000_000L,
                20_000_000L,
                60_000_000_000L,
                100),
            _ -> ControlSettings.NONE,
            Leadership.alone(7),
            offered ->
                offered.claimedName().equals("stranger")
                    ? new Identity.Unknown("nobody knows stranger")
                    : new Identity.Known(
                        offered.claimedName().equals("impostor") ? "n1" : offered.claimedName(),
                        Mandate.ANYTHING,
                        null),
            _ -> {});
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), controller.port()))
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    controller.close();
  }

  /** A caller that sends whatever bytes it likes. */
  private final class RawCall {
    final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    final ClientCall<byte[], byte[]> call;

    RawCall() {
      MethodDescriptor.Marshaller<byte[]> bytes = new BytesMarshaller();
      call =
          channel.newCall(
              ExchangeMethod.calling().toBuilder(bytes, bytes).build(), CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onMessage(byte[] message) {
              heard.add(message);
              call.request(1);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              heard.add(status);
            }
          },
          new Metadata());
      call.request(1);
    }

    RawCall say(byte[] message) {
      call.sendMessage(message);
      return this;
    }

    RawCall say(MemberMessage message) {
      return say(message.toByteArray());
    }

    /** The next orders; fails where there are none. */
    ControllerMessage orders() throws Exception {
      Object next = heard.poll(30, TimeUnit.SECONDS);
      assertThat(next).isInstanceOf(byte[].class);
      return ControllerMessage.parseFrom((byte[]) next);
    }

    /** How the call ended. */
    Status ended() throws InterruptedException {
      while (true) {
        Object next = heard.poll(30, TimeUnit.SECONDS);
        if (next instanceof Status status) {
          return status;
        }
        assertThat(next).as("the call neither goes on nor ends").isNotNull();
      }
    }
  }

  private static final class BytesMarshaller implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static MemberMessage hello(String name) {
    return MemberMessage.newBuilder()
        .setHello(Hello.newBuilder().setMember(name).setKind(MemberKind.MEMBER_KIND_AGENT))
        .build();
  }

  private static MemberMessage report(StageReport.Builder report) {
    return MemberMessage.newBuilder().setStage(report).build();
  }

  private void assertRefused(RawCall call, Status.Code code, String reason) throws Exception {
    Status status = call.ended();
    assertThat(status.getCode()).isEqualTo(code);
    assertThat(status.getDescription()).contains(reason);
  }

  /** A member that keeps to the protocol is served, whatever others did before. */
  private void assertServes(String name) throws Exception {
    RawCall call = new RawCall().say(hello(name));
    long round = call.orders().getStage().getRound();
    call.say(
        report(
            StageReport.newBuilder()
                .setSequence(1)
                .setRound(round)
                .setElapsedMicros(10)
                .addIntroduced(JobIntroduction.newBuilder().setNumber(1).setJob("a"))));
    assertThat(call.orders().getStage().getSequence()).isEqualTo(2);
    call.call.cancel("done", null);
  }

  @Test
  void strangersAndImpostorsAreRefused() throws Exception {
    assertRefused(
        new RawCall().say(hello("stranger")), Status.Code.PERMISSION_DENIED, "nobody knows");
    assertRefused(
        new RawCall().say(hello("impostor")),
        Status.Code.PERMISSION_DENIED,
        "n1 cannot speak for impostor");
    assertServes("n2");
  }

  @Test
  void whatMakesNoSenseIsRefusedWithAReason() throws Exception {
    assertRefused(
        new RawCall().say(new byte[] {(byte) 0xff, 1, 2}),
        Status.Code.INVALID_ARGUMENT,
        "no message of ours");
    assertRefused(
        new RawCall().say(report(StageReport.newBuilder())),
        Status.Code.INVALID_ARGUMENT,
        "expected a hello first");
    assertRefused(
        new RawCall().say(hello("n1")).say(hello("n1")),
        Status.Code.INVALID_ARGUMENT,
        "a second hello");
    assertRefused(
        new RawCall().say(hello("n1\n")), Status.Code.INVALID_ARGUMENT, "a member's name");
    assertRefused(
        new RawCall().say(new byte[ExchangeMethod.MESSAGE_BYTES_MAX + 1]),
        Status.Code.INVALID_ARGUMENT,
        "expected at most 4194304");
    assertThat(new RawCall().say(new byte[ExchangeMethod.BYTES_READ_MAX + 1]).ended().getCode())
        .isIn(Status.Code.CANCELLED, Status.Code.RESOURCE_EXHAUSTED);
    assertServes("n2");
  }

  @Test
  void repeatedSwappedAndInventedReportsAreRefused() throws Exception {
    RawCall replay = new RawCall().say(hello("n1"));
    long round = replay.orders().getStage().getRound();
    MemberMessage first =
        report(StageReport.newBuilder().setSequence(1).setRound(round).setElapsedMicros(1));
    replay.say(first).say(first);
    assertRefused(replay, Status.Code.INVALID_ARGUMENT, "it was there before");

    RawCall skips = new RawCall().say(hello("n1"));
    long now = skips.orders().getStage().getRound();
    skips.say(report(StageReport.newBuilder().setSequence(2).setRound(now)));
    assertRefused(skips, Status.Code.INVALID_ARGUMENT, "report 2 came after report 0");

    RawCall future = new RawCall().say(hello("n1"));
    future.orders();
    future.say(report(StageReport.newBuilder().setSequence(1).setRound(1L << 40)));
    assertRefused(future, Status.Code.INVALID_ARGUMENT, "a report of round");

    RawCall invents = new RawCall().say(hello("n1"));
    long at = invents.orders().getStage().getRound();
    invents.say(
        report(
            StageReport.newBuilder()
                .setSequence(1)
                .setRound(at)
                .addUsages(JobUsage.newBuilder().setNumber(5).addFigures(1))));
    assertRefused(invents, Status.Code.INVALID_ARGUMENT, "job number 5, which was not introduced");
    assertServes("n2");
  }

  @Test
  void noBytesHarmTheServer() throws Exception {
    MemberMessage hello = hello("n1");
    MemberMessage report =
        report(
            StageReport.newBuilder()
                .setSequence(1)
                .setRound(1)
                .setElapsedMicros(1_000)
                .addIntroduced(
                    JobIntroduction.newBuilder()
                        .setNumber(1)
                        .setJob("a")
                        .setUser("u")
                        .setNodes(1)
                        .setProcesses(3))
                .addUsages(
                    JobUsage.newBuilder()
                        .setNumber(1)
                        .addFigures(10)
                        .addFigures(100)
                        .addFigures(0)
                        .addFigures(5)));
    SeededCases.forAll(
        300,
        random -> {
          RawCall call = new RawCall();
          call.say(
              random.nextInt(3) == 0 ? mutated(hello.toByteArray(), random) : hello.toByteArray());
          for (int i = random.nextInt(3); i >= 0; i--) {
            call.say(mutated(report.toByteArray(), random));
          }
          call.call.halfClose();
          assertThat(call.ended().getCode())
              .isIn(
                  Status.Code.OK,
                  Status.Code.INVALID_ARGUMENT,
                  Status.Code.PERMISSION_DENIED,
                  Status.Code.RESOURCE_EXHAUSTED,
                  Status.Code.UNAVAILABLE);
        });
    assertServes("n2");
    assertThat(controller.status().problem()).isNull();
  }

  private static byte[] mutated(byte[] good, RandomGenerator random) {
    byte[] bytes = good.clone();
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + random.nextInt(20));
          for (int k = bytes.length; k < longer.length; k++) {
            longer[k] = (byte) random.nextInt();
          }
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}
