package dev.sluice.app.calibrate;

import dev.sluice.app.FailedException;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.serve.GatewayOption;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.studies.calibrate.Calibration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures what a directory's storage can do. */
@Command(
    name = "calibrate",
    description = {
      "Measure what the storage behind a directory can do, and print the lines for the",
      "configuration of ./sluice serve. Without a directory, print what a gateway that runs has",
      "found out (capacity: auto), which is what its own use of the storage showed.",
      "",
      "Large blocks are written and read past the page cache where the file system allows it,",
      "then small files are made, looked at, renamed and removed. All of it happens in a hidden",
      "directory below DIR that is removed again, and takes at most a quarter of the free",
      "space. Others who use the storage meanwhile make it look slower than it is.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice calibrate /srv/scratch"})
public final class CalibrateCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "A directory on the storage to measure.")
  String directory = "";

  @Option(
      names = "--seconds",
      paramLabel = "NUMBER",
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  int seconds = 10;

  @Option(
      names = "--target",
      paramLabel = "NAME",
      description = "What to call the target (default: ${DEFAULT-VALUE}).")
  String target = "disk";

  @Option(
      names = "--resources",
      description = {
        "Print what was found out as the resources of a controller's document, to which the",
        "stages of all nodes are held that use the same storage without a gateway."
      })
  boolean resources;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    if (resources) {
      if (!directory.isEmpty()) {
        throw new ParameterException(
            command.commandLine(), "--resources: expected no directory; it is what was found out");
      }
      printResources(command.commandLine().getOut());
      return;
    }
    if (directory.isEmpty()) {
      printFound(command.commandLine().getOut());
      return;
    }
    Path path = Path.of(directory);
    if (!Files.isDirectory(path)) {
      throw new ParameterException(command.commandLine(), directory + ": expected a directory");
    }
    ProgressBar progress = ProgressBar.onConsole(command.commandLine().getErr(), "measuring");
    try (Calibration calibration = new Calibration(path)) {
      Thread onInterrupt = new Thread(calibration::close, "on-interrupt");
      Runtime.getRuntime().addShutdownHook(onInterrupt);
      Calibration.Result result =
          calibration.run(Math.max(1, seconds) * 1_000_000_000L, progress::update);
      progress.clear();
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
      print(result, command.commandLine().getOut());
    } catch (IOException e) {
      throw new FailedException(directory + ": cannot be measured: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private void printFound(PrintWriter out) {
    DocumentMap status =
        gateway.answer("status", request -> request.writeNumberProperty("jobs", 0));
    out.println("targets:");
    for (DocumentNode node : status.required("targets").list()) {
      DocumentMap seen = node.openMap();
      String name = seen.required("name").text();
      DocumentNode found = seen.required("found");
      if (!found.isMap()) {
        out.println("  # " + name + ": its capacity was written, and nothing is found out");
      } else if (!found.openMap().required("known").bool()) {
        out.println("  # " + name + ": " + found.openMap().required("words").text());
      } else if (countsOperations(seen)) {
        out.println(
            "  # "
                + name
                + " is a Lustre service, whose configuration would say capacity: "
                + operations(found.openMap()));
      } else {
        double bytes = found.openMap().required("tokens_per_second").number(0, Double.MAX_VALUE);
        double operations =
            bytes / seen.required("tokens_per_operation").number(1, Double.MAX_VALUE);
        printTarget(name, bytes, operations, out);
      }
    }
  }

  /** Whether bytes cost nothing on a target, as on a Lustre service. */
  private static boolean countsOperations(DocumentMap target) {
    return target.required("tokens_per_byte").number(0, Double.MAX_VALUE) == 0;
  }

  private static String operations(DocumentMap found) {
    double perSecond = found.required("tokens_per_second").number(0, Double.MAX_VALUE);
    return Quantities.formatRate(twoDigits(perSecond), Counted.OPERATIONS);
  }

  /** All targets together: a document's resource is what all jobs on all nodes may have. */
  private void printResources(PrintWriter out) {
    DocumentMap status =
        gateway.answer("status", request -> request.writeNumberProperty("jobs", 0));
    double bytes = 0;
    double operations = 0;
    for (DocumentNode node : status.required("targets").list()) {
      DocumentMap seen = node.openMap();
      DocumentNode found = seen.required("found");
      if (countsOperations(seen)) {
        out.println(
            "# "
                + seen.required("name").text()
                + " is a Lustre service: what it can do is no advice for nodes");
      } else if (found.isMap() && found.openMap().required("known").bool()) {
        DocumentMap belief = found.openMap();
        double tokens = belief.required("tokens_per_second").number(0, Double.MAX_VALUE);
        double price =
            seen.required("tokens_per_operation").number(1, Double.MAX_VALUE)
                * belief.required("prices").openMap().required("metadata").number(0, 1e9);
        bytes += tokens;
        operations += tokens / price;
      } else {
        out.println("# " + seen.required("name").text() + ": nothing is known that was found out");
      }
    }
    if (bytes == 0) {
      return;
    }
    out.println("resources:");
    out.println(
        "  - {operations: data, max: "
            + Quantities.formatRate(twoDigits(bytes), Counted.BYTES)
            + "}");
    out.println(
        "  - {operations: metadata, max: "
            + Quantities.formatRate(twoDigits(operations), Counted.OPERATIONS)
            + "}");
  }

  private void print(Calibration.Result result, PrintWriter out) {
    Double read = result.readBytesPerSecond();
    out.println(
        "# "
            + directory
            + ": written "
            + Quantities.formatRate(result.writtenBytesPerSecond(), Counted.BYTES)
            + ", read "
            + (read == null
                ? "not measured (no direct I/O here: it would show memory)"
                : Quantities.formatRate(read, Counted.BYTES))
            + ", "
            + Quantities.formatRate(result.operationsPerSecond(), Counted.OPERATIONS));
    out.println("targets:");
    printTarget(target, result.bytesPerSecond(), result.operationsPerSecond(), out);
  }

  private static void printTarget(
      String name, double bytesPerSecond, double operationsPerSecond, PrintWriter out) {
    out.println("  " + name + ":");
    out.println(
        "    capacity: {bandwidth: "
            + Quantities.formatRate(twoDigits(bytesPerSecond), Counted.BYTES)
            + ", operations: "
            + Quantities.formatRate(twoDigits(operationsPerSecond), Counted.OPERATIONS)
            + "}");
  }

  /** Rounded down: what is promised a little short is kept. */
  static double twoDigits(double value) {
    if (value < 1) {
      return 1;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(value)) - 1);
    return value < 10 ? Math.floor(value) : Math.floor(value / unit) * unit;
  }
}
