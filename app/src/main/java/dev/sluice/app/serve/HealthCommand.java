package dev.sluice.app.serve;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.command.CommandClient;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says whether a gateway is well, by its exit code and in words. */
@Command(
    name = "health",
    description = {
      "Say whether a gateway is well: one line for each thing that is wrong.",
      "",
      "Wrong is: storage that keeps a request for too long, requests that wait although",
      "nothing holds them back, threads that died, a control loop that has lapsed, memory",
      "that is exhausted for long, history that cannot be written.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 well; 1 sick; 2 not reachable, or the input was bad.",
      "Load balancers ask GET /healthz of the dashboard: 200 or 503.",
      "",
      "Example: ./sluice health -c sluice.yaml --patience 60s"
    })
public final class HealthCommand implements Callable<Integer> {
  private static final int WELL = 0;
  private static final int SICK = 1;
  private static final int UNREACHABLE = 2;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Ask the dashboard at this address instead, such as http://gateway:8080.")
  @Nullable String url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "With --url: a token, without which strangers are told no reasons.")
  @Nullable Path tokenFile;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      description = "How long something may last before it is wrong (default: ${DEFAULT-VALUE}).")
  String patience = "30s";

  @Option(names = "--json", description = "Print JSON for programs instead of words for people.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long seconds = Math.max(1, patienceNanos() / NANOS_PER_SECOND);
    String answer;
    try {
      answer = url == null ? overSocket(seconds) : overHttp(url, seconds);
    } catch (FailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return UNREACHABLE;
    }
    if (json) {
      out.println(answer);
    }
    DocumentMap health = CommandClient.read(answer).openMap();
    boolean well = health.required("healthy").bool();
    if (!json) {
      DocumentNode findings = health.optional("findings");
      if (findings == null || findings.list().isEmpty()) {
        out.println(well ? "healthy" : "sick; it tells strangers no more");
      } else {
        findings.list().forEach(node -> out.println(node.openMap().required("words").text()));
      }
    }
    return well ? WELL : SICK;
  }

  private long patienceNanos() {
    try {
      return Quantities.parseDurationNanos(patience);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--patience: " + e.getMessage(), e);
    }
  }

  private String overSocket(long seconds) {
    return gateway.ask(
        "health", arguments -> arguments.writeNumberProperty("patience_ms", 1_000 * seconds));
  }

  private String overHttp(String base, long seconds) {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build()) {
      String slash = base.endsWith("/") ? "" : "/";
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(base + slash + "healthz?patience=" + seconds))
              .timeout(ANSWER);
      if (tokenFile != null) {
        request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
      }
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return told(base, answer);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--url: expected an address such as http://gateway:8080", e);
    } catch (IOException e) {
      throw new FailedException(base + ": no gateway answers here (" + e + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  /** Strangers are answered with a word, others with JSON. */
  private static String told(String base, HttpResponse<String> answer) {
    boolean well = answer.statusCode() == 200;
    if (!well && answer.statusCode() != 503) {
      throw new FailedException(
          base + ": answered with " + answer.statusCode() + ", not as a gateway does");
    }
    try {
      if (answer.body().startsWith("{")
          && CommandClient.read(answer.body()).openMap().optional("healthy") != null) {
        return answer.body();
      }
    } catch (DocumentException e) {
      throw new FailedException(base + ": answered with what no gateway says", e);
    }
    return "{\"healthy\":" + well + ",\"findings\":[]}";
  }
}
