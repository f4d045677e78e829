package dev.sluice.lustre.lctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.LctlProgram;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.lustre.tbf.RuleCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real program between the stand-in and what talks to it. */
class ProcessLctlTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @TempDir Path directory;

  @Test
  void readsAndWritesThroughAProgram() throws Exception {
    StandInServer<String> standIn = StandInServer.filtering(LustreVersion.of(2, 15, 8), 2);
    standIn.served("a-OST0000", "a b", 5, 500, 1);
    try (LctlProgram program = new LctlProgram(directory, new StandInLctl(standIn))) {
      LustreServer server =
          new LustreServer(
              new ProcessLctl(program.program().toString(), PATIENCE_NANOS), LustreService.OST_IO);

      assertThat(server.version()).isEqualTo(LustreVersion.of(2, 15, 8));
      assertThat(server.policies().isByJob()).isTrue();
      assertThat(server.partitions()).isEqualTo(2);
      assertThat(server.rules().partitions()).isEqualTo(2);
      JobStatsDeltas deltas = new JobStatsDeltas();
      assertThat(server.readJobStats(JobIdForm.ESCAPED, deltas)).isNull();
      standIn.served("a-OST0000", "a b", 3, 500, 1);
      server.readJobStats(JobIdForm.ESCAPED, deltas);
      assertThat(deltas.take())
          .singleElement()
          .satisfies(activity -> assertThat(activity.rpcs()).isEqualTo(3));

      List<RuleCommand> starts =
          IntStream.range(0, 2_500)
              .<RuleCommand>mapToObj(i ->
                  new RuleCommand.Start(
                      "sl_" + i, new JobPattern.Exact("say\"" + i + "\""), 5, "default"))
              .toList();
      assertThat(server.write(starts)).isNull();
      assertThat(server.rules().namesWith("sl_")).hasSize(2_500);
      assertThat(standIn.list("sl_7")).isEqualTo("say\"7\"");
      assertThat(server.write(starts.subList(0, 2))).contains("File exists");
      standIn.reboot("fifo");
      assertThatThrownBy(server::rules)
          .isInstanceOfSatisfying(
              LctlException.class, e -> assertThat(e.exitCode()).isEqualTo(LctlException.ENODEV));
    }
  }

  @Test
  void whatCannotBeStartedOrDoesNotEndIsToldOf() throws Exception {
    assertThatThrownBy(() ->
            new ProcessLctl(directory.resolve("none").toString(), PATIENCE_NANOS)
                .run(List.of("get_param", "version"), (_, _) -> {}))
        .hasMessageContaining("none: cannot be started");
    Path hanging = directory.resolve("hanging");
    Files.writeString(hanging, "#!/bin/sh\nexec sleep 600\n");
    Files.setPosixFilePermissions(hanging, PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() ->
            new ProcessLctl(hanging.toString(), 300_000_000L)
                .run(List.of("get_param", "version"), (_, _) -> {}))
        .hasMessageContaining("get_param did not end within");
  }
}
