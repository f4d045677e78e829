package dev.sluice.app.serve;

import dev.sluice.app.FailedException;
import dev.sluice.web.OwnerToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells where the dashboard of a gateway is. */
@Command(
    name = "dashboard",
    description = {
      "Print the address of the dashboard of a gateway that runs, with the owner's token.",
      "",
      "Whoever opens this address may change policy, weights and limits, so keep it to",
      "yourself: it is worth as much as the right to use the control socket. Without the",
      "part after the hash sign the page can only look. docs/dashboard.md says how others",
      "get tokens of their own.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "From another machine: ssh -L 8080:127.0.0.1:8080 GATEWAY, then open the address here.",
      "",
      "Example: ./sluice dashboard -c sluice.yaml"
    })
public final class DashboardCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    String address =
        gateway
            .answer("status", arguments -> arguments.writeNumberProperty("jobs", 0))
            .required("dashboard")
            .text();
    if (address.equals("null")) {
      String message = "this gateway has no dashboard: its configuration says off";
      throw new FailedException(message, new IllegalStateException(message));
    }
    Path state = gateway.state();
    try {
      out.println(address + "#token=" + OwnerToken.read(state));
    } catch (IOException e) {
      throw new FailedException(state + ": the owner's token cannot be read: " + e.getMessage(), e);
    }
  }
}
