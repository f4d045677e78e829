package dev.sluice.app.serve;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.gateway.admin.FailoverJson;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says which of several gateways serves, and has another one serve. */
@Command(
    name = "failover",
    description = {
      "Say which of several gateways serves, or have another one serve.",
      "",
      "Gateways that share a directory (failover in the configuration) serve the same exports",
      "one at a time. ACTION is:",
      "  status     who serves (without an action)",
      "  hand-over  this one, which serves, ends what is under way and lets another go on",
      "  take       whoever serves is asked to hand over to this one, which stands by",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done; with --may-serve, that this gateway serves; 1 failed, or it does not",
      "serve; 2 the input was bad, or nothing can be handed over.",
      "",
      "Example: ./sluice failover hand-over -c sluice.yaml"
    })
public final class FailoverCommand implements Callable<Integer> {
  private static final int SERVES = 0;
  private static final int SERVES_NOT = 1;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long AGAIN_NANOS = 50 * NANOS_PER_MILLI;

  /** Besides a takeover: what is under way at the other's must end. */
  private static final long PATIENCE_NANOS = 15_000 * NANOS_PER_MILLI;

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "ACTION",
      description = "status, hand-over or take (default: ${DEFAULT-VALUE}).")
  String action = "status";

  @Option(
      names = "--may-serve",
      description = "Say nothing, and end with 0 if this gateway serves, else with 1.")
  boolean maySay;

  @Option(names = "--json", description = "Print JSON for programs instead of words for people.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (!FailoverJson.ACTIONS.contains(action)) {
      throw new BadInputException(
          "\"" + action + "\": expected " + String.join(", ", FailoverJson.ACTIONS));
    }
    if (maySay) {
      return maySay();
    }
    String answer = ask(action);
    if (action.equals("take")) {
      answer = awaitTurn(answer);
    }
    if (json) {
      out.println(answer);
    } else {
      out.println(words(read(answer)));
    }
    return SERVES;
  }

  private int maySay() {
    try {
      return read(ask("status")).required("serves").bool() ? SERVES : SERVES_NOT;
    } catch (FailedException nobodyAnswers) {
      return SERVES_NOT;
    }
  }

  /** Waits until this gateway serves. */
  private String awaitTurn(String asked) {
    String answer = asked;
    long takeoverNanos =
        read(asked).required("takeover_ms").whole(0, Long.MAX_VALUE) * NANOS_PER_MILLI;
    long untilNanos = System.nanoTime() + takeoverNanos + PATIENCE_NANOS;
    while (!read(answer).required("serves").bool()) {
      if (System.nanoTime() - untilNanos > 0) {
        throw new FailedException("it is still not its turn: " + words(read(answer)));
      }
      LockSupport.parkNanos(AGAIN_NANOS);
      try {
        answer = ask("status");
      } catch (FailedException e) {
        // It does not answer for a moment while it begins to serve.
      }
    }
    return answer;
  }

  private String ask(String what) {
    return gateway.ask("failover", arguments -> arguments.writeStringProperty("action", what));
  }

  private static DocumentMap read(String answer) {
    return CommandClient.read(answer).openMap();
  }

  private String words(DocumentMap turn) {
    boolean isHandedOver = action.equals("hand-over") && turn.required("serves").bool();
    return isHandedOver ? turn.required("name").text() + " hands over" : TurnText.words(turn);
  }
}
