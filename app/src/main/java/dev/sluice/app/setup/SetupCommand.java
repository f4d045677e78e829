package dev.sluice.app.setup;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.GatewayConfiguration;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a gateway's first configuration. */
@Command(
    name = "setup",
    description = {
      "Write a gateway's first configuration: it looks on, and throttles nobody.",
      "",
      "Asks for what no option says, if there is a terminal to ask on. After a day,",
      "./sluice report tells what would have been done; ./sluice setup --enforce begins to do it.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A file that is there is not replaced, unless --replace says so.",
      "",
      "Example: ./sluice setup --export /srv/scratch --clients 10.1.0.0/16 --slurm"
    })
public final class SetupCommand implements Runnable {
  private static final Path SYSTEM_DIRECTORY = Path.of("/etc/sluice");
  private static final String NAME = "sluice.yaml";

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "The file to write (default: /etc/sluice/sluice.yaml where /etc/sluice can be written,"
              + " else ./sluice.yaml).")
  @Nullable String file;

  @Option(
      names = "--export",
      paramLabel = "DIR[=PATH]",
      description = "A directory to serve, and the path to mount it by (default: the same).")
  List<String> exports = new ArrayList<>();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "NETWORK",
      description = "Who may mount: addresses and networks, such as 10.1.0.0/16.")
  List<String> clients = new ArrayList<>();

  @Option(
      names = "--slurm",
      negatable = true,
      description = "Whether Slurm knows whose jobs run where; its commands must work here.")
  @Nullable Boolean slurm;

  @Option(names = "--replace", description = "Replace a configuration that is there.")
  boolean replace;

  @Option(
      names = "--enforce",
      description = "Change the configuration that is there: what was looked at is now done.")
  boolean enforce;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Path to = target();
    if (enforce) {
      enforce(to, out);
    } else {
      begin(to, out);
    }
    out.flush();
  }

  private Path target() {
    if (file != null) {
      return Path.of(file);
    }
    return (Files.isWritable(SYSTEM_DIRECTORY) ? SYSTEM_DIRECTORY : Path.of("")).resolve(NAME);
  }

  private void begin(Path to, PrintWriter out) {
    if (Files.exists(to) && !replace) {
      throw new BadInputException(
          to + ": is there already; --replace replaces it, --enforce has it enforced");
    }
    FirstConfiguration wanted = answers(out);
    write(to, wanted.text());
    GatewayConfiguration read = ConfigurationReader.read(to, Policies.ALL);
    String path = read.exports().getFirst().path();
    out.println(to + " is written. It looks on and throttles nobody. Next:");
    if (to.startsWith(SYSTEM_DIRECTORY)) {
      out.println("  systemctl enable --now sluice-gateway    starts it, now and with the machine");
    } else {
      out.println("  ./sluice serve -c " + to);
    }
    out.println("  mount -t nfs SERVER:" + path + " /mnt    on a client");
    out.println("  ./sluice top                  who does what, now");
    out.println("  ./sluice report               after a day: what would have been done");
    out.println("  ./sluice setup --enforce      does it from then on");
  }

  /** What options say, and the rest from whoever is there to be asked. */
  private FirstConfiguration answers(PrintWriter out) {
    Questions questions = exports.isEmpty() ? Questions.onTerminal(out) : null;
    if (exports.isEmpty() && questions == null) {
      throw new BadInputException(
          "expected --export DIR: the directory to be served, such as /srv/scratch");
    }
    List<String> served =
        questions == null
            ? exports
            : List.of(questions.ask("Which directory is to be served?", "/srv"));
    List<String> who = clients;
    if (who.isEmpty()) {
      String near = LocalNetworks.text();
      String said =
          questions == null
              ? near
              : questions.ask("Which addresses or networks may mount it?", near);
      who = Stream.of(said.split("[\\s,]+", -1)).filter(each -> !each.isEmpty()).toList();
    }
    boolean jobs = slurm == null ? SlurmHere.isHere() : slurm;
    if (slurm == null && questions != null) {
      jobs = questions.ask("Ask Slurm whose jobs run where?", jobs ? "yes" : "no").startsWith("y");
    }
    return new FirstConfiguration(
        served.stream().map(FirstConfiguration.Served::parse).toList(), who, jobs);
  }

  /** Somebody at a terminal who can be asked. */
  private record Questions(Console console, PrintWriter out) {
    /** Null where there is nobody. */
    @SuppressWarnings("SystemConsoleNull") // Since Java 25 it may be null again.
    static @Nullable Questions onTerminal(PrintWriter out) {
      Console console = System.console();
      return console != null && console.isTerminal() ? new Questions(console, out) : null;
    }

    /** The answer; the standard one where nothing is typed. */
    String ask(String question, String standard) {
      out.flush();
      String answer = console.readLine("%s [%s] ", question, standard);
      return answer == null || answer.isBlank() ? standard : answer.strip();
    }
  }

  private static void enforce(Path file, PrintWriter out) {
    try {
      String before = Files.readString(file);
      String after = before.replaceFirst(FirstConfiguration.OBSERVING_LINE, "observe-only: false");
      boolean was = ConfigurationReader.read(file, Policies.ALL).observesOnly();
      if (!was) {
        out.println(file + " says so already: what is decided is enforced");
        return;
      }
      if (before.equals(after)) {
        throw new BadInputException(
            file + ": expected a line \"observe-only: true\"; set it to false by hand");
      }
      write(file, after);
    } catch (IOException e) {
      throw new FailedException(file + ": cannot be changed: " + e.getMessage(), e);
    }
    out.println(
        file
            + ": from now on what is decided is enforced; a gateway that runs follows within two"
            + " seconds");
  }

  /** Whole or not at all, and only what a gateway would take. */
  private static void write(Path file, String text) {
    Path absolute = file.toAbsolutePath();
    Path unnamed = absolute.resolveSibling("." + absolute.getFileName() + ".new");
    try {
      Files.createDirectories(Objects.requireNonNull(absolute.getParent()));
      Files.writeString(unnamed, text);
      try {
        GatewayConfiguration _ = ConfigurationReader.read(unnamed, Policies.ALL);
        Files.move(
            unnamed, absolute, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unnamed);
      }
    } catch (IOException e) {
      throw new FailedException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
