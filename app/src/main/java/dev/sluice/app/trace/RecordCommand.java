package dev.sluice.app.trace;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.StopGuard;
import dev.sluice.app.serve.GatewayOption;
import dev.sluice.command.CommandClient;
import dev.sluice.core.model.Quantities;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Records what the jobs of a gateway want. */
@Command(
    name = "record",
    description = {
      "Record what the jobs of a gateway that runs want and get: per job, target and class"
          + " of operation, ten times a second. No file names and no contents.",
      "",
      "The file can be read up to the last second even if this program is killed. About",
      "20 bytes for each busy job and tenth of a second; --max-size bounds it.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It runs until Ctrl-C, or for as long as --for says. ./sluice whatif FILE then tells",
      "which policy would have served these jobs best.",
      "",
      "Example: ./sluice record --for 1h --out monday.trace"
    })
public final class RecordCommand implements Runnable {
  private static final String FOREVER = "30d";

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file to write, which must not be there (default: ${DEFAULT-VALUE}).")
  String out = "sluice.trace";

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long: 10s, 1h (default: until Ctrl-C, and 30 days at most).")
  String duration = FOREVER;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description = "End when the file is so large (default: ${DEFAULT-VALUE}).")
  String maxSize = "1GiB";

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter text = command.commandLine().getOut();
    long nanosMax = parsed("--for", duration, Quantities::parseDurationNanos);
    long bytesMax = parsed("--max-size", maxSize, Quantities::parseBytes);
    try (CommandClient client = gateway.connect()) {
      Recorder recorder = new Recorder(client);
      try (StopGuard _ = new StopGuard(recorder::stop, command.commandLine().getErr())) {
        text.println("recording to " + out);
        text.flush();
        tell(recorder.record(Path.of(out), nanosMax, bytesMax), text);
      }
    } catch (FileAlreadyExistsException e) {
      throw new BadInputException(out + ": is there already; --out names another file", e);
    } catch (InvalidPathException | CommandClient.RefusedException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new FailedException("recording ended: " + e + "; " + out + " has all until then", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private void tell(Recorder.Outcome outcome, PrintWriter text) {
    text.println(
        Quantities.formatDuration(outcome.nanos())
            + " of "
            + outcome.jobs()
            + " jobs in "
            + out
            + ", "
            + Quantities.formatBytes((double) outcome.bytes())
            + ": "
            + outcome.endedBy());
    text.println("./sluice whatif " + out + " tells what other policies would have made of it");
    text.flush();
  }

  /** Reads a text as a number. */
  private interface Reading {
    long of(String text);
  }

  private static long parsed(String option, String text, Reading reading) {
    try {
      return reading.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(option + " " + text + ": " + e.getMessage(), e);
    }
  }
}
