package dev.sluice.app.stage;

import dev.sluice.app.FailedException;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Runs a program under limits, by sluice-run. The launcher starts that by itself, so that no Java
 * is between whoever runs a program and the program; this is for those who start the classes.
 */
@Command(
    name = "run",
    description = {
      "Run a program under limits on its file calls; no daemon is needed.",
      "",
      "This is the program sluice-run; ./sluice run --help tells of its options.",
    },
    customSynopsis = "sluice run [OPTION]... [--] PROGRAM [ARGUMENT]...")
public final class RunCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Unmatched List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter errors = spec.commandLine().getErr();
    List<String> command = new ArrayList<>();
    try {
      PreloadLibrary.path();
      command.add(PreloadLibrary.findRun().orElseThrow().toString());
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      Thread complaints = Thread.ofVirtual().start(() -> copy(process.errorReader(), errors));
      copy(process.inputReader(), out);
      complaints.join();
      return process.waitFor();
    } catch (IOException | UncheckedIOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private static void copy(Reader from, PrintWriter to) {
    try (from) {
      from.transferTo(to);
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
