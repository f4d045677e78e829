package dev.sluice.app.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a controller with keys is configured with in tests of these. */
final class KeyedController {
  private KeyedController() {}

  /**
   * Writes the configuration and its limits.
   *
   * @param directory where the keys are, too
   */
  static Path configure(Path directory, int port) throws IOException {
    Files.writeString(
        directory.resolve("limits.yaml"),
        "limits: [{name: test, job: '*', rates: {metadata: 123 ops/s}}]\n");
    return Files.writeString(
        directory.resolve("controller.yaml"),
        """
        listen: 127.0.0.1:%d
        api: none
        keys: keys
        state: controller
        document: limits.yaml
        period: 500 ms
        gateways: {policy: gift, period: 1 s}
        """
            .formatted(port));
  }
}
