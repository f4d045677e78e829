package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.command.CommandClient;
import dev.sluice.command.CommandServer;
import dev.sluice.command.LinkStatus;
import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.LimitsReader;
import dev.sluice.gateway.config.TargetConfiguration;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.JobFigures;
import dev.sluice.gateway.control.LimitOnJob;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.gateway.nfs4.Nfs4Figures;
import dev.sluice.gateway.nfs4.state.Figures;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ControlSocketTest {
  private static final JobId JOB = JobId.of("4711");

  @TempDir Path directory;
  private final Recorder gateway = new Recorder();
  private Path socket;
  private CommandServer server;

  @BeforeEach
  void listen() throws IOException {
    socket = directory.resolve("control.sock");
    server = new CommandServer(socket, new CommandHandler(gateway));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void onlyTheOwnerMayOpenItAndALeftoverIsReplaced() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    Path left = directory.resolve("left.sock");
    Files.writeString(left, "");
    try (CommandServer _ = new CommandServer(left, new CommandHandler(gateway));
        CommandClient client = new CommandClient(left)) {
      assertThat(client.exchange("{\"command\":\"status\"}")).contains("\"policy\":\"test\"");
    }
  }

  @Test
  void tellsHowItIsToWhoIsPatientAndToWhoIsNot() throws Exception {
    try (CommandClient client = new CommandClient(socket)) {
      assertThat(client.ask("health", _ -> {}))
          .isEqualTo(
              "{\"healthy\":false,\"findings\":[{\"kind\":\"stuck-target\",\"about\":\"t\","
                  + "\"words\":\"it is stuck\"}]}");
      assertThat(client.ask("health", json -> json.writeNumberProperty("patience_ms", 90_000)))
          .isEqualTo("{\"healthy\":true,\"findings\":[]}");
    }
  }

  @Test
  void whoeverAsksItToStopIsAnsweredAlthoughStoppingClosesTheConnection() throws Exception {
    for (int i = 0; i < 200; i++) {
      Path own = directory.resolve("stopped.sock");
      CountDownLatch stopped = new CountDownLatch(1);
      Recorder stopping =
          new Recorder() {
            @Override
            public void stop() {
              stopped.countDown();
            }
          };
      CommandServer stoppedServer = new CommandServer(own, new CommandHandler(stopping));
      Thread closing =
          Thread.ofPlatform()
              .start(() -> {
                try (stoppedServer) {
                  stopped.await();
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      try (CommandClient client = new CommandClient(own)) {
        assertThat(client.ask("stop", _ -> {})).isEqualTo("{\"stopping\":true}");
      }
      closing.join();
    }
  }

  @Test
  void whoRecordsIsToldOnlyOfJobsThatWereHereSince() throws Exception {
    try (CommandClient client = new CommandClient(socket)) {
      assertThat(client.ask("demand", _ -> {}))
          .contains("\"now_ns\":2000")
          .contains("\"tokens_per_second\":100000000")
          .contains("[\"4711\",\"alice\",7,10,3,4,300,400,5,60,900,3]")
          .contains("[\"quiet\",");
      assertThat(client.ask("demand", json -> json.writeNumberProperty("since_ns", 11)))
          .contains("[\"4711\",")
          .doesNotContain("quiet");
    }
  }

  @Test
  void theJournalHearsWhoChangedWhat() throws Exception {
    String me = System.getProperty("user.name");
    try (CommandClient client = new CommandClient(socket)) {
      client.ask("policy", json -> json.writeStringProperty("name", "fair"));
      client.ask(
          "job",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeNumberProperty("weight", 4);
            json.writeStringProperty("limit", "20 MB/s");
          });
      client.ask("observe", json -> json.writeBooleanProperty("only", true));
      client.ask("policy", _ -> {});
      assertThatThrownBy(
              () -> client.ask("policy", json -> json.writeStringProperty("name", "oops")))
          .isInstanceOf(CommandClient.RefusedException.class);
    }
    assertThat(gateway.changes)
        .as("what was only asked, or refused, changed nothing")
        .containsExactly(
            new Administration.Change(me, "policy fair"),
            new Administration.Change(me, "job 4711: weight 4 limit 20 MB/s"),
            new Administration.Change(me, "observe-only: nothing is enforced"));
  }

  @Test
  void everyCommandReachesTheGateway() throws Exception {
    try (CommandClient client = new CommandClient(socket)) {
      client.ask(
          "policy",
          json -> {
            json.writeStringProperty("name", "fair");
            json.writeObjectPropertyStart("settings");
            json.writeStringProperty("period", "50 ms");
            json.writeEndObject();
          });
      client.ask(
          "job",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeNumberProperty("weight", 4);
          });
      client.ask(
          "job",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeStringProperty("limit", "20 MB/s");
          });
      client.ask(
          "job",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeBooleanProperty("clear", true);
          });
      client.ask(
          "rules",
          json -> {
            json.writeStringProperty("action", "load");
            json.writeStringProperty("file", "/some/where.rules");
          });
      client.ask("observe", json -> json.writeBooleanProperty("only", true));
      client.ask("reload", _ -> {});
      client.ask("stop", _ -> {});
      // It stops once the answer is out, so the answer alone does not say that it did.
      while (!gateway.calls.contains("stop")) {
        Thread.onSpinWait();
      }
    }
    assertThat(gateway.calls)
        .containsExactly(
            "policy fair {period=50 ms}",
            "job 4711 4 null",
            "job 4711 null 20000000",
            "clear 4711",
            "load /some/where.rules",
            "observe true",
            "reload",
            "stop");
  }

  @Test
  void statusAndExplanationsCanBeReadBack() throws Exception {
    try (CommandClient client = new CommandClient(socket)) {
      DocumentMap status = CommandClient.read(client.ask("status", _ -> {})).openMap();
      assertThat(status.required("problems").list().getFirst().text()).isEqualTo("a \"problem\"");
      DocumentMap failover = status.required("failover").openMap();
      assertThat(failover.required("serves").bool()).isTrue();
      assertThat(failover.required("serving_ms").text()).isEqualTo("5000");
      assertThat(failover.required("move_ms").text()).isEqualTo("6");
      assertThat(status.required("turn").text()).isEqualTo("gateway-a serves, turn 3");
      DocumentMap nfs4 = status.required("nfs4").openMap();
      assertThat(nfs4.required("clients").text()).isEqualTo("3");
      assertThat(nfs4.required("late_clients").text()).isEqualTo("2");
      assertThat(nfs4.required("locks").text()).isEqualTo("8");
      assertThat(nfs4.required("slots_waiting").text()).isEqualTo("9");
      assertThat(nfs4.required("delays").text()).isEqualTo("10");
      assertThat(nfs4.required("grace").bool()).isTrue();
      DocumentMap target = status.required("targets").list().getFirst().openMap();
      assertThat(target.required("capacity").text()).isEqualTo("100 MB/s");
      DocumentMap job = target.required("jobs").list().getFirst().openMap();
      assertThat(job.required("allowed").text()).isEqualTo("25 MB/s");
      assertThat(job.required("waited_ms").number(0, 10)).isEqualTo(1.5);
      assertThat(job.required("oldest_wait_ms").number(0, 10)).isEqualTo(8);

      String why = client.ask("explain", json -> json.writeStringProperty("job", "4711"));
      assertThat(why)
          .contains("because")
          .contains("\"allocated\":7")
          .contains("\"name\":\"tape\",\"target\":\"t\",\"rate\":\"20 MB/s\",\"waiting\":3")
          .contains("\"limits_elsewhere\":[\"nights\"]")
          .contains("last_minute");
      String rules = client.ask("rules", json -> json.writeStringProperty("action", "show"));
      assertThat(rules).contains("user=alice");
    }
  }

  @Test
  void whatCannotBeIsRefusedWithAReasonAndTheConnectionGoesOn() throws Exception {
    try (CommandClient client = new CommandClient(socket)) {
      assertRefused(client, "{\"command\":\"statsu\"}", "did you mean status?");
      assertRefused(client, "{\"command\":\"status\",\"job\":1}", "did you mean jobs?");
      assertRefused(client, "{}", "expected the key");
      assertRefused(client, "", "empty");
      assertRefused(client, "[1]", "expected a mapping");
      assertRefused(
          client,
          "{\"command\":\"job\",\"job\":\"a\"}",
          "a weight, a limit, a priority or a phase");
      assertRefused(client, "{\"command\":\"job\",\"job\":\"a\",\"weight\":0}", "1 to 10000000");
      assertRefused(client, "{\"command\":\"job\",\"job\":\"a\",\"limit\":\"3\"}", "20 MB/s");
      assertRefused(client, "{\"command\":\"explain\",\"job\":\"b\"}", "nothing is known of job");
      assertRefused(client, "{\"command\":\"policy\",\"name\":\"oops\"}", "no policy oops");
      assertRefused(
          client, "{\"command\":\"rules\",\"action\":\"load\",\"file\":\"x\"}", "begins with");
      assertThatThrownBy(() -> client.ask("explain", json -> json.writeStringProperty("job", "b")))
          .isInstanceOf(CommandClient.RefusedException.class);
      assertThat(client.exchange("{\"command\":\"status\"}")).contains("\"policy\":\"test\"");
    }
  }

  private static void assertRefused(CommandClient client, String request, String words)
      throws IOException {
    String answer = client.exchange(request);
    assertThat(answer).startsWith("{\"error\":");
    assertThat(CommandClient.read(answer).openMap().required("error").text()).contains(words);
  }

  /** Whatever comes in, it is answered or the connection is closed, and the next is served. */
  @Test
  void garbageDoesNoHarm() throws IOException {
    SeededCases.forAll(
        300,
        random -> {
          byte[] bytes = new byte[random.nextInt(400)];
          random.nextBytes(bytes);
          if (random.nextBoolean()) {
            byte[] request =
                "{\"command\":\"explain\",\"job\":\"4711\"}\n".getBytes(StandardCharsets.UTF_8);
            bytes = request.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer out = ByteBuffer.wrap(bytes);
            while (out.hasRemaining()) {
              channel.write(out);
            }
          }
        });
    try (CommandClient client = new CommandClient(socket)) {
      assertThat(client.exchange("{\"command\":\"status\"}")).contains("\"policy\":\"test\"");
    }
  }

  @Test
  void aLineWithoutAnEndIsCutOff() throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer out = ByteBuffer.allocate(CommandServer.REQUEST_BYTES_MAX + 1);
      while (out.hasRemaining()) {
        channel.write(out);
      }
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void silentConnectionsMakeRoomForNewOnes() throws IOException {
    List<SocketChannel> silent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }
    try (CommandClient client = new CommandClient(socket)) {
      assertThat(client.exchange("{\"command\":\"status\"}")).contains("\"policy\":\"test\"");
    }
    for (SocketChannel channel : silent) {
      channel.close();
    }
  }

  /** Remembers what it was asked. */
  private static class Recorder implements Administration {
    @Override
    public @Nullable FailoverControl failover() {
      return null;
    }

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Change> changes = new CopyOnWriteArrayList<>();

    @Override
    public List<HealthFinding> health(Duration patience) {
      return patience.toSeconds() > 60
          ? List.of()
          : List.of(new HealthFinding(HealthFinding.Kind.STUCK_TARGET, "t", "it is stuck"));
    }

    @Override
    public GatewayStatus status() {
      Target target = new Target("t", 100_000_000, TokenUnit.BYTES);
      JobFigures figures = new JobFigures(JOB, 0, 1, 2, 3, 1.5, 4, 8);
      return new GatewayStatus(
          "127.0.0.1",
          2049,
          20048,
          1,
          0,
          new Nfs4Figures(new Figures(5, 0, 2, 6, 7, 0, 8, 0), 64, 9, true, 10),
          List.of("a \"problem\""),
          "2 jobs",
          new LinkStatus(true, false, 3, System.nanoTime(), ""),
          new FailoverControl.Turn(
              "gateway-a", true, "gateway-a", 3, 4_000_000_000L, 5_000_000_000L, 6_000_000L, null),
          null,
          new ShareGrouping(List.of(ShareGrouping.Level.USER), Map.of()),
          "",
          Map.of(),
          List.of(),
          List.of(new TargetConfiguration(target, null, 8, true)),
          new ControlStatus(
              "test",
              100_000_000,
              Map.of(),
              false,
              List.of(),
              List.of(
                  new ControlStatus.TargetStatus(
                      target,
                      null,
                      1,
                      null,
                      null,
                      new ControlStatus.QueueFigures(1, 1),
                      List.of(),
                      List.of(
                          new ControlStatus.JobStatus(
                              figures, null, 1, 25e6, List.of("alice"), "2"))))));
    }

    @Override
    public ServiceTotals totals() {
      Target target = new Target("t", 100_000_000, TokenUnit.BYTES);
      JobStatistics busy =
          new JobStatistics(
              JOB, 10, 300, 400, 5, 2, 1_000, "alice", "staff", 3, 4, 60, 900, 1, 6, 4);
      JobStatistics quiet = new JobStatistics(JobId.of("quiet"), 1, 0, 0, 0, 0, 10);
      return new ServiceTotals(
          "test",
          Map.of(),
          false,
          2_000,
          List.of(
              new ServiceTotals.TargetTotals(
                  target,
                  null,
                  false,
                  2,
                  1,
                  List.of(
                      new ServiceTotals.JobTotals(busy, 7, 25e6),
                      new ServiceTotals.JobTotals(quiet, 1, 25e6)))));
    }

    @Override
    public void changed(Change change) {
      changes.add(change);
    }

    @Override
    public List<JobExplanation> explain(JobId job) {
      if (!job.equals(JOB)) {
        return List.of();
      }
      Explanation.Reason reason = new Explanation.Reason(JOB, Map.of("allocated", 7), "because");
      TbfRule tape = new TbfRule("tape", FlowMatch.ANY, LimitsReader.limit("20 MB/s"), null);
      LimitOnJob limit = new LimitOnJob("t", new RuleEffect(tape, 3, 1_500_000));
      return List.of(
          new JobExplanation(
              JOB,
              "all",
              reason,
              1,
              "well",
              List.of(limit),
              List.of("nights"),
              Map.of("t", List.of())));
    }

    @Override
    public void decideBy(String policy, Map<String, String> settings) {
      if (policy.equals("oops")) {
        throw new IllegalArgumentException("no policy oops");
      }
      calls.add("policy " + policy + " " + settings);
    }

    @Override
    public void setJob(JobId job, @Nullable Long weight, @Nullable TbfLimit limit) {
      calls.add("job " + job + " " + weight + " " + (limit == null ? null : limit.rate().tokens()));
    }

    @Override
    public void hint(JobId job, long phaseTokens) {
      calls.add("phase " + job + " " + phaseTokens);
    }

    @Override
    public void prioritise(JobId job, double priority) {
      calls.add("priority " + job + " " + priority);
    }

    @Override
    public void clearJob(JobId job) {
      calls.add("clear " + job);
    }

    @Override
    public RuleSet rules() {
      return RuleSet.parse("a: user=alice -> job=x");
    }

    @Override
    public RuleSet loadRules(Path file) {
      calls.add("load " + file);
      return rules();
    }

    @Override
    public Reading reload() {
      calls.add("reload");
      return new Reading(List.of(), new Earlier(List.of("policy changed"), 3_500_000_000L));
    }

    @Override
    public void observeOnly(boolean only) {
      calls.add("observe " + only);
    }

    @Override
    public void stop() {
      calls.add("stop");
    }
  }
}
