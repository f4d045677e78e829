package dev.sluice.app.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Slurm on this machine: munged, slurmctld, and for each node a slurmd in a network
 * namespace with an address and a host name of its own. All of it is made here and taken away
 * again.
 */
final class SlurmCluster implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of("munged", "slurmctld", "slurmd", "squeue", "sbatch", "scancel", "scontrol", "sinfo");

  private static final String NAME = "test";

  private final Path directory;
  private final int nodes;
  private final String bridge;
  private final String network;
  private final Path configuration;
  private final List<String> submitted = new ArrayList<>();
  private final Deque<Cleanup> cleanups = new ArrayDeque<>();
  private @Nullable Process controller;
  private final Thread atExit = new Thread(this::cleanUp, "slurm-cluster-cleanup");

  /** Takes something away again. */
  private interface Cleanup {
    void run() throws IOException, InterruptedException;
  }

  /** Says why this machine cannot have such a cluster, and ends the test. */
  static void assumePossible() {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "only root can make network namespaces and start slurmd");
    for (String program : PROGRAMS) {
      Assumptions.assumeTrue(
          InstalledPrograms.have(program),
          program + " is not installed; on Debian: slurmctld, slurmd, slurm-client, munge");
    }
    Assumptions.assumeTrue(
        InstalledPrograms.have("nsenter"), "nsenter is not installed (util-linux)");
    Assumptions.assumeTrue(InstalledPrograms.have("ip"), "ip is not installed (iproute2)");
    String probe = "slprobe" + ProcessHandle.current().pid();
    try {
      boolean possible = run(Map.of(), "ip", "netns", "add", probe).code == 0;
      run(Map.of(), "ip", "netns", "del", probe);
      Assumptions.assumeTrue(possible, "no network namespace can be made here");
    } catch (IOException | InterruptedException e) {
      Assumptions.abort("no network namespace can be made here: " + e.getMessage());
    }
  }

  /** Says why such a cluster cannot have accounts here, and ends the test. */
  static void assumeAccountsPossible() {
    assumePossible();
    for (String program : List.of("slurmdbd", "sacctmgr", "sshare", "mariadbd")) {
      Assumptions.assumeTrue(
          InstalledPrograms.have(program),
          program + " is not installed; on Debian: slurmdbd, slurm-client, mariadb-server");
    }
  }

  /**
   * Starts a cluster.
   *
   * @param hooks what else slurm.conf says
   */
  SlurmCluster(Path directory, int nodes, String hooks) throws Exception {
    this(directory, nodes, hooks, List.of());
  }

  /**
   * Starts a cluster that has accounts.
   *
   * @param accounts what sacctmgr is told before the cluster begins, one sentence each; none for a
   *     cluster without accounting
   */
  SlurmCluster(Path directory, int nodes, String hooks, List<String> accounts) throws Exception {
    this.directory = directory;
    this.nodes = nodes;
    long pid = ProcessHandle.current().pid();
    this.bridge = "sl" + pid;
    // Private addresses that another run of this test at the same time does not have.
    this.network = "10." + (200 + pid % 50) + "." + pid / 50 % 250;
    this.configuration = directory.resolve("slurm.conf");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      makeNetwork();
      writeConfiguration(hooks);
      startMunge();
      if (!accounts.isEmpty()) {
        startAccounting(accounts);
      }
      startController();
      for (int node = 0; node < nodes; node++) {
        start(
            name(node),
            "nsenter",
            "--net=/run/netns/" + namespace(node),
            "unshare",
            "--uts",
            "sh",
            "-c",
            "hostname "
                + name(node)
                + "; exec slurmd -D -f "
                + configuration
                + " -N "
                + name(node));
      }
      await("all nodes to be idle", () -> idleNodes() == nodes);
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private void makeNetwork() throws IOException, InterruptedException {
    cleanups.push(() -> run(Map.of(), "ip", "link", "del", bridge));
    must("ip", "link", "add", bridge, "type", "bridge");
    must("ip", "addr", "add", gatewayAddress() + "/24", "dev", bridge);
    must("ip", "link", "set", bridge, "up");
    for (int node = 0; node < nodes; node++) {
      String namespace = namespace(node);
      String cable = "v" + node + bridge;
      cleanups.push(() -> run(Map.of(), "ip", "netns", "del", namespace));
      cleanups.push(() -> run(Map.of(), "ip", "link", "del", cable));
      must("ip", "netns", "add", namespace);
      must("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", namespace);
      must("ip", "link", "set", cable, "master", bridge, "up");
      must("ip", "-n", namespace, "link", "set", "lo", "up");
      must("ip", "-n", namespace, "link", "set", "eth0", "up");
      must("ip", "-n", namespace, "addr", "add", address(node) + "/24", "dev", "eth0");
    }
  }

  private void writeConfiguration(String hooks) throws IOException {
    for (String name : List.of("state", "log")) {
      Files.createDirectory(directory.resolve(name));
    }
    Files.createDirectory(
        directory.resolve("munge"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
    Files.writeString(directory.resolve("plugstack.conf"), "");
    StringBuilder text = new StringBuilder();
    text.append(
        """
        ClusterName=%5$s
        SlurmctldHost=%1$s(%2$s)
        SlurmctldPort=%3$d
        SlurmUser=root
        SlurmdUser=root
        AuthInfo=socket=%4$s/munge/socket
        StateSaveLocation=%4$s/state
        SlurmdSpoolDir=%4$s/slurmd.%%n
        SlurmctldPidFile=%4$s/slurmctld.pid
        SlurmdPidFile=%4$s/slurmd.%%n.pid
        SlurmctldLogFile=%4$s/log/slurmctld
        SlurmdLogFile=%4$s/log/slurmd.%%n
        PlugStackConfig=%4$s/plugstack.conf
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        SlurmdParameters=config_overrides
        SchedulerParameters=sched_min_interval=0,bf_interval=1
        ReturnToService=2
        MailProg=/bin/true
        KillWait=2
        """
            .formatted(
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
                gatewayAddress(),
                freePort(gatewayAddress()),
                directory,
                NAME));
    for (int node = 0; node < nodes; node++) {
      text.append("NodeName=" + name(node) + " NodeAddr=" + address(node));
      text.append(" CPUs=4 RealMemory=1000 State=UNKNOWN\n");
    }
    text.append("PartitionName=whole Nodes=ALL Default=YES State=UP OverSubscribe=EXCLUSIVE\n");
    text.append("PartitionName=shared Nodes=ALL State=UP OverSubscribe=NO\n");
    text.append(hooks);
    Files.writeString(configuration, text);
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
      return socket.getLocalPort();
    }
  }

  private void startMunge() throws Exception {
    Path munge = directory.resolve("munge");
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Files.write(munge.resolve("key"), key);
    Files.setPosixFilePermissions(
        munge.resolve("key"), PosixFilePermissions.fromString("r--------"));
    start(
        "munged",
        "munged",
        "--foreground",
        "--force",
        "--key-file=" + munge.resolve("key"),
        "--socket=" + munge.resolve("socket"),
        "--pid-file=" + munge.resolve("pid"),
        "--log-file=" + munge.resolve("log"),
        "--seed-file=" + munge.resolve("seed"));
    await("munged to listen", () -> Files.exists(munge.resolve("socket")));
  }

  /** A database, the daemon that keeps Slurm's accounts in it, and who is in them. */
  private void startAccounting(List<String> accounts) throws Exception {
    Path data = directory.resolve("database");
    must(
        "mariadb-install-db",
        "--no-defaults",
        "--user=root",
        "--datadir=" + data,
        "--auth-root-authentication-method=socket",
        "--skip-test-db");
    Path socket = directory.resolve("database.socket");
    start(
        "mariadbd",
        "mariadbd",
        "--no-defaults",
        "--user=root",
        "--datadir=" + data,
        "--socket=" + socket,
        "--pid-file=" + directory.resolve("database.pid"),
        "--skip-networking");
    await("mariadbd to listen", () -> Files.exists(socket));
    int port = freePort("127.0.0.1");
    Path own = directory.resolve("slurmdbd.conf");
    Files.writeString(
        own,
        """
        AuthType=auth/munge
        AuthInfo=socket=%2$s/munge/socket
        CommunicationParameters=NoInAddrAny
        DbdHost=localhost
        DbdAddr=127.0.0.1
        DbdPort=%1$d
        SlurmUser=root
        LogFile=%2$s/log/slurmdbd
        PidFile=%2$s/slurmdbd.pid
        StorageType=accounting_storage/mysql
        StorageHost=localhost
        StorageUser=root
        StorageLoc=slurm_accounts
        """
            .formatted(port, directory));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        configuration,
        """
        AccountingStorageType=accounting_storage/slurmdbd
        AccountingStorageHost=127.0.0.1
        AccountingStoragePort=%1$d
        AccountingStoragePass=%2$s/munge/socket
        """
            .formatted(port, directory),
        StandardOpenOption.APPEND);
    start(Map.of("MYSQL_UNIX_PORT", socket.toString()), "slurmdbd", "slurmdbd", "-D");
    await("slurmdbd to listen", () -> accounting("show cluster").code == 0);
    account("add cluster " + NAME);
    for (String sentence : accounts) {
      account(sentence);
    }
  }

  /** Tells sacctmgr something: {@code add account physics fairshare=3}. */
  void account(String sentence) throws IOException, InterruptedException {
    Output told = accounting(sentence);
    assertThat(told.code).as("%s: %s", sentence, told.text).isZero();
  }

  private Output accounting(String sentence) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sacctmgr", "--immediate", "--quiet"));
    command.addAll(List.of(sentence.split(" ")));
    return run(environment(), command.toArray(String[]::new));
  }

  /** Starts the daemon that answers all questions about jobs and shares. */
  private void startController() throws IOException {
    controller = start("slurmctld", "slurmctld", "-D", "-f", configuration.toString());
  }

  /** Ends it; jobs go on. */
  void endController() throws InterruptedException {
    if (controller != null) {
      end(controller);
    }
  }

  /** Starts a program that runs until the cluster ends. */
  Process start(String name, String... command) throws IOException {
    return start(Map.of(), name, command);
  }

  private Process start(Map<String, String> further, String name, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(further);
    builder.environment().put("SLURM_CONF", configuration.toString());
    builder.redirectErrorStream(true);
    builder.redirectOutput(directory.resolve(name + ".out").toFile());
    Process process = builder.start();
    cleanups.push(() -> end(process));
    return process;
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  private long idleNodes() throws IOException, InterruptedException {
    Output answer =
        run(environment(), "sinfo", "-h", "-N", "-p", "whole", "-t", "idle", "-o", "%N");
    return answer.text.lines().distinct().count();
  }

  private Map<String, String> environment() {
    return Map.of("SLURM_CONF", configuration.toString());
  }

  Path configuration() {
    return configuration;
  }

  static String name(int node) {
    return "n0" + node;
  }

  private String namespace(int node) {
    return bridge + "-" + name(node);
  }

  String address(int node) {
    return network + "." + (10 + node);
  }

  /** Where all nodes reach this machine. */
  String gatewayAddress() {
    return network + ".1";
  }

  String networkOfNodes() {
    return network + ".0/24";
  }

  /** Submits a job, and gives its number. */
  long submit(String user, String script, String... options) throws Exception {
    Path file = Files.createTempFile(directory, "job", ".sh");
    Files.writeString(file, "#!/bin/bash\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = new ArrayList<>(List.of("sbatch", "--parsable", "--uid=" + user));
    command.addAll(
        List.of("--chdir=/tmp", "--output=" + directory + "/out/%j", "--open-mode=append"));
    command.addAll(List.of(options));
    command.add(file.toString());
    String job = must(command.toArray(String[]::new)).strip();
    submitted.add(job);
    return Long.parseLong(job);
  }

  void cancel(long job) throws IOException, InterruptedException {
    must("scancel", Long.toString(job));
  }

  /** Waits until Slurm has tidied up after all jobs. */
  void awaitNoJobs() throws Exception {
    await("all jobs to end", () -> run(environment(), "squeue", "-h", "-o", "%A").text.isBlank());
  }

  private String must(String... command) throws IOException, InterruptedException {
    Output output = run(environment(), command);
    assertThat(output.code).as(String.join(" ", command) + ": " + output.text).isZero();
    return output.text;
  }

  private record Output(int code, String text) {}

  private static Output run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Output(process.waitFor(), text);
  }

  /** Waits until something holds, for as long as a busy machine may need. */
  void await(String what, Eventually.Condition holds) throws Exception {
    Eventually.await(what, holds, () -> "\n" + logs());
  }

  /** The ends of all logs, for a message. */
  String logs() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String where : List.of("log", "out", "")) {
      if (!Files.isDirectory(directory.resolve(where))) {
        continue;
      }
      try (var files = Files.newDirectoryStream(directory.resolve(where))) {
        for (Path file : files) {
          if (Files.isRegularFile(file) && (!where.isEmpty() || file.toString().endsWith(".out"))) {
            List<String> lines = Files.readAllLines(file);
            text.append("== ").append(file.getFileName()).append('\n');
            lines
                .subList(Math.max(0, lines.size() - 12), lines.size())
                .forEach(line -> text.append(line).append('\n'));
          }
        }
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    try {
      if (controller != null && !controller.isAlive()) {
        // Nobody else ends the jobs.
        startController();
        await("slurmctld to answer", () -> run(environment(), "squeue").code == 0);
      }
      List<String> command = new ArrayList<>(List.of("scancel", "--quiet"));
      command.addAll(submitted);
      run(environment(), command.toArray(String[]::new));
      awaitNoJobs();
    } catch (Exception e) {
      // Whatever of it still runs loses its network, and the daemons end.
    } finally {
      cleanUp();
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException e) {
        // The hook runs already, and finds nothing left to do.
      }
    }
  }

  private synchronized void cleanUp() {
    while (!cleanups.isEmpty()) {
      try {
        cleanups.pop().run();
      } catch (IOException e) {
        // It is gone already.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
