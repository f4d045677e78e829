package dev.sluice.app.serve;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets something for a single job. */
@Command(
    name = "job",
    description = "Give a job on a gateway that runs another weight, or a limit of its own.",
    synopsisSubcommandLabel = "set",
    subcommands = JobCommand.SetCommand.class,
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice job set 4711 weight=4 limit=20MB/s"})
public final class JobCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    throw new ParameterException(
        command.commandLine(), "expected set, as in ./sluice job set 4711 weight=4");
  }

  /** {@code job set}. */
  @Command(
      name = "set",
      description = {
        "Give a job another weight or a limit of its own, or take both back.",
        "",
        "It holds at once, on every target, until it is cleared or the gateway ends. A",
        "limit holds whatever the policy decides, and comes before those of the file. A",
        "priority is for the policy iosets: 0.1 is that of the set of periods of 10 s. A",
        "phase is for sojourn: see ./sluice hint --help.",
        ""
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Examples: ./sluice job set 4711 weight=4",
        "          ./sluice job set 4711 limit=20MB/s",
        "          ./sluice job set 4711 priority=0.1",
        "          ./sluice job set 4711 clear"
      })
  static final class SetCommand implements Runnable {
    private static final List<String> KEYS = List.of("weight", "limit", "priority", "phase");

    @Spec @Nullable CommandSpec spec;

    @Mixin GatewayOption gateway = new GatewayOption();

    @Parameters(index = "0", paramLabel = "JOB", description = "The job.")
    String job = "";

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "SETTING",
        description = "weight=NUMBER, limit=RATE, priority=NUMBER, phase=SIZE, or clear.")
    List<String> settings = new ArrayList<>();

    @Override
    public void run() {
      CommandSpec command = Objects.requireNonNull(spec);
      PrintWriter out = command.commandLine().getOut();
      boolean clear = settings.equals(List.of("clear"));
      Map<String, String> given = new LinkedHashMap<>();
      if (!clear) {
        for (String setting : settings) {
          int equals = setting.indexOf('=');
          String key = equals < 0 ? setting : setting.substring(0, equals);
          if (equals < 0 || !KEYS.contains(key)) {
            throw new ParameterException(
                command.commandLine(),
                "\""
                    + setting
                    + "\": expected weight=NUMBER, limit=RATE, priority=NUMBER, phase=SIZE, or"
                    + " clear alone");
          }
          given.put(key, setting.substring(equals + 1));
        }
      }
      gateway.ask(
          "job",
          request -> {
            request.writeStringProperty("job", job);
            given.forEach(request::writeStringProperty);
            if (clear) {
              request.writeBooleanProperty("clear", true);
            }
          });
      out.println("job " + job + ": " + String.join(", ", settings));
    }
  }
}
