package dev.sluice.app.stage;

import dev.sluice.app.FailedException;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs a program under limits, by sluice-run; the launcher starts that without Java. */
@Command(
    name = "run",
    description = {
      "Run a program under limits on its file calls; no daemon is needed.",
      "",
      "This is the program sluice-run; ./sluice run --help tells of its options.",
    },
    customSynopsis = "sluice run [OPTION]... [--] PROGRAM [ARGUMENT]...")
public final class RunCommand implements Callable<Integer> {
  @Unmatched List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    List<String> command = new ArrayList<>();
    try {
      PreloadLibrary.path();
      command.add(PreloadLibrary.findRun().orElseThrow().toString());
      command.addAll(arguments);
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }
}
