package dev.sluice.app.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.testkit.InstalledPrograms;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of two accounts of a real Slurm with a real accounting share as Slurm's books say. */
@Timeout(300)
class RealSlurmSharesTest {
  private static final long MEASURED_MILLIS = 4_000;

  /** Two users that every Debian has. */
  private static final String ONE = "games";

  private static final String OTHER = "nobody";

  @TempDir private Path directory;

  private Path openDirectory(String name) throws IOException {
    Path path = Files.createDirectory(directory.resolve(name));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    return path;
  }

  @Test
  void branchesWeighWhatSlurmsBooksSay(TestReporter reporter) throws Exception {
    SlurmCluster.assumeAccountsPossible();
    Assumptions.assumeTrue(InstalledPrograms.have("nfs-cp"), "nfs-cp is not installed");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    openDirectory("out");
    Path data = openDirectory("data");
    // Long enough that nobody loses time with the start of its next copy.
    Path source = Files.write(directory.resolve("source"), new byte[64 << 20]);
    // Physics has three quarters of the four shares of the science that it is in.
    List<String> accounts =
        List.of(
            "add account science fairshare=4",
            "add account physics parent=science fairshare=3",
            "add account biology parent=science fairshare=1",
            "add account teaching fairshare=1",
            "add user " + ONE + " account=physics fairshare=5",
            "add user mail account=biology",
            "add user " + OTHER + " account=teaching fairshare=parent");
    try (SlurmCluster slurm = new SlurmCluster(directory, 2, "", accounts)) {
      Path file = configure(slurm, data, "");
      try (Gateway gateway = Gateway.start(file)) {
        String writers = writers(slurm, gateway, source);
        long physics = slurm.submit(ONE, writers, "--nodes=1", "--account=physics");
        long teaching = slurm.submit(OTHER, writers, "--nodes=1", "--account=teaching");
        explained(slurm, file, physics, "physics / games / job %d: 3/4;");
        explained(slurm, file, teaching, "teaching / nobody / job %d: 1/4;");
        assertThat(Cli.ask(file, "explain", Long.toString(physics)))
            .contains("shares are divided by account, user, job, with the shares of Slurm");
        slurm.await(
            "both jobs to be served in their branches",
            () -> {
              String status = Cli.ask(file, "status");
              return status.contains("physics / games") && status.contains("teaching / nobody");
            });
        assertThat(Cli.ask(file, "status"))
            .contains("shares: by account, user, job; weights: Slurm's shares of 4 accounts, ")
            .doesNotContain("note:");
        assertThat(part(reporter, data, physics, teaching)).isBetween(0.70, 0.80);

        slurm.account("modify account teaching set fairshare=9");
        explained(slurm, file, physics, "physics / games / job %d: 1/4;");
        assertThat(part(reporter, data, physics, teaching)).isBetween(0.20, 0.30);

        // What is written counts for more; of shares there are as many as it says.
        configure(slurm, data, ", weights: {account: {teaching: 1}}");
        assertThat(Cli.ask(file, "reload")).contains("shares changed");
        explained(slurm, file, physics, "physics / games / job %d: 3/4;");

        slurm.endController();
        assertThat(Cli.ask(file, "reload")).isNotEmpty();
        slurm.await(
            "the age of what is known to be told",
            () -> Cli.ask(file, "status").contains("note: Slurm's shares are as they were "));
        assertThat(explains(file, physics, "physics / games / job %d: 3/4;")).isTrue();
      }
    }
  }

  private Path configure(SlurmCluster slurm, Path data, String weights) throws IOException {
    return Files.writeString(
        directory.resolve("sluice.yaml"),
        """
        listen: %1$s
        nfs-port: 0
        mount-port: 0
        portmapper: off
        dashboard: off
        state: %2$s/state-of-gateway
        policy: fair
        jobs: {slurm: {poll: 1 s, configuration: %3$s}}
        shares: {by: [account, user, job], weights-from: slurm%6$s}
        targets: {disk: {capacity: 8 MB/s, workers: 2}}
        exports: {/data: {directory: %4$s, clients: [%5$s], privileged-ports: false}}
        """
            .formatted(
                slurm.gatewayAddress(),
                directory,
                slurm.configuration(),
                data,
                slurm.networkOfNodes(),
                weights));
  }

  /** Keeps more requests waiting than it may have, until it is ended. */
  private static String writers(SlurmCluster slurm, Gateway gateway, Path source) {
    String url =
        "nfs://%s/data/$SLURM_JOB_ID-$writer-$round?version=3&nfsport=%d&mountport=%d"
            .formatted(
                slurm.gatewayAddress(),
                gateway.nfsAddress().getPort(),
                gateway.mountAddress().getPort());
    return """
    for writer in 1 2 3 4; do
      (round=0; while nfs-cp %s "%s" >/dev/null; do round=$((round + 1)); done) &
    done
    wait
    """
        .formatted(source, url);
  }

  private static boolean explains(Path file, long job, String words) {
    Cli told = Cli.run("explain", Long.toString(job), "-c", file.toString());
    return told.out().contains(words.formatted(job));
  }

  /**
   * Asks for Slurm's jobs until it is so: one that was slow to answer, as it is just after its own
   * start, is left alone for twenty times as long.
   */
  private static void explained(SlurmCluster slurm, Path file, long job, String words)
      throws Exception {
    slurm.await(
        "job " + job + " to be in its branch",
        () -> {
          assertThat(Cli.ask(file, "reload")).isNotEmpty();
          return explains(file, job, words);
        });
  }

  /** Which part of what is written from now on is of the first of two jobs. */
  private static double part(TestReporter reporter, Path data, long one, long other)
      throws Exception {
    double[] before = {bytes(data, one), bytes(data, other)};
    TimePasses.forMillis(MEASURED_MILLIS);
    double ofOne = bytes(data, one) - before[0];
    double part = ofOne / (ofOne + bytes(data, other) - before[1]);
    reporter.publishEntry("share", String.format(Locale.ROOT, "%.3f", part));
    return part;
  }

  private static double bytes(Path files, long job) throws IOException {
    double bytes = 0;
    try (DirectoryStream<Path> written = Files.newDirectoryStream(files, job + "-*")) {
      for (Path file : written) {
        bytes += (double) Files.size(file);
      }
    }
    return bytes;
  }
}
