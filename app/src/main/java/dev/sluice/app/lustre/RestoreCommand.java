package dev.sluice.app.lustre;

import dev.sluice.app.FailedException;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.RefusedException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Takes back what a run left that could not do so itself. */
@Command(
    name = "restore",
    description = {
      "Take back what a run that was killed, or failed to end, left on the server: its rules,",
      "and the policy where it had changed that. Does nothing where nothing is left."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice lustre restore -c examples/lustre/oss.yaml"})
public final class RestoreCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationOption configuration = new ConfigurationOption();

  @Override
  public void run() {
    LustreConfiguration read = configuration.read();
    try {
      int rules = LustreAgent.restore(read, ConfigurationOption.lctl(read));
      Objects.requireNonNull(spec)
          .commandLine()
          .getOut()
          .println(
              rules == 0
                  ? "no run has left any rules"
                  : "the server is as it was; the journal named " + rules + " rules");
    } catch (IOException | RefusedException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }
}
