package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.load.play.PlayListener;
import dev.sluice.load.play.PlaySettings;
import dev.sluice.load.play.ScenarioPlayer;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** AdapTBF in a gateway that is killed: who has borrowed still owes it afterwards. */
@Tag("untimed")
@Timeout(300)
class RememberedRecordsTest {
  private static final String GREEDY =
      "  greedy: {processes: {open-loop: {rate: 8 MB/s, request: 50 kB, spacing: regular}}}\n";
  private static final String MODEST =
      "  modest: {processes: {open-loop: {rate: 400 kB/s, request: 10 kB, spacing: regular}}}\n";
  private static final Pattern OWES = Pattern.compile("idle \"greedy\" -([0-9]+) ");

  @TempDir private Path directory;
  private final int port = SluiceProcess.freePort();
  private Path file;

  @BeforeEach
  void write() throws IOException {
    ThisUser me = ThisUser.find();
    Files.createDirectory(directory.resolve("files"));
    file =
        Files.writeString(
            directory.resolve("sluice.yaml"),
            """
            listen: 127.0.0.1
            nfs-port: %d
            mount-port: %d
            portmapper: off
            state: state
            dashboard: off
            trust-claimed-jobs: true
            policy: adaptbf
            targets: {disk: {capacity: 10 MB/s, pace: true}}
            exports:
              /disk:
                directory: files
                squash: all
                anonymous: {uid: %d, gid: %d}
                privileged-ports: false
            """
                .formatted(port, port, me.uid(), me.gid()));
  }

  private Path kept() {
    return directory.resolve("state").resolve("memory").resolve("adaptbf@disk.state");
  }

  private SluiceProcess serve() throws Exception {
    SluiceProcess gateway =
        new SluiceProcess(directory.resolve("log"), "serve", "-c", file.toString());
    awaitServing();
    return gateway;
  }

  private void awaitServing() throws Exception {
    SluiceProcess.await("it serves", () -> ask("status").startsWith("policy adaptbf"));
  }

  private String ask(String... words) {
    return Cli.ask(file, words);
  }

  private void play(String jobs) throws IOException {
    String yaml = "end: 3 s\ntargets: {t: {bandwidth: 10 MB/s}}\njobs:\n" + jobs;
    ThisUser me = ThisUser.find();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    PlaySettings settings =
        new PlaySettings(
            new ServerAddress(address, address),
            NfsVersion.V3,
            "/disk",
            true,
            new Credential.Sys("localhost", me.uid(), me.gid()),
            Duration.ofSeconds(30),
            16 << 20,
            false,
            true);
    new ScenarioPlayer(ScenarioReader.parse("live.yaml", yaml, Path.of(""), 1), 1, settings)
        .play("live", PlayListener.NONE);
  }

  /** What the file says that greedy owes; 0 before it does. */
  private long keptDebt() throws IOException {
    if (Files.notExists(kept())) {
      return 0;
    }
    Matcher matcher = OWES.matcher(Files.readString(kept()));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  @Test
  void whoHasBorrowedOwesItAfterACrashToo() throws Exception {
    try (SluiceProcess gateway = serve();
        ExecutorService players = Executors.newSingleThreadExecutor()) {
      play(GREEDY + MODEST);
      SluiceProcess.await("what greedy has borrowed is kept", () -> keptDebt() > 100_000);
      long owed = keptDebt();

      gateway.restart();
      awaitServing();
      gateway.awaitLine("adaptbf (disk) goes on from what it knew");
      // Alone it cannot borrow anything: what it owes is of before.
      AtomicBoolean over = new AtomicBoolean();
      Future<?> alone =
          players.submit(() -> {
            while (!over.get()) {
              play(GREEDY);
            }
            return null;
          });
      try {
        SluiceProcess.await(
            "it is explained that it owes " + owed,
            () -> {
              if (alone.isDone()) {
                alone.get();
              }
              return ask("explain", "greedy").contains("owes " + owed);
            });
      } finally {
        over.set(true);
      }
      alone.get();

      assertThat(ask("policy", "static")).doesNotContain("error");
      SluiceProcess.await("static decides", () -> ask("status").startsWith("policy static"));
      assertThat(ask("policy", "adaptbf")).doesNotContain("error");
      SluiceProcess.await("and back", () -> ask("status").startsWith("policy adaptbf"));
      SluiceProcess.await("the debt is there", () -> keptDebt() == owed);
      gateway.kill();
      whatIsDamagedIsSetAside();
    }
  }

  private void whatIsDamagedIsSetAside() throws Exception {
    String text = Files.readString(kept());
    Files.writeString(kept(), text.replace("idle \"greedy\" -", "idle \"greedy\" -1"));
    try (SluiceProcess gateway = serve()) {
      gateway.awaitLine("adaptbf (disk) begins anew: what was kept cannot be read: last line:");
      Path aside = kept().resolveSibling("adaptbf@disk.state.unreadable");
      assertThat(aside).exists();
      SluiceProcess.await("it keeps what it decides", () -> Files.exists(kept()));
      assertThat(keptDebt()).isZero();
    }
  }
}
