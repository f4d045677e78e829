package dev.sluice.app.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.slurm.SlurmDirectory;
import dev.sluice.jobs.slurm.SlurmJob;
import dev.sluice.jobs.slurm.SlurmSettings;
import dev.sluice.jobs.slurm.SlurmSettings.Source;
import dev.sluice.stage.agent.AgentProcess;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.InstalledPrograms;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real jobs of a real Slurm with the scripts of examples/slurm: their requests reach a gateway from
 * the addresses of their nodes, their tasks run under the stage, and nothing is left of them.
 */
@Timeout(300)
class RealSlurmTest {
  private static final int NODES = 4;
  private static final Path EXAMPLES = Path.of("..", "examples", "slurm");

  /** Two users that every Debian has. */
  private static final String ONE = "games";

  private static final String OTHER = "nobody";
  private static final int OTHER_UID = 65_534;
  private static final int MEASURED_SECONDS = 8;

  @TempDir static Path directory;

  private static @Nullable SlurmCluster cluster;
  private static final List<AgentProcess> AGENTS = new ArrayList<>();

  @BeforeAll
  static void startSlurm() throws Exception {
    SlurmCluster.assumePossible();
    Assumptions.assumeTrue(
        PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
    open(directory);
    openDirectory("out");
    openDirectory("mount");
    Files.createDirectory(directory.resolve("spool"));
    for (int node = 0; node < NODES; node++) {
      AGENTS.add(new AgentProcess(stageDirectory(node), TimeUnit.HOURS.toNanos(1)));
    }
    installRun();
    cluster =
        new SlurmCluster(
            directory,
            NODES,
            "PrologSlurmctld="
                + installed("prolog-slurmctld.sh")
                + "\nEpilogSlurmctld="
                + installed("epilog-slurmctld.sh")
                + "\nProlog="
                + installed("prolog.sh")
                + "\nPrologFlags=Alloc"
                + "\nTaskProlog="
                + installed("task-prolog.sh")
                + "\nEpilog="
                + installed("epilog.sh")
                + "\n");
  }

  @AfterAll
  static void stopSlurm() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
    for (AgentProcess agent : AGENTS) {
      agent.close();
    }
  }

  private static SlurmCluster slurm() {
    SlurmCluster running = cluster;
    if (running == null) {
      throw new IllegalStateException("no Slurm runs");
    }
    return running;
  }

  private static StageDirectory stageDirectory(int node) {
    return new StageDirectory(directory.resolve("stage-" + SlurmCluster.name(node)));
  }

