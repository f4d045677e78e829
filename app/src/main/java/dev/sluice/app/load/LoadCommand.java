package dev.sluice.app.load;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.LiveScreen;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.ReportOption;
import dev.sluice.app.ScenarioInput;
import dev.sluice.app.SecondsOption;
import dev.sluice.app.StopGuard;
import dev.sluice.core.model.Quantities;
import dev.sluice.load.play.JobProgress;
import dev.sluice.load.play.PlayListener;
import dev.sluice.load.play.PlayResult;
import dev.sluice.load.play.PlaySettings;
import dev.sluice.load.play.ScenarioPlayer;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ResultJson;
import dev.sluice.sim.scenario.Connections;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays a scenario with real NFS clients. */
@Command(
    name = "load",
    description = {
      "Play the jobs of a scenario with real NFS clients against a server.",
      "",
      "FILE is a scenario as ./sluice sim takes it (docs/scenarios.md); its targets",
      "are not looked at: the server is what it is. Every process of every job is a",
      "client over TCP, at the times it would have in the simulation. Each job mounts",
      "/@JOB/PATH, by which a gateway of Sluice knows it. All jobs on a node share its",
      "connection, each user under a number of its own, as with the kernel's client;",
      "a call that the server tells to come later is sent again after 5 s, as there.",
      "With --nfs 4.1 a node has one session, and the paths lead from the server's root.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "All files are made in a directory of their own on the server, which is removed",
      "at the end, also on Ctrl-C. docs/load.md says more.",
      "",
      "Example: ./sluice load examples/scenarios/demo.yaml --server 10.1.0.1:2049 \\",
      "             --mount-port 20048 --export /scratch --seconds 30 --verify"
    })
public final class LoadCommand implements Runnable {
  private static final int ID_MAX = 65_534;

  /** The first user of jobs that share nodes where root plays them: nobody of the system's. */
  private static final int FIRST_OF_MANY = 1_001;

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  @Spec @Nullable CommandSpec spec;

  @Mixin ServerOption server = new ServerOption();

  @Mixin ScenarioInput input = new ScenarioInput();

  @Mixin SecondsOption length = new SecondsOption();

  @Option(
      names = "--connections",
      paramLabel = "per-node|per-job",
      description =
          "Whether jobs on the same nodes share their connections (default: as the scenario"
              + " says, or else per-node).")
  @Nullable String connections;

  @Option(
      names = "--nconnect",
      paramLabel = "NUMBER",
      description = "Connections of each node, used in turn (default: as the scenario says, or 1).")
  @Nullable Integer nconnect;

  @Option(
      names = "--plain-mounts",
      description = "Mount the export itself for every job: for servers other than Sluice.")
  boolean plainMounts;

  @Option(
      names = "--verify",
      description = "Compare all that is read, and read back all that was written at the end.")
  boolean verify;

  @Option(
      names = "--file-limit",
      paramLabel = "SIZE",
      description =
          "Files that would be longer are written and read from the beginning again (default:"
              + " ${DEFAULT-VALUE}).")
  String fileLimit = "64 MiB";

  @Option(
      names = "--patience",
      paramLabel = "DURATION",
      description =
          "How long the server may be away, as when it restarts (default: ${DEFAULT-VALUE}).")
  String patience = "60 s";

  @Option(
      names = "--uid",
      paramLabel = "NUMBER",
      description =
          "The user (default: yours). Of jobs that share nodes, the first user; the others have the"
              + " numbers that follow (for root, from 1001 on).")
  @Nullable Integer uid;

