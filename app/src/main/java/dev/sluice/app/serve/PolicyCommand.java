package dev.sluice.app.serve;

import dev.sluice.document.DocumentMap;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows or changes the policy of a gateway. */
@Command(
    name = "policy",
    description = {
      "Show the policy of a gateway that runs, or have another decide from now on.",
      "",
      "No request is lost by the change, and no connection. It holds until the policy in",
      "the configuration file changes or the gateway ends. ./sluice policies lists them.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice policy",
      "          ./sluice policy adaptbf period=50ms record-retention=2h"
    })
public final class PolicyCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The policy.")
  @Nullable String name;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME=VALUE",
      description = "Its parameters, and period.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    DocumentMap status =
        gateway.answer(
            "policy",
            request -> {
              if (name != null) {
                request.writeStringProperty("name", name);
                request.writeObjectPropertyStart("settings");
                settings.forEach(request::writeStringProperty);
                request.writeEndObject();
              }
            });
    out.println(StatusText.policy(status));
  }
}
