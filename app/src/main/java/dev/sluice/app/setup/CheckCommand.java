package dev.sluice.app.setup;

import dev.sluice.app.BadInputException;
import dev.sluice.app.ConfigurationFile;
import dev.sluice.app.Policies;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.app.lustre.ControllerKey;
import dev.sluice.control.config.AggregatorConfiguration;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.Documents;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says whether a program would start with a configuration. */
@Command(
    name = "check",
    description = {
      "Check a configuration before a program is restarted with it.",
      "",
      "FILE is that of a gateway, a controller, an aggregator or Lustre's agent; its keys say",
      "which. All that the program would read at its start is read, and nothing is changed.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 it is good; 2 it is not, and one line says where and what was expected.",
      "",
      "Example: ./sluice check -c examples/control/controller.yaml"
    })
public final class CheckCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationFile file = new ConfigurationFile("sluice.yaml");

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println(file + " is good: " + words(file.path()));
  }

  /** What the file is for; throws where it is not good. */
  private static String words(Path file) {
    DocumentMap keys = Documents.read(file.toString(), InputStream.nullInputStream()).openMap();
    if (keys.optional("exports") != null || keys.optional("targets") != null) {
      return gateway(file);
    }
    if (keys.optional("controllers") != null) {
      AggregatorConfiguration read = AggregatorConfiguration.read(file);
      return "an aggregator called " + read.name();
    }
    if (keys.optional("listen") != null) {
      ControllerConfiguration read = ControllerConfiguration.read(file);
      return "a controller that listens on " + read.listen();
    }
    if (keys.optional("capacity") != null) {
      HistorySettings.read(file);
      ControllerKey controller = ControllerKey.read(file);
      return "Lustre's service "
          + LustreConfigurationReader.read(file).service().text()
          + (controller == null ? "" : ", " + controller.name() + " to its controller");
    }
    throw new BadInputException(
        file
            + ": expected the configuration of a gateway (exports), a controller (listen), an"
            + " aggregator (controllers) or Lustre's agent (capacity)");
  }

  private static String gateway(Path file) {
    GatewayConfiguration read = ConfigurationReader.read(file, Policies.ALL);
    HistorySettings.read(file);
    for (ExportConfiguration export : read.exports()) {
      if (!Files.isDirectory(export.directory())) {
        throw new BadInputException(
            file
                + ": export "
                + export.path()
                + ": "
                + export.directory()
                + ": expected a directory, and there is none");
      }
    }
    int exports = read.exports().size();
    return "a gateway with "
        + exports
        + (exports == 1 ? " export" : " exports")
        + ", policy "
        + read.policy().info().name()
        + (read.observesOnly() ? ", observing only" : "");
  }
}