  @Option(names = "--gid", paramLabel = "NUMBER", description = "The group (default: yours).")
  @Nullable Integer gid;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "What to call the result by (default: ${DEFAULT-VALUE}).")
  String policy = "measured";

  @Mixin ReportOption reports = new ReportOption();

  @Option(names = "--json", description = "Print result.json instead of a table for people.")
  boolean json;

  @Option(names = "--keep", description = "Leave the files on the server.")
  boolean keep;

  @Option(names = "--quiet", description = "Show nothing while it runs.")
  boolean quiet;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter errors = command.commandLine().getErr();
    ScenarioInput.Read read = input.read();
    Scenario scenario = connected(length.bound(read.scenario()));
    try {
      PlaySettings settings = settings(scenario);
      OutputDirectory directory = reports.directory();
      ScenarioPlayer player = new ScenarioPlayer(scenario, input.seed(), settings);
      LiveScreen screen = LiveScreen.onConsole(errors);
      PlayResult result;
      try (StopGuard _ = new StopGuard(player::stop, errors)) {
        result = player.play(policy, quiet ? PlayListener.NONE : new Watching(screen, scenario));
      } finally {
        screen.clear();
      }
      publish(report(scenario, read.hash(), result), result, directory);
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(input.file() + ": " + e.getMessage(), e);
    }
  }

  /** The scenario with what the command line says about connections. */
  private Scenario connected(Scenario scenario) {
    Connections.Sharing sharing = scenario.connections().sharing();
    if (connections != null) {
      sharing =
          switch (connections) {
            case "per-node" -> Connections.Sharing.PER_NODE;
            case "per-job" -> Connections.Sharing.PER_JOB;
            default ->
                throw new BadInputException(
                    "--connections " + connections + ": expected per-node or per-job");
          };
    }
    int count = nconnect == null ? scenario.connections().perNode() : nconnect;
    if (count < 1 || count > Connections.PER_NODE_MAX) {
      throw new BadInputException(
          "--nconnect: expected 1 to " + Connections.PER_NODE_MAX + ", not " + count);
    }
    return scenario.withConnections(new Connections(sharing, count));
  }

  private PlaySettings settings(Scenario scenario) throws IOException {
    Credential.Sys caller = caller(scenario);
    return new PlaySettings(
        server.address(caller),
        server.version(),
        server.path(),
        !plainMounts,
        caller,
        Duration.ofNanos(quantity("--patience", patience, Quantities::parseDurationNanos)),
        quantity("--file-limit", fileLimit, Quantities::parseBytes),
        verify,
        keep);
  }

  private Credential.Sys caller(Scenario scenario) throws IOException {
    ThisUser me = ThisUser.find();
    boolean many =
        scenario.connections().sharing() == Connections.Sharing.PER_NODE
            && scenario.jobs().stream().anyMatch(job -> !job.place().isEmpty());
    return new Credential.Sys(
        Files.readString(HOST_NAME).strip(),
        id("--uid", uid, many && me.uid() == 0 ? FIRST_OF_MANY : me.uid()),
        id("--gid", gid, me.gid()));
  }

  private static int id(String option, @Nullable Integer given, int own) {
    if (given == null) {
      return own;
    }
    if (given < 0 || given > ID_MAX) {
      throw new BadInputException(option + ": expected 0 to " + ID_MAX + ", not " + given);
    }
    return given;
  }

  /** Reads a quantity as people write it. */
  private interface Reading {
    long read(String text);
  }

  private static long quantity(String option, String text, Reading reading) {
    try {
      long value = reading.read(text);
      if (value < 1) {
        throw new BadInputException(option + " " + text + ": expected more than 0");
      }
      return value;
    } catch (IllegalArgumentException e) {
      throw new BadInputException(option + " " + text + ": " + e.getMessage(), e);
    }
  }

  /** Shows how the play goes. */
  private static final class Watching implements PlayListener {
    private final LiveScreen screen;
    private final JobBars bars;

    Watching(LiveScreen screen, Scenario scenario) {
      this.screen = screen;
      this.bars = new JobBars(scenario.name(), 0);
    }

    @Override
    public void preparing(int processesReady, int processes) {
      screen.show(new OneLine("preparing: " + processesReady + " of " + processes + " processes"));
    }

    @Override
    public void playing(List<JobProgress> jobs, long nowNanos, long endNanos) {
      screen.show(bars.at(jobs, nowNanos, endNanos));
    }

    @Override
    public void verifying(int processesDone, int processes) {
      screen.show(
          new OneLine("reading back: " + processesDone + " of " + processes + " processes"));
    }
  }

  private record OneLine(String line) implements LiveScreen.Picture {
    @Override
    public List<String> lines() {
      return List.of(line);
    }
  }

  private Report report(Scenario scenario, String hash, PlayResult result) {
    return new Report(
        new Report.Origin(scenario.name(), scenario.description(), repeat(), input.seed(), hash),
        List.of(result.run()));
  }

  private void publish(Report report, PlayResult result, @Nullable OutputDirectory directory) {
    PrintWriter text = Objects.requireNonNull(spec).commandLine().getOut();
    if (directory != null) {
      ReportOption.write(report, directory);
      directory.write("bursts.csv", csv -> csv.append(LoadText.burstsCsv(result)));
      directory.publish();
    }
    if (json) {
      text.print(ResultJson.text(report));
      text.flush();
      return;
    }
    text.println(LoadText.harmless(report.origin().name()) + ", seed " + input.seed());
    LoadText.print(result, text);
    if (directory != null) {
      text.println(directory.summary());
    }
  }

  /** What to type to play it again; other people's servers are nobody's business. */
  private String repeat() {
    Path name = Path.of(input.file()).getFileName();
    return "./sluice load " + name + " --server … --export … --seed " + input.seed();
  }
}
