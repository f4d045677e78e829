package dev.sluice.app.stage;

import dev.sluice.access.AuditLog;
import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.SignalStop;
import dev.sluice.app.control.LinkOptions;
import dev.sluice.app.control.LinkText;
import dev.sluice.app.service.JournalLog;
import dev.sluice.app.service.ReloadSignal;
import dev.sluice.app.service.ServiceManager;
import dev.sluice.command.CommandClient;
import dev.sluice.control.agent.NodeLink;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.stage.agent.AgentProcess;
import dev.sluice.store.lease.LeaderFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a node's agent until it is told to stop. */
@Command(
    name = "agent",
    description = {
      "Look after the jobs of this node: keep their limits, and count what they do.",
      "",
      "Jobs are added by ./sluice agent add, as from Slurm's prolog (docs/stage.md). When the",
      "agent dies, programs go on without limits; when it comes back, they are limited again.",
      "With --controller, limits are the controller's: each job's on all its nodes together.",
      ""
    },
    subcommands = {
      AgentCommand.Add.class,
      AgentCommand.Remove.class,
      AgentCommand.Status.class,
      AgentCommand.Metrics.class,
      AgentCommand.Stop.class
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice agent"})
public final class AgentCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin StageOptions options = new StageOptions();

  @Option(
      names = "--forget-after",
      paramLabel = "DURATION",
      description =
          "Take away the files of jobs without processes after this time (default:"
              + " ${DEFAULT-VALUE}).")
  String patience = "1 h";

  @Mixin LinkOptions link = new LinkOptions();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    ControllerLink.Addresses controllers = link.addresses();
    long patienceNanos;
    try {
      patienceNanos = Quantities.parseDurationNanos(patience);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--forget-after \"" + patience + "\": " + e.getMessage(), e);
    }
    JournalLog.begin("agent");
    Path state = link.stateDirectory(options.directory().path());
    try (SignalStop signal = new SignalStop(out);
        ServiceManager manager = new ServiceManager();
        AgentProcess agent =
            new AgentProcess(options.directory(), patienceNanos, AuditLog.ofService(state))) {
      signal.ends(manager::close, agent::close);
      ReloadSignal.does(() -> "an agent has nothing to read again; keys are read at each call");
      out.println("library " + agent.library());
      out.println("control socket " + options.directory().agentSocket());
      out.println("looking after " + agent.agent().jobs().size() + " jobs");
      out.flush();
      manager.ready(
          "looking after this node's jobs",
          () -> {
            // Answered under the lock that all its work takes.
            agent.agent().jobs();
            return List.of();
          });
      if (controllers == null) {
        agent.awaitStop();
      } else {
        awaitStop(agent, controllers, state);
      }
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private void awaitStop(AgentProcess agent, ControllerLink.Addresses controllers, Path state)
      throws InterruptedException {
    try (NodeLink node =
        new NodeLink(
            agent.agent(),
            link.nodeName(),
            LinkOptions.hostName(),
            controllers,
            new LeaderFile(state.resolve("obeyed")))) {
      agent.showController(node::status);
      agent.awaitStop();
    }
  }

  /** {@code agent add}. */
  @Command(
      name = "add",
      description = "Look after a job from now on; prints what its processes need.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: ./sluice agent add 4711 --user 1001 --mount /scratch"})
  static final class Add implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin StageOptions options = new StageOptions();

    @Parameters(paramLabel = "JOB", description = "The job.")
    String job = "";

    @Option(
        names = "--user",
        required = true,
        paramLabel = "UID",
        description = "Who runs it; nobody else gets at its files.")
    int user;

    @Mixin JobOptions jobOptions = new JobOptions();

    @Override
    public void run() {
      StageOptions.job(job);
      String limits = jobOptions.limitsText();
      List<Path> mounts = jobOptions.mounts();
      String answer =
          AgentClient.ask(
              options.directory().agentSocket(),
              "add",
              request -> {
                request.writeStringProperty("job", job);
                request.writeNumberProperty("user", user);
                request.writeArrayPropertyStart("mounts");
                mounts.forEach(mount -> request.writeString(mount.toString()));
                request.writeEndArray();
                request.writeStringProperty("limits", limits);
              });
      String entry = CommandClient.read(answer).openMap().required("entry").text();
      Objects.requireNonNull(spec).commandLine().getOut().println("SLUICE_STAGE=" + entry);
    }
  }

  /** {@code agent remove}. */
  @Command(
      name = "remove",
      description = "A job is over: its files go, and what still runs of it is free.",
      mixinStandardHelpOptions = true)
  static final class Remove implements Runnable {
    @Mixin StageOptions options = new StageOptions();

    @Parameters(paramLabel = "JOB", description = "The job.")
    String job = "";

    @Override
    public void run() {
      AgentClient.ask(
          options.directory().agentSocket(),
          "remove",
          request -> request.writeStringProperty("job", job));
    }
  }

  /** {@code agent status}. */
  @Command(
      name = "status",
      description =
          "Show how the link to the controller is, each job's limits and what it has done.",
      mixinStandardHelpOptions = true)
  static final class Status implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin StageOptions options = new StageOptions();

    @Option(names = "--json", description = "Print JSON for programs.")
    boolean json;

    @Override
    public void run() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      String answer = AgentClient.ask(options.directory().agentSocket(), "status", _ -> {});
      if (json) {
        out.println(answer);
        return;
      }
      DocumentMap status = CommandClient.read(answer).openMap();
      LinkText.lines(status, "limits have lapsed").forEach(out::println);
      LinkText.troubles(status).forEach(out::println);
      for (DocumentNode node : status.required("jobs").list()) {
        DocumentMap job = node.openMap();
        out.println("job " + job.required("job").text() + ": " + limits(job));
        notHeld(job).ifPresent(out::println);
        for (DocumentNode row : job.required("operations").list()) {
          DocumentMap operation = row.openMap();
          out.println(
              "  "
                  + operation.required("operation").text()
                  + ": "
                  + operation.required("calls").text()
                  + " calls, "
                  + Quantities.formatBytes(operation.required("bytes").number(0, Double.MAX_VALUE))
                  + ", waited "
                  + Quantities.formatDuration(
                      operation.required("waited-nanos").whole(0, Long.MAX_VALUE)));
        }
      }
    }

    private static Optional<String> notHeld(DocumentMap job) {
      long count = job.required("not-held").whole(0, Integer.MAX_VALUE);
      List<String> names =
          job.required("not-held-names").list().stream().map(DocumentNode::text).toList();
      return count == 0
          ? Optional.empty()
          : Optional.of(
              "  NOT HELD: "
                  + count
                  + " of its processes, neither counted nor limited: "
                  + String.join(", ", names));
    }

    private static String limits(DocumentMap job) {
      List<String> limits = new ArrayList<>();
      for (DocumentNode node : job.required("limits").list()) {
        DocumentMap limit = node.openMap();
        boolean bytes = limit.required("counted").text().equals("bytes");
        limits.add(
            limit.required("scope").text()
                + " "
                + Quantities.formatRate(
                    limit.required("per-second").number(0, Double.MAX_VALUE),
                    bytes ? Counted.BYTES : Counted.OPERATIONS));
      }
      return limits.isEmpty() ? "nothing is limited" : String.join(", ", limits);
    }
  }

  /** {@code agent metrics}. */
  @Command(
      name = "metrics",
      description = "Print what all jobs do, in the text form that Prometheus collects.",
      mixinStandardHelpOptions = true)
  static final class Metrics implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin StageOptions options = new StageOptions();

    @Override
    public void run() {
      String answer = AgentClient.ask(options.directory().agentSocket(), "metrics", _ -> {});
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      out.print(CommandClient.read(answer).openMap().required("text").text());
      out.flush();
    }
  }

  /** {@code agent stop}. */
  @Command(
      name = "stop",
      description = "Stop the agent; programs go on without limits.",
      mixinStandardHelpOptions = true)
  static final class Stop implements Runnable {
    @Mixin StageOptions options = new StageOptions();

    @Override
    public void run() {
      AgentClient.ask(options.directory().agentSocket(), "stop", _ -> {});
    }
  }
}
