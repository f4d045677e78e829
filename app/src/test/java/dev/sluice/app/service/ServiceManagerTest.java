package dev.sluice.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.app.SluiceProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager is told, by a socket that stands in for systemd's. */
@Tag("untimed")
@Timeout(300)
class ServiceManagerTest {
  private static final String LISTENER =
      """
      import socket, sys
      listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      listener.bind(sys.argv[1])
      print("listening", flush=True)
      while True:
          print(listener.recv(65536).decode().replace(chr(10), "|"), flush=True)
      """;

  @TempDir Path directory;
  private Path told;
  private Process listener;

  @BeforeEach
  void listen() throws Exception {
    told = directory.resolve("told");
    listener =
        new ProcessBuilder("python3", "-c", LISTENER, directory.resolve("notify").toString())
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    awaitTold("listening");
  }

  @AfterEach
  void stopListening() {
    listener.destroyForcibly();
  }

  private void awaitTold(String line) throws Exception {
    SluiceProcess.await(
        line, () -> Files.exists(told) && Files.readString(told).lines().anyMatch(line::equals));
  }

  private Map<String, String> environment(String... more) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("NOTIFY_SOCKET", directory.resolve("notify").toString());
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  @Test
  void aGatewayTellsThatItServesIsWellReadsAgainAndEnds() throws Exception {
    Files.createDirectory(directory.resolve("data"));
    Path file = directory.resolve("sluice.yaml");
    String configuration =
        """
        nfs-port: 0
        mount-port: 0
        state: state
        dashboard: off
        targets: {disk: {capacity: auto}}
        exports: {/data: {directory: data, privileged-ports: false}}
        """;
    Files.writeString(file, configuration);
    List<String> within =
        List.of(
            "env",
            // Whoever runs the tests may have it ignored, as nohup does.
            "--default-signal=HUP",
            "NOTIFY_SOCKET=" + directory.resolve("notify"),
            "WATCHDOG_USEC=500000");
    try (SluiceProcess gateway =
        new SluiceProcess(
            within, List.of(), directory.resolve("log"), "serve", "-c", file.toString())) {
      awaitTold("READY=1|STATUS=serving /data");
      awaitTold("WATCHDOG=1");

      Files.writeString(file, configuration + "observe-only: true\n");
      gateway.signal("HUP");
      gateway.awaitLine("SIGHUP: configuration read");
      Files.writeString(file, "nonsense: 1\n");
      gateway.signal("HUP");
      gateway.awaitLine("SIGHUP: nothing was changed");
      assertThat(gateway.isAlive()).isTrue();

      gateway.signal("TERM");
      awaitTold("STOPPING=1");
    }
  }

  @Test
  void aWatchdogIsNotToldWhereSomethingIsWrong() throws Exception {
    try (ServiceManager manager = new ServiceManager(environment("WATCHDOG_USEC", "1000"), 1)) {
      manager.ready("two\nlines", () -> List.of("a worker died"));
      awaitTold("STATUS=not well: a worker died");
    }
    awaitTold("STOPPING=1");
    assertThat(Files.readString(told)).contains("STATUS=two; lines").doesNotContain("WATCHDOG");
  }

  @Test
  void aWatchdogForAnotherProcessIsNotOurs() throws Exception {
    Map<String, String> environment = environment("WATCHDOG_USEC", "1000", "WATCHDOG_PID", "2");
    try (ServiceManager manager = new ServiceManager(environment, 1)) {
      manager.ready("ready", List::of);
    }
    awaitTold("STOPPING=1");
    assertThat(Files.readString(told)).doesNotContain("WATCHDOG");
  }

  @Test
  void nobodyIsToldWhereNobodyAsked() {
    try (ServiceManager manager = new ServiceManager(Map.of("WATCHDOG_USEC", "x"), 1)) {
      manager.ready("ready", List::of);
    }
    assertThatThrownBy(() -> new UnixDatagrams("/" + "x".repeat(200)).send(new byte[1]))
        .hasMessageContaining("expected the path of a socket");
    assertThatThrownBy(() -> new UnixDatagrams("/nobody/listens").send(new byte[1]))
        .hasMessageContaining("/nobody/listens");
  }

  @Test
  void theJournalGetsFieldsAndTextsOfSeveralLines() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("MESSAGE", "two\nlines");
    fields.put("PRIORITY", "4");
    assertThat(new String(JournalLog.encoded(fields), StandardCharsets.ISO_8859_1))
        .isEqualTo("MESSAGE\n\t\0\0\0\0\0\0\0two\nlines\nPRIORITY=4\n");
  }
}
