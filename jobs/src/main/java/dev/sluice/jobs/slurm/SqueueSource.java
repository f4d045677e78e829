package dev.sluice.jobs.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Asks Slurm's own commands, {@code squeue} and {@code scontrol}. */
final class SqueueSource implements SlurmSource {
  static final String SQUEUE = "squeue";
  private static final int MARK_BYTES = 8;

  /** How squeue answers. */
  enum Form {
    TEXT,
    JSON
  }

  private final SlurmCommand command;
  private final Form form;
  private final SecureRandom random = new SecureRandom();

  SqueueSource(SlurmCommand command, Form form) {
    this.command = command;
    this.form = form;
  }

  @Override
  public String name() {
    return form == Form.TEXT ? "squeue" : "squeue --json";
  }

  @Override
  public JobList jobs() throws IOException, InterruptedException {
    if (form == Form.JSON) {
      return SlurmJson.jobs(command.run(SQUEUE, List.of("--json")));
    }
    byte[] bytes = new byte[MARK_BYTES];
    random.nextBytes(bytes);
    String mark = " " + HexFormat.of().formatHex(bytes) + " ";
    return SqueueText.parse(text(command.run(SQUEUE, SqueueText.arguments(mark))), mark);
  }

  @Override
  public Map<String, String> nodeAddresses() throws IOException, InterruptedException {
    return NodeText.addresses(
        text(command.run("scontrol", List.of("--all", "--oneliner", "show", "node"))));
  }

  /** Bytes that are no text become question marks of a kind; no answer is refused for a name. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
