package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.AuditLog;
import dev.sluice.access.AuditRecord;
import dev.sluice.command.CommandClient;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.document.DocumentMap;
import dev.sluice.stage.NativeBuild;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.files.StateFile;
import dev.sluice.stage.files.StateFiles;
import dev.sluice.stage.library.LibraryFile;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonGenerator;

/** An agent as a process of its own, killed and started again. */
@Timeout(300)
class AgentProcessTest {
  private static final JobId JOB = JobId.of("4711");
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  @TempDir Path temporary;
  private Path mount;
  private StageDirectory directory;

  /** What is started in another virtual machine. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      try (AgentProcess agent =
          new AgentProcess(new StageDirectory(Path.of(arguments[0])), HOUR_NANOS)) {
        agent.awaitStop();
      }
    }
  }

  @BeforeEach
  void prepare() throws IOException {
    LibraryFile.path();
    directory = new StageDirectory(temporary.resolve("sluice"));
    mount = Files.createDirectories(temporary.resolve("mount")).toRealPath();
  }

  @Test
  void programsGoOnWithoutLimitsWhenTheAgentIsKilledAndWithThemWhenItIsBack() throws Exception {
    Path file = Files.write(mount.resolve("file"), new byte[1]);
    Process agent = startAgent();
    Map<String, String> environment = new HashMap<>();
    try (CommandClient client = new CommandClient(directory.agentSocket())) {
      String answer = client.ask("add", json -> job(json, "getattr=200/s"));
      Path job = Path.of(CommandClient.read(answer).openMap().required("directory").text());
      PreloadLibrary.enter(environment, job);
    }
    Process program =
        NativeBuild.start(
            environment,
            mount,
            List.of(
                NativeBuild.program("consume").toString(),
                "stat",
                file.toString(),
                "600",
                "1",
                "2"));
    Eventually.await("calls under the limit", () -> statCalls() > 100);
    long limited = statCalls();
    agent.destroyForcibly().waitFor();
    Eventually.await("more calls than the limit allows", () -> statCalls() - limited > 50_000);

    Process next = startAgent();
    long free = statCalls();
    Eventually.await("the limit holds again", () -> callsInASecond() < 600);
    Eventually.await("counters continue", () -> statCalls() > free + 100);

    program.descendants().forEach(ProcessHandle::destroyForcibly);
    program.destroyForcibly().waitFor();
    try (CommandClient client = new CommandClient(directory.agentSocket())) {
      client.ask("stop", _ -> {});
    }
    assertThat(next.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(next.exitValue()).isZero();
  }

  private Process startAgent() throws Exception {
    // Each goes by the socket that it makes: what the last one left must not be taken for it.
    Files.deleteIfExists(directory.agentSocket());
    Process agent =
        NativeBuild.start(
            Map.of(),
            temporary,
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path", ""),
                Program.class.getName(),
                directory.path().toString()));
    Eventually.await(
        "the agent answers",
        () -> {
          assertThat(agent.isAlive()).isTrue();
          return Files.exists(directory.agentSocket());
        });
    return agent;
  }

  private long callsInASecond() throws Exception {
    long before = statCalls();
    TimePasses.forMillis(1_000);
    return statCalls() - before;
  }

  private long statCalls() throws Exception {
    // As a file, because the agent that has the job may be dead.
    try (StateFile state = StateFiles.open(directory.directoryOf(JOB))) {
      return state.usage().getOrDefault(Operation.GETATTR, OperationUsage.NOTHING).calls();
    }
  }

  @Test
  void itAnswersWhateverItIsAsked() throws Exception {
    try (AgentProcess agent = new AgentProcess(directory, HOUR_NANOS);
        CommandClient client = new CommandClient(directory.agentSocket())) {
      assertThat(client.ask("status", _ -> {})).isEqualTo("{\"controller\":null,\"jobs\":[]}");
      client.ask("add", json -> job(json, "open=50/s,read=1MB/s"));
      client.ask(
          "limit",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeStringProperty("limits", "read=none,all=7/s");
          });
      DocumentMap job =
          CommandClient.read(client.ask("status", _ -> {}))
              .openMap()
              .required("jobs")
              .list()
              .getFirst()
              .openMap();
      assertThat(job.required("limits").list())
          .extracting(limit -> limit.openMap().required("scope").text())
          .containsExactly("open", "all");
      String metrics =
          CommandClient.read(client.ask("metrics", _ -> {})).openMap().required("text").text();
      assertThat(metrics)
          .contains(
              "# TYPE sluice_stage_calls_total counter",
              "sluice_stage_limit_per_second{job=\"4711\",scope=\"open\",counted=\"operations\"}"
                  + " 50");

      assertRefused(client, "{}", "command");
      assertRefused(client, "nonsense", "expected");
      assertRefused(
          client, "{\"command\":\"limit\",\"job\":\"1\",\"limits\":\"open=1/s\"}", "4711");
      assertRefused(
          client, "{\"command\":\"limit\",\"job\":\"4711\",\"limits\":\"opne=1/s\"}", "open");
      assertThatThrownBy(() -> client.ask("add", json -> job(json, "")))
          .hasMessage("job 4711 is looked after already");
      assertThatThrownBy(() -> new AgentProcess(directory, HOUR_NANOS))
          .hasMessageContaining("another agent runs here");

      client.ask("remove", json -> json.writeStringProperty("job", "4711"));
      assertThat(agent.agent().jobs()).isEmpty();
      assertThat(directory.jobs()).isEmpty();
    }
  }

  @Test
  void whoChangesALimitIsNotedDown() throws Exception {
    AuditLog audit = AuditLog.ofService(temporary);
    try (AgentProcess _ = new AgentProcess(directory, HOUR_NANOS, audit);
        CommandClient client = new CommandClient(directory.agentSocket())) {
      client.ask("add", json -> job(json, ""));
      assertRefused(
          client, "{\"command\":\"limit\",\"job\":\"4711\",\"limits\":\"opne=1/s\"}", "open");
      client.ask(
          "limit",
          json -> {
            json.writeStringProperty("job", "4711");
            json.writeStringProperty("limits", "read=none,all=7/s");
          });
    }
    List<AuditRecord> noted = new ArrayList<>();
    audit.verify(noted::add);
    assertThat(noted)
        .extracting(AuditRecord::what)
        .containsExactly("limits of job 4711: read=none,all=7/s");
  }

  @Test
  void jobsWithoutProcessesAreForgottenInTime() throws Exception {
    try (AgentProcess agent = new AgentProcess(directory, 1_000);
        CommandClient client = new CommandClient(directory.agentSocket())) {
      client.ask("add", json -> job(json, ""));
      Map<String, String> environment = new HashMap<>();
      PreloadLibrary.enter(environment, directory.directoryOf(JOB));
      Process program = NativeBuild.start(environment, mount, List.of("sleep", "60"));
      Path state = directory.directoryOf(JOB).resolve("state");
      Path memory = Path.of("/proc", Long.toString(program.pid()), "maps");
      Eventually.await(
          "the program has the job's files",
          () -> Files.readString(memory).contains(state.toString()));
      agent.sweep(System.nanoTime());
      agent.sweep(System.nanoTime());
      assertThat(agent.agent().jobs()).as("while it runs").hasSize(1);
      program.destroyForcibly().waitFor();
      agent.sweep(System.nanoTime() + 2_000);
      assertThat(agent.agent().jobs()).isEmpty();
    }
  }

  @Test
  void processesThatAreNotHeldAreTold() throws Exception {
    try (AgentProcess agent = new AgentProcess(directory, Long.MAX_VALUE);
        CommandClient client = new CommandClient(directory.agentSocket())) {
      client.ask("add", json -> job(json, ""));
      Map<String, String> environment = new HashMap<>();
      PreloadLibrary.enter(environment, directory.directoryOf(JOB));
      String unheld = NativeBuild.program("consume-static").toString();
      Process held = NativeBuild.start(environment, mount, List.of("sleep", "60"));
      Process free =
          NativeBuild.start(
              environment, mount, List.of(unheld, "stat", mount.toString(), "60", "1", "1"));
      StagedJob.Processes both = new StagedJob.Processes(1, 2, List.of("consume-static"));
      try {
        Eventually.await(
            "both are told apart",
            () -> {
              agent.sweep(System.nanoTime());
              return agent.agent().job(JOB).orElseThrow().seenProcesses().equals(both);
            },
            () -> String.valueOf(agent.agent().job(JOB).orElseThrow().seenProcesses()));
        String status = client.ask("status", _ -> {});
        assertThat(status)
            .contains(
                "\"attached\":1", "\"not-held\":2", "\"not-held-names\":[\"consume-static\"]");
        assertThat(client.ask("metrics", _ -> {}))
            .contains("sluice_stage_processes{job=\\\"4711\\\",held=\\\"no\\\"} 2");
      } finally {
        held.destroyForcibly();
        free.descendants().forEach(ProcessHandle::destroyForcibly);
        free.destroyForcibly();
      }
    }
  }

  private void job(JsonGenerator json, String limits) {
    json.writeStringProperty("job", JOB.toString());
    json.writeNumberProperty("user", StageDirectory.thisUser());
    json.writeArrayPropertyStart("mounts");
    json.writeString(mount.toString());
    json.writeEndArray();
    json.writeStringProperty("limits", limits);
  }

  private static void assertRefused(CommandClient client, String request, String words)
      throws IOException {
    assertThat(CommandClient.read(client.exchange(request)).openMap().required("error").text())
        .contains(words);
  }
}
