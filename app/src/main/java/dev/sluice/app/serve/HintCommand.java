package dev.sluice.app.serve;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how much a job moves at a time. */
@Command(
    name = "hint",
    description = {
      "Say how much a job reads or writes at a time, to a gateway that runs.",
      "",
      "The policy sojourn serves phases one after another and has to know how large",
      "they are. It finds that out from the second phase on; a hint tells it of the",
      "first. It is believed as long as what comes is like it, and less than what was",
      "seen where that came closer: who tells too little gains nothing. Other policies",
      "pass it over. It holds until ./sluice job set JOB clear, or the gateway ends.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "SIZE is what a phase comes to on each target: a job that writes 10 GB to two",
      "targets at once says 5GB. Where a target counts operations, so does SIZE.",
      "",
      "Example: ./sluice hint 4711 5GB"
    })
public final class HintCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(index = "0", paramLabel = "JOB", description = "The job.")
  String job = "";

  @Parameters(index = "1", paramLabel = "SIZE", description = "What a phase of it comes to.")
  String size = "";

  @Override
  public void run() {
    gateway.ask(
        "job",
        request -> {
          request.writeStringProperty("job", job);
          request.writeStringProperty("phase", size);
        });
    Objects.requireNonNull(spec)
        .commandLine()
        .getOut()
        .println("job " + job + ": phases of " + size);
  }
}
