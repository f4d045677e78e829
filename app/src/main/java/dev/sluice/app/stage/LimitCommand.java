package dev.sluice.app.stage;

import dev.sluice.app.FailedException;
import dev.sluice.core.model.JobId;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
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
      "Change the limits of a job on this node, or of one's own run, while it runs.",
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
    List<LimitChange> changes = StageOptions.limits(limits);
    String text = String.join(",", limits);
    StageDirectory directory = options.directory();
    if (!changesRun(directory, job, changes)) {
      AgentClient.ask(
          directory.agentSocket(),
          "limit",
          request -> {
            request.writeStringProperty("job", id);
            request.writeStringProperty("limits", text);
          });
    }
    Objects.requireNonNull(spec).commandLine().getOut().println("job " + id + ": " + text);
  }

  private static boolean changesRun(
      StageDirectory directory, JobId job, List<LimitChange> changes) {
    try {
      return StagedJob.changeRun(directory, job, changes);
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }
}
