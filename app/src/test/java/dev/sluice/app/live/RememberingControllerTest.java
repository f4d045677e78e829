package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.ControlledGateway;
import dev.sluice.app.SluiceProcess;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.gateway.Gateway;
import dev.sluice.ledger.states.SqlStates;
import dev.sluice.ledger.states.StateKey;
import dev.sluice.ledger.states.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A controller whose policy remembers something: its successor goes on from that. */
@Tag("untimed")
@Timeout(300)
class RememberingControllerTest {
  private static final StateKey KEY = new StateKey("rnd", StateKey.ALL_TARGETS);
  private static final Pattern DECISIONS = Pattern.compile("\ndecisions ([0-9]+)\n");

  @TempDir private Path directory;

  @Test
  void aSuccessorGoesOnCounting() throws Exception {
    int port = SluiceProcess.freePort();
    ControllerConfiguration configuration =
        ControllerConfiguration.read(
            Files.writeString(
                directory.resolve("controller.yaml"),
                """
                listen: 127.0.0.1:%d
                api: none
                state: controller
                gateways: {policy: rnd, period: 200 ms}
                """
                    .formatted(port)));
    Path file =
        ControlledGateway.write(
            directory.resolve("g1"),
            "g1",
            SluiceProcess.freePort(),
            "127.0.0.1:" + port,
            "4 MB/s",
            "");
    try (Gateway _ = ControlledGateway.start(file)) {
      try (ControllerProcess _ = new ControllerProcess(configuration)) {
        SluiceProcess.await("some decisions are kept", () -> decisions(configuration) >= 5);
      }
      long before = decisions(configuration);
      try (ControllerProcess _ = new ControllerProcess(configuration)) {
        SluiceProcess.await(
            "another one is kept",
            () -> {
              long now = decisions(configuration);
              assertThat(now).as("never begun anew").isGreaterThanOrEqualTo(before);
              return now > before;
            });
      }
    }
  }

  /** How many decisions the store knows of. */
  private static long decisions(ControllerConfiguration configuration) throws IOException {
    try (StateStore store = new SqlStates(configuration.store(), SqlStates.Keeper.CONTROLLER)) {
      String text = store.load(KEY, 0);
      Matcher matcher = DECISIONS.matcher(text == null ? "" : text);
      return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
  }
}
