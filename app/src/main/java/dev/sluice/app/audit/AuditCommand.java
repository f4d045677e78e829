package dev.sluice.app.audit;

import dev.sluice.access.AuditLog;
import dev.sluice.access.AuditRecord;
import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.command.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows who changed what, and whether all of it is still as it was written. */
@Command(
    name = "audit",
    description = {
      "Show who changed what and when, and whether the records are as they were written.",
      "",
      "Controllers, gateways and agents keep audit.log in their state directories, ./sluice keys",
      "beside the keys. Each record is sealed with audit.key, over the seal of the one before:"
          + " what",
      "was changed, taken out or put in between is named. That the end was cut off shows only in",
      "the logs of these programs, which have every seal.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice audit",
      "          ./sluice audit /var/lib/sluice keys --last 20",
      "",
      "Exit code 1 where a record does not fit."
    })
public final class AuditCommand implements Runnable {
  private static final List<String> USUAL =
      List.of(
          "sluice-state",
          "/var/lib/sluice",
          "/var/lib/sluice-controller",
          "/var/lib/sluice-agent",
          "keys");

  @Spec @Nullable CommandSpec spec;

  @Option(names = "--last", paramLabel = "NUMBER", description = "Show only so many of each log.")
  int last = Integer.MAX_VALUE;

  @Option(names = "--json", description = "Print JSON for programs, a line for each record.")
  boolean json;

  @Parameters(
      arity = "0..*",
      paramLabel = "DIRECTORY",
      description =
          "Where an audit.log is (default: those of sluice-state, keys, and the services' in"
              + " /var/lib that have one).")
  List<String> directories = new ArrayList<>();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (last < 0) {
      throw new BadInputException("--last " + last + ": expected a number from 0 on");
    }
    List<String> flaws = new ArrayList<>();
    for (Path directory : directories()) {
      String flaw = show(directory, out);
      if (flaw != null) {
        flaws.add(flaw);
      }
    }
    out.flush();
    if (!flaws.isEmpty()) {
      throw new FailedException(String.join("\n", flaws));
    }
  }

  private List<Path> directories() {
    List<Path> found = new ArrayList<>();
    try {
      for (String named : directories.isEmpty() ? USUAL : directories) {
        Path directory = Path.of(named);
        if (AuditLog.isIn(directory)) {
          found.add(directory);
        } else if (!directories.isEmpty()) {
          throw new BadInputException(named + ": expected a directory with an audit.log");
        }
      }
    } catch (InvalidPathException e) {
      throw new BadInputException(e.getInput() + ": expected a directory with an audit.log", e);
    }
    if (found.isEmpty()) {
      throw new BadInputException(
          "there is no audit.log in "
              + String.join(", ", USUAL)
              + "; expected the state directory of a controller, a gateway or an agent, or one of"
              + " keys");
    }
    return found;
  }

  /** What does not fit; null where all does. */
  private @Nullable String show(Path directory, PrintWriter out) {
    AuditLog log = new AuditLog(directory, InstantSource.system(), _ -> {});
    Deque<AuditRecord> shown = new ArrayDeque<>();
    AuditLog.Verdict verdict;
    try {
      verdict =
          log.verify(record -> {
            shown.addLast(record);
            if (shown.size() > last) {
              shown.removeFirst();
            }
          });
    } catch (IOException e) {
      throw new FailedException(directory + ": cannot be read: " + e.getMessage(), e);
    }
    shown.forEach(record -> out.println(json ? json(directory, record) : text(record)));
    if (!json) {
      out.println(words(directory, verdict));
    }
    return verdict.flaw();
  }

  private static String text(AuditRecord record) {
    return record.number()
        + "  "
        + record.at()
        + "  "
        + record.about()
        + "  "
        + record.who()
        + ": "
        + record.what();
  }

  private static String json(Path directory, AuditRecord record) {
    return JsonLine.object(line -> {
      line.writeStringProperty("log", directory.toString());
      line.writeNumberProperty("number", record.number());
      line.writeStringProperty("at", record.at().toString());
      line.writeStringProperty("about", record.about());
      line.writeStringProperty("who", record.who());
      line.writeStringProperty("what", record.what());
      line.writeStringProperty("seal", record.seal());
    });
  }

  private static String words(Path directory, AuditLog.Verdict verdict) {
    String count = directory + ": " + verdict.records() + " records";
    if (verdict.flaw() != null) {
      return count + ", and not all fit";
    }
    return count
        + (verdict.first() > 1 ? ", from number " + verdict.first() + " on" : "")
        + (verdict.sealsSeen()
            ? ", and all fit"
            : ", whose chain fits; their seals were not looked at, since audit.key is not there");
  }
}
