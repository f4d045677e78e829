package dev.sluice.app.serve;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Has a gateway look only, or act again. */
@Command(
    name = "observe",
    description = {
      "Have a gateway that runs decide everything and enforce nothing, or act again: a way to",
      "see what a policy would do before it does it. No limit holds meanwhile."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice observe on"})
public final class ObserveCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(paramLabel = "on|off", description = "Whether it only observes.")
  String only = "";

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    if (!only.equals("on") && !only.equals("off")) {
      throw new ParameterException(command.commandLine(), "\"" + only + "\": expected on or off");
    }
    command
        .commandLine()
        .getOut()
        .println(
            StatusText.policy(
                gateway.answer(
                    "observe",
                    request -> request.writeBooleanProperty("only", only.equals("on")))));
  }
}
