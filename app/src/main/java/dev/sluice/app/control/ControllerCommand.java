package dev.sluice.app.control;

import dev.sluice.app.BadInputException;
import dev.sluice.app.ConfigurationFile;
import dev.sluice.app.FailedException;
import dev.sluice.app.SignalStop;
import dev.sluice.app.service.JournalLog;
import dev.sluice.app.service.ReloadSignal;
import dev.sluice.app.service.ServiceManager;
import dev.sluice.command.CommandClient;
import dev.sluice.control.api.ControllerWeb;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.control.history.ControllerHistory;
import dev.sluice.core.model.Quantities;
import dev.sluice.web.SluiceWeb;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a controller until it is told to stop. */
@Command(
    name = "controller",
    description = {
      "Decide for all nodes: what each job may do, on all its nodes together.",
      "",
      "Agents (./sluice agent --controller HOST:PORT) report once a second what their jobs do;",
      "the controller divides each resource among the jobs and tells every node its part.",
      "FILE says where it listens, in YAML:",
      "  listen: 127.0.0.1:7420",
      "  document: limits.yaml",
      "and limits.yaml says what is divided, and how:",
      "  resources: [{operations: metadata, max: 110 kops/s, policy: psfa}]",
      "Without document, what is divided is kept in a database with its history, and is changed by",
      "./sluice limits. People and programs ask over HTTP, at api: 127.0.0.1:8090 or elsewhere.",
      "All keys are in docs/control.md. Where the controller dies, limits lapse after 5 s and",
      "programs go on without; when it is back, they hold again within two seconds.",
      ""
    },
    subcommands = {ControllerCommand.Status.class, ControllerCommand.Stop.class},
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "./sluice controller status shows who does what. Off loopback, members need keys:",
      "./sluice keys init makes a set.",
      "",
      "Example: ./sluice controller -c examples/control/controller.yaml"
    })
public final class ControllerCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationFile file = new ConfigurationFile("controller.yaml");

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JournalLog.begin("controller");
    ControllerConfiguration configuration = ControllerConfiguration.read(file.path());
    try (SignalStop signal = new SignalStop(out);
        ServiceManager manager = new ServiceManager();
        ControllerProcess process = new ControllerProcess(configuration);
        Closing _ = web(process, configuration, out)) {
      signal.ends(manager::close, process::close);
      ReloadSignal.does(
          () -> Followed.words(configuration, ControllerConfiguration.read(file.path())));
      out.println(
          "listening on "
              + configuration.listen().getAddress().getHostAddress()
              + ", port "
              + process.controller().port()
              + "; nodes report every "
              + Quantities.formatDuration(configuration.periodNanos())
              + ", limits lapse after "
              + Quantities.formatDuration(configuration.lapseNanos())
              + " without orders");
      out.println("control socket " + ControllerProcess.socket(configuration.state()));
      ControllerHistory kept = process.kept();
      out.println(kept == null ? "no history is kept" : "history in " + kept.directory());
      out.flush();
      manager.ready(
          "listening on port " + process.controller().port(),
          () -> {
            // Answered by the thread that decides; if it is stuck, this waits and nothing is told.
            process.controller().status();
            return List.of();
          });
      process.awaitStop();
    } catch (IOException e) {
      throw new FailedException(file + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  /** Something that ends without complaints. */
  private interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  private static Closing web(
      ControllerProcess process, ControllerConfiguration configuration, PrintWriter out)
      throws IOException {
    InetSocketAddress api = configuration.api();
    if (api == null) {
      return () -> {};
    }
    SluiceWeb web = ControllerWeb.start(process, configuration, api);
    out.println("http " + web.url());
    return web::close;
  }

  private static String ask(ConfigurationFile file, String command) {
    Path socket = ControllerProcess.socket(ControllerConfiguration.read(file.path()).state());
    try (CommandClient client = new CommandClient(socket)) {
      return client.ask(command, _ -> {});
    } catch (CommandClient.RefusedException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new FailedException(
          socket
              + ": no controller answers here ("
              + e.getMessage()
              + "); ./sluice controller -c FILE starts one",
          e);
    }
  }

  /** {@code controller status}. */
  @Command(
      name = "status",
      description = "Show resources, members and jobs of a controller that runs.",
      mixinStandardHelpOptions = true)
  static final class Status implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin ConfigurationFile file = new ConfigurationFile("controller.yaml");

    @Option(names = "--json", description = "Print JSON for programs.")
    boolean json;

    @Override
    public void run() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      String answer = ask(file, "status");
      if (json) {
        out.println(answer);
      } else {
        ControllerText.lines(CommandClient.read(answer).openMap()).forEach(out::println);
      }
      out.flush();
    }
  }

  /** {@code controller stop}. */
  @Command(
      name = "stop",
      description = "Stop a controller; limits lapse unless another takes over.",
      mixinStandardHelpOptions = true)
  static final class Stop implements Runnable {
    @Mixin ConfigurationFile file = new ConfigurationFile("controller.yaml");

    @Override
    public void run() {
      ask(file, "stop");
    }
  }
}
