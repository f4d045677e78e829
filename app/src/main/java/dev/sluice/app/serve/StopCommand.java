package dev.sluice.app.serve;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Ends a gateway. */
@Command(
    name = "stop",
    description = "End a gateway that runs, once what is under way is finished.",
    mixinStandardHelpOptions = true)
public final class StopCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    gateway.ask("stop", _ -> {});
    Objects.requireNonNull(spec).commandLine().getOut().println("stopping");
  }
}
