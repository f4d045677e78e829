package dev.sluice.app;

import dev.sluice.app.audit.AuditCommand;
import dev.sluice.app.calibrate.CalibrateCommand;
import dev.sluice.app.capacity.CapacityCommand;
import dev.sluice.app.control.AggregatorCommand;
import dev.sluice.app.control.ControllerCommand;
import dev.sluice.app.coupons.CouponsCommand;
import dev.sluice.app.decide.DecideCommand;
import dev.sluice.app.demo.DemoCommand;
import dev.sluice.app.history.ReportCommand;
import dev.sluice.app.keys.KeysCommand;
import dev.sluice.app.limits.LimitsCommand;
import dev.sluice.app.load.LoadCommand;
import dev.sluice.app.lustre.LustreCommand;
import dev.sluice.app.manual.ManualCommand;
import dev.sluice.app.period.PeriodCommand;
import dev.sluice.app.reproduce.ArenaCommand;
import dev.sluice.app.reproduce.ReproduceCommand;
import dev.sluice.app.serve.DashboardCommand;
import dev.sluice.app.serve.ExplainCommand;
import dev.sluice.app.serve.FailoverCommand;
import dev.sluice.app.serve.HealthCommand;
import dev.sluice.app.serve.HintCommand;
import dev.sluice.app.serve.ImportExportsCommand;
import dev.sluice.app.serve.JobCommand;
import dev.sluice.app.serve.ObserveCommand;
import dev.sluice.app.serve.PolicyCommand;
import dev.sluice.app.serve.ReloadCommand;
import dev.sluice.app.serve.RulesCommand;
import dev.sluice.app.serve.ServeCommand;
import dev.sluice.app.serve.StatusCommand;
import dev.sluice.app.serve.StopCommand;
import dev.sluice.app.setup.CheckCommand;
import dev.sluice.app.setup.RehearseCommand;
import dev.sluice.app.setup.SetupCommand;
import dev.sluice.app.sim.SimCommand;
import dev.sluice.app.stage.AgentCommand;
import dev.sluice.app.stage.LimitCommand;
import dev.sluice.app.stage.RunCommand;
import dev.sluice.app.top.TopCommand;
import dev.sluice.app.trace.RecordCommand;
import dev.sluice.app.trace.WhatIfCommand;
import dev.sluice.document.DocumentException;
import dev.sluice.store.keys.KeyException;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sluice's command line. */
@Command(
    name = "sluice",
    description = {
      "Keeps one job from ruining shared storage for all the others.",
      "",
      "Sluice sees each job's I/O, decides how much each may have, enforces it, and says why."
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    version = "Sluice 0.1.0",
    footer = {
      "",
      "For developers, run by the launcher itself:",
      "  test        the whole gate; test quick: the unit tests; test endurance: the long ones",
      "  format      bring the sources into form",
      "  package     make packages; test packages: install, upgrade and remove them",
      "  bench NAME  measure (core, sim, gift, period, history, gateway, effects, clients,",
      "              stage, web, control)",
      "",
      "Exit codes: 0 done; 1 failed; 2 the input was bad, and one line says where."
    })
public final class Main implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          PoliciesCommand.class,
          DecideCommand.class,
          SimCommand.class,
          ReproduceCommand.class,
          ArenaCommand.class,
          PeriodCommand.class,
          DemoCommand.class,
          LoadCommand.class,
          SetupCommand.class,
          CheckCommand.class,
          ServeCommand.class,
          ImportExportsCommand.class,
          StatusCommand.class,
          HealthCommand.class,
          FailoverCommand.class,
          TopCommand.class,
          DashboardCommand.class,
          ExplainCommand.class,
          ReportCommand.class,
          RecordCommand.class,
          WhatIfCommand.class,
          PolicyCommand.class,
          JobCommand.class,
          HintCommand.class,
          RulesCommand.class,
          ObserveCommand.class,
          ReloadCommand.class,
          StopCommand.class,
          CouponsCommand.class,
          CalibrateCommand.class,
          CapacityCommand.class,
          RunCommand.class,
          LimitCommand.class,
          AgentCommand.class,
          ControllerCommand.class,
          AggregatorCommand.class,
          LimitsCommand.class,
          KeysCommand.class,
          AuditCommand.class,
          LustreCommand.class,
          RehearseCommand.class);

  @Spec private @Nullable CommandSpec spec;

  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /**
   * The command line, ready to execute these arguments; tests give it their own writers. Only the
   * command that is named is made: all of them take longer than most commands run.
   */
  public static CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(new Main());
    Optional<Class<?>> named =
        Stream.of(args)
            .limit(1)
            .flatMap(name -> COMMANDS.stream().filter(command -> name(command).equals(name)))
            .findAny();
    if (named.isPresent()) {
      commandLine.addSubcommand(named.get());
    } else {
      COMMANDS.forEach(commandLine::addSubcommand);
      commandLine.addSubcommand(CommandLine.HelpCommand.class);
      // It writes about all the others.
      commandLine.addSubcommand(ManualCommand.class);
    }
    commandLine.setOut(writer(System.out));
    commandLine.setErr(writer(System.err));
    commandLine.setParameterExceptionHandler(Main::refuse);
    commandLine.setExecutionExceptionHandler(Main::explain);
    return commandLine;
  }

  private static PrintWriter writer(PrintStream to) {
    return new PrintWriter(
        SpokenName.in(new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8))),
        true);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** Without a command, the help is the answer. */
  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  private static int refuse(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(oneLine(e.getMessage()) + " (see " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult result) {
    if (e instanceof DocumentException || e instanceof BadInputException) {
      command.getErr().println(oneLine(e.getMessage()));
      return CommandLine.ExitCode.USAGE;
    }
    if (e instanceof FailedException || e instanceof KeyException) {
      command.getErr().println(oneLine(e.getMessage()));
      return CommandLine.ExitCode.SOFTWARE;
    }
    command.getErr().println("this is a defect in Sluice, please report it:");
    e.printStackTrace(command.getErr());
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String oneLine(@Nullable String message) {
    return message == null ? "bad input" : message.replaceAll("\\s*\\R\\s*", "; ");
  }
}
