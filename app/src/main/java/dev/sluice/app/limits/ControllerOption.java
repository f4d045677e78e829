package dev.sluice.app.limits;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.store.keys.KeyException;
import dev.sluice.store.keys.TlsContexts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which controller a command talks to, and as whom. */
final class ControllerOption {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String STANDARD = "http://127.0.0.1:8090";

  /** Where a controller on this machine leaves the token of its owner. */
  private static final List<String> OWNER_TOKENS =
      List.of("sluice-state/dashboard.token", "/var/lib/sluice/dashboard.token");

  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;

  @Option(
      names = "--controller",
      paramLabel = "URL",
      description =
          "The controller to talk to (default: $SLUICE_CONTROLLER, else http://127.0.0.1:8090).")
  @Nullable String controller;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token to show (default: $SLUICE_TOKEN, else the token that a controller"
              + " on this machine leaves for its owner). Without a token you may only look, and"
              + " only from the controller's own machine.")
  @Nullable String tokenFile;

  @Option(
      names = "--authority",
      paramLabel = "FILE",
      description =
          "The certificate of the authority that the controller's certificate is from, for https:"
              + " authority.crt of ./sluice keys init (default: those that Java trusts).")
  @Nullable String authority;

  /** Asks for something. */
  DocumentMap get(String path) {
    return ask(HttpRequest.newBuilder().GET(), path);
  }

  /** Sends a JSON object. */
  DocumentMap post(String path, String body) {
    return ask(
        HttpRequest.newBuilder()
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json"),
        path);
  }

  private DocumentMap ask(HttpRequest.Builder request, String path) {
    String base = base();
    String token = token();
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = client()) {
      HttpResponse<String> answer =
          client.send(
              request.uri(URI.create(base + path)).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return read(answer, base);
    } catch (IOException e) {
      throw new FailedException(
          base
              + ": no controller answers here ("
              + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
              + "); ./sluice controller starts one, --controller URL names another",
          e);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          base + ": expected the address of a controller such as https://controller:8090", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private static DocumentMap read(HttpResponse<String> answer, String base) {
    DocumentMap map;
    try {
      map = CommandClient.read(answer.body()).openMap();
    } catch (DocumentException e) {
      throw new FailedException(base + ": what answers here is no controller", e);
    }
    if (answer.statusCode() < BAD_REQUEST) {
      return map;
    }
    String error = map.required("error").text();
    if (answer.statusCode() < SERVER_ERROR) {
      throw new BadInputException(error);
    }
    throw new FailedException(base + ": " + error);
  }

  private String base() {
    String given = controller == null ? System.getenv("SLUICE_CONTROLLER") : controller;
    String base = given == null || given.isEmpty() ? STANDARD : given;
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }

  private HttpClient client() {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
    if (authority != null) {
      try {
        builder.sslContext(TlsContexts.trusting(Path.of(authority)));
      } catch (KeyException | InvalidPathException e) {
        throw new BadInputException("--authority: " + e.getMessage(), e);
      }
    }
    return builder.build();
  }

  private @Nullable String token() {
    try {
      if (tokenFile != null) {
        return Files.readString(Path.of(tokenFile)).strip();
      }
      String given = System.getenv("SLUICE_TOKEN");
      if (given != null && !given.isEmpty()) {
        return given;
      }
      for (String file : OWNER_TOKENS) {
        if (Files.isReadable(Path.of(file))) {
          return Files.readString(Path.of(file)).strip();
        }
      }
      return null;
    } catch (IOException | InvalidPathException e) {
      throw new BadInputException("--token-file: cannot be read: " + e.getMessage(), e);
    }
  }
}
