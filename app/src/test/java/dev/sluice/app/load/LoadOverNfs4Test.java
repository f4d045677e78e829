package dev.sluice.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scenario is played over NFS 4.1 as it is over NFSv3, against a real gateway. */
@Timeout(120)
@Tag("untimed")
class LoadOverNfs4Test {
  @TempDir Path directory;
  private Path configuration;
  private Path scenario;

  @BeforeEach
  void write() throws IOException {
    ThisUser me = ThisUser.find();
    Files.createDirectory(directory.resolve("data"));
    configuration =
        Files.writeString(
            directory.resolve("sluice.yaml"),
            """
            nfs-port: 0
            mount-port: 0
            nfs4: true
            dashboard: off
            state: state
            trust-claimed-jobs: true
            targets: {disk: {capacity: 1 GB/s}}
            exports:
              /scratch: {directory: data, squash: all, anonymous: {uid: %d, gid: %d},
                         privileged-ports: false}
            """
                .formatted(me.uid(), me.gid()));
    scenario =
        Files.writeString(
            directory.resolve("scenario.yaml"),
            """
            name: all-kinds
            end: 60 s
            targets: {disk: {bandwidth: 1 GB/s}}
            jobs:
              writer: {on: login, processes: {count: 2, sequential: {file: 3 MB, request: 64 KiB}}}
              reader:
                {on: login, processes: {count: 2, sequential: {operation: read, file: 3 MB}}}
              metadata:
                processes:
                  window: 8
                  metadata:
                    operations: 400
                    mix: {create: 5, unlink: 5, getattr: 3, rename: 2, mkdir: 1, rmdir: 2,
                          lookup: 1, readdir: 1, setattr: 1, access: 1, statfs: 1, link: 1,
                          symlink: 1, readlink: 1, open: 1, close: 1, mknod: 1}
              arrivals: {processes: {open-loop: {request: 10 kB, rate: 200 ops/s, requests: 100}}}
            """);
  }

  @Test
  void everyKindOfWorkIsPlayedReadBackAndRemoved() throws IOException {
    try (Gateway gateway = Gateway.start(configuration)) {
      Cli played = play(gateway, "/scratch", "--nfs", "4.1", "--verify", "--nconnect", "2");
      assertThat(played.err()).isEmpty();
      assertThat(played.exitCode()).isZero();
      assertThat(played.out()).contains("writer", "reader", "metadata", "arrivals", "13 MB");
      try (Stream<Path> left = Files.list(directory.resolve("data"))) {
        assertThat(left).as("what is left of it").isEmpty();
      }
      assertThat(gateway.totals().targets().getFirst().jobs())
          .as("who is charged, by the names in the paths")
          .extracting(job -> job.served().job().toString())
          .contains("writer", "reader", "metadata", "arrivals");
    }
  }

  @Test
  void aPathThatIsNotExportedIsNamed() throws IOException {
    try (Gateway gateway = Gateway.start(configuration)) {
      Cli played = play(gateway, "/elsewhere", "--nfs", "4.1");
      assertThat(played.exitCode()).isEqualTo(1);
      assertThat(played.err())
          .contains("/@writer/elsewhere be mounted", "LOOKUP was refused with NFS4ERR_NOENT");
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    List<String> command =
        List.of("load", scenario.toString(), "--server", "localhost:1", "--export", "/scratch");
    assertThat(with(command, "--nfs", "5").err()).contains("--nfs 5: expected 3 or 4.1");
    Cli ports = with(command, "--nfs", "4.1", "--mount-port", "1");
    assertThat(ports.exitCode()).isEqualTo(2);
    assertThat(ports.err()).contains("--mount-port 1: NFS 4.1 has no mounts of its own");
  }

  private Cli play(Gateway gateway, String export, String... more) {
    List<String> command =
        List.of(
            "load",
            scenario.toString(),
            "--server",
            "127.0.0.1:" + gateway.nfsAddress().getPort(),
            "--export",
            export,
            "--quiet");
    return with(command, more);
  }

  private static Cli with(List<String> command, String... more) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(more));
    return Cli.run(all.toArray(String[]::new));
  }
}
