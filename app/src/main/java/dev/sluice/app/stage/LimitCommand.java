package dev.sluice.app.stage;

import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.StageDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the limits of a job that runs. */
@Command(
    name = "limit",
    description = {
      "Change the limits of a job on this node, while it runs.",
      "",
      "They hold at once, also for calls that wait already. Limits that are not named stay.",
      "./sluice limits is for what a controller holds the jobs of all nodes to.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice limit 4711 open=200/s",
      "          ./sluice limit 4711 read=50MB/s,metadata=none",
      "          ./sluice limit 4711 all=0/s        pauses it"
    })
public final class LimitCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin StageOptions options = new StageOptions();

  @Parameters(index = "0", paramLabel = "JOB", description = "The job.")
  String id = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "SCOPE=RATE",
      description = "What is limited to how much; none instead of a rate removes a limit.")
  List<String> limits = new ArrayList<>();

  @Override
  public void run() {
    JobId job = StageOptions.job(id);
    StageOptions.limits(limits);
    String text = String.join(",", limits);
    StageDirectory directory = options.directory();
    Path own = directory.socketOf(job);
    AgentClient.ask(
        Files.exists(own) ? own : directory.agentSocket(),
        "limit",
        request -> {
          request.writeStringProperty("job", id);
          request.writeStringProperty("limits", text);
        });
    Objects.requireNonNull(spec).commandLine().getOut().println("job " + id + ": " + text);
  }
}