  /** Jobs of other users come through here. */
  private static void open(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path openDirectory(String name) throws IOException {
    Path path = Files.createDirectory(directory.resolve(name));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    return path;
  }

  /** Where every user may execute it, as from /usr/lib/sluice. */
  private static void installRun() throws IOException {
    Path installed = Files.createDirectory(directory.resolve("native"));
    open(installed);
    Path run = PreloadLibrary.findRun().orElseThrow();
    for (Path file : List.of(run, PreloadLibrary.path())) {
      open(Files.copy(file, installed.resolve(file.getFileName())));
    }
  }

  /** One of the shipped scripts with its settings at the top set, as an administrator does. */
  private static Path installed(String name) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spool", directory.resolve("spool").toString());
    settings.put("run", directory.resolve("native/sluice-run").toString());
    settings.put("directory", directory + "/stage-$SLURMD_NODENAME");
    settings.put("mount", directory.resolve("mount").toString());
    settings.put("limit", "write=1MB/s");
    settings.put("patience", "100");
    String script = Files.readString(EXAMPLES.resolve(name));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      script =
          script.replaceFirst(
              "(?m)^" + setting.getKey() + "=.*$",
              Matcher.quoteReplacement(setting.getKey() + "=" + setting.getValue()));
    }
    Path file = Files.writeString(directory.resolve(name), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /**
   * A job with one node and nine writers and a job with three nodes and two writers on each, on one
   * target: left alone the first takes more, by their nodes the second gets three quarters. The
   * same on local files under the stage, where the prolog gives each node a rate. When the jobs
   * end, the gateway, the spool and the agents have forgotten them.
   */
  @Test
  void jobsShareByTheirNodesAndLeaveNothingBehind(TestReporter reporter) throws Exception {
    Assumptions.assumeTrue(InstalledPrograms.have("nfs-cp"), "nfs-cp is not installed");
    Path data = openDirectory("data");
    Path source = directory.resolve("source");
    Files.write(source, new byte[16 << 20]);
    open(source);
    try (Gateway gateway = Gateway.start(gatewayConfiguration(data))) {
      long small = slurm().submit(ONE, writers(gateway, source, 9), "--nodes=1");
      long large =
          slurm()
              .submit(
                  OTHER,
                  writers(gateway, source, 2),
                  "--nodes=3",
                  "--comment=all at once; sluice:phase=5GB");
      slurm()
          .await(
              "all writers to write",
              () ->
                  writersOf(data, small) == 9
                      && writersOf(data, large) == 6
                      && writersOf(mount(), small) == 1
                      && writersOf(mount(), large) == 3);

      Map<String, Long> byNodes = Map.of(Long.toString(small), 1L, Long.toString(large), 3L);
      slurm().await("both to be known by their nodes", () -> weights(gateway).equals(byNodes));
      assertThat(gateway.status().jobs()).startsWith("2 jobs of Slurm's by squeue");
      assertThat(gateway.status().problems()).isEmpty();
      assertThat(names(directory.resolve("spool")))
          .containsExactlyInAnyOrder(small + ".0", large + ".0");
      assertThat(directory.resolve("spool").resolve(large + ".0"))
          .content()
          .contains("\ncomment=all at once; sluice:phase=5GB\n");
      assertThat(staged(small)).isEqualTo(1);
      assertThat(staged(large)).isEqualTo(3);

      double[] before = bytes(data, small, large);
      TimePasses.forMillis(TimeUnit.SECONDS.toMillis(MEASURED_SECONDS));
      double[] after = bytes(data, small, large);
      double throughGateway = share(before[1], after[1], before[0], after[0]);
      double underStage = share(before[3], after[3], before[2], after[2]);
      reporter.publishEntry(
          "share of the job with 3 of 4 nodes",
          String.format(
              Locale.ROOT,
              "%.3f through the gateway, %.3f under the stage",
              throughGateway,
              underStage));
      assertThat(throughGateway).as("through the gateway").isBetween(0.70, 0.80);
      assertThat(underStage).as("under the stage").isBetween(0.70, 0.80);
      double megabytesPerSecond = (after[2] - before[2]) / 1e6 / MEASURED_SECONDS;
      assertThat(megabytesPerSecond).as("one node under its limit").isLessThan(1.3);

      slurm().cancel(small);
      slurm().cancel(large);
      slurm().awaitNoJobs();
      slurm().await("the gateway to forget", () -> gateway.status().jobs().startsWith("0 jobs"));
      assertThat(names(directory.resolve("spool"))).isEmpty();
      slurm().await("the agents to forget", () -> staged(small) + staged(large) == 0);
      for (int node = 0; node < NODES; node++) {
        assertThat(stageDirectory(node).jobs()).isEmpty();
      }
    }
  }

  private static Path mount() {
    return directory.resolve("mount");
  }

  private Path gatewayConfiguration(Path data) throws IOException {
    return Files.writeString(
        directory.resolve("sluice.yaml"),
        """
        listen: %1$s
        nfs-port: 0
        mount-port: 0
        portmapper: off
        state: %2$s/state-of-gateway
        policy: fair
        jobs:
          slurm: {poll: 2 s, spool: %2$s/spool, configuration: %3$s}
        targets: {disk: {capacity: 8 MB/s, workers: 2}}
        exports: {/data: {directory: %4$s, clients: [%5$s], privileged-ports: false}}
        """
            .formatted(
                slurm().gatewayAddress(),
                directory,
                slurm().configuration(),
                data,
                slurm().networkOfNodes()));
  }

  /** A job whose every node has writers over NFS, and one that writes below the mount point. */
  private String writers(Gateway gateway, Path source, int writers) {
    String url =
        ("nfs://%s/data/$SLURM_JOB_ID-$SLURMD_NODENAME-$writer-round-$round"
                + "?version=3&nfsport=%d&mountport=%d")
            .formatted(
                slurm().gatewayAddress(),
                gateway.nfsAddress().getPort(),
                gateway.mountAddress().getPort());
    return """
    cat > /tmp/sluice-task.$SLURM_JOB_ID <<'END'
    for writer in $(seq %d); do
      # Told to come later, as nine at once may be when they begin, it takes that for an error.
      (round=0; while nfs-cp %s "%s" >/dev/null || sleep 0.2; do round=$((round + 1)); done) &
    done
    echo "$SLURMD_NODENAME: ${SLUICE_STAGE-no stage} by ${LD_PRELOAD-nothing}"
    exec dd if=/dev/zero of=%s/$SLURM_JOB_ID-$SLURMD_NODENAME bs=64k count=16k status=none
    END
    task=$(cat /tmp/sluice-task.$SLURM_JOB_ID)
    rm /tmp/sluice-task.$SLURM_JOB_ID
    # All nodes are one machine here: what holds the first one's tasks would hold the others', too.
    unset SLUICE_STAGE LD_PRELOAD
    srun --ntasks-per-node=1 bash -c "$task"
    """
        .formatted(writers, source, url, mount());
  }

  private static double[] bytes(Path data, long small, long large) throws IOException {
    return new double[] {
      bytesOf(data, small), bytesOf(data, large), bytesOf(mount(), small), bytesOf(mount(), large)
    };
  }

  /** How many have written something; the names of a writer's files differ in the round alone. */
  private static long writersOf(Path files, long job) throws IOException {
    List<String> writers = new ArrayList<>();
    for (String name : names(files)) {
      if (name.startsWith(job + "-") && Files.size(files.resolve(name)) > 0) {
        writers.add(name.replaceFirst("-round-.*", ""));
      }
    }
    return writers.stream().distinct().count();
  }

  private static double bytesOf(Path files, long job) throws IOException {
    double bytes = 0;
    for (String name : names(files)) {
      if (name.startsWith(job + "-")) {
        try {
          bytes += (double) Files.size(files.resolve(name));
        } catch (NoSuchFileException e) {
          // It was about to be made.
        }
      }
    }
    return bytes;
  }

  private static double share(double before, double after, double otherBefore, double otherAfter) {
    return (after - before) / (after - before + otherAfter - otherBefore);
  }

  private static List<String> names(Path files) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
      all.forEach(file -> names.add(String.valueOf(file.getFileName())));
    }
    return names;
  }

  private static Map<String, Long> weights(Gateway gateway) {
    Map<String, Long> weights = new TreeMap<>();
    for (ControlStatus.JobStatus job : gateway.status().control().targets().getFirst().jobs()) {
      weights.put(job.figures().job().toString(), job.weight());
    }
    return weights;
  }

  /** On how many nodes an agent looks after the job. */
  private static long staged(long job) {
    return AGENTS.stream()
        .filter(agent -> agent.agent().job(JobId.of(Long.toString(job))).isPresent())
        .count();
  }

  /** Every way of asking tells of the same jobs, of two users on one node and of an array. */
  @Test
  void everyWayOfAskingFindsTheJobsOfTwoUsersOnOneNode() throws Exception {
    long one = slurm().submit(ONE, "sleep 200", "-p", "shared", "-n1", "-w", "n00", "-A", "bio");
    long other =
        slurm().submit(OTHER, "sleep 200", "-p", "shared", "-n1", "-w", "n00", "--array=3");
    List<Source> sources = new ArrayList<>(List.of(Source.SQUEUE, Source.SQUEUE_JSON));
    Path socket = openDirectory("rest").resolve("socket");
    if (InstalledPrograms.have("slurmrestd") && InstalledPrograms.have("setpriv")) {
      slurm()
          .start(
              "slurmrestd",
              "setpriv",
              "--reuid=" + OTHER,
              "--regid=nogroup",
              "--clear-groups",
              "slurmrestd",
              "-a",
              "rest_auth/local",
              "-s",
              "openapi/v0.0.38",
              "-f",
              slurm().configuration().toString(),
              "unix:" + socket);
      sources.add(Source.SLURMRESTD);
    }
    ClientAddress node = ClientAddress.parse(slurm().address(0));
    for (Source source : sources) {
      try (SlurmDirectory jobs = new SlurmDirectory(settings(source, socket))) {
        slurm().await(source + " to tell of both", () -> jobs.jobs().size() == 2);
        Job ofOther = jobs.behind(node, OTHER_UID);
        assertThat(ofOther).isNotNull();
        SlurmJob task = jobs.slurmJob(Long.parseLong(ofOther.id().toString()));
        assertThat(task).isNotNull();
        assertThat(task.array()).hasValue(other);
        assertThat(task.arrayTask()).hasValue(3);
        assertThat(task.user()).isEqualTo(OTHER);
        assertThat(task.startSeconds()).isPositive();
        assertThat(jobs.slurmJob(one)).extracting(SlurmJob::account).isEqualTo("bio");
        assertThat(jobs.slurmJob(one)).extracting(SlurmJob::nodeList).isEqualTo("n00");
        assertThat(jobs.behind(node, 12_345)).as("a third user").isNull();
        assertThat(jobs.problem()).isNull();
      }
    }
    slurm().cancel(one);
    slurm().cancel(other);
    slurm().awaitNoJobs();
  }

  private static SlurmSettings settings(Source source, Path socket) {
    return new SlurmSettings(
        source,
        TimeUnit.SECONDS.toNanos(1),
        null,
        slurm().configuration(),
        null,
        socket,
        List.of(),
        List.of());
  }
}
