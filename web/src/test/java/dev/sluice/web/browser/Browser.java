package dev.sluice.web.browser;

import dev.sluice.command.JsonLine;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A browser without a screen, driven over the WebDriver protocol. Its profile is new and goes with
 * it, and it talks to nobody but the page.
 */
public final class Browser implements AutoCloseable {
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Duration PATIENCE = Duration.ofSeconds(45);
  private static final long POLL_MILLIS = 50;

  private final Process driver;
  private final Path profile;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String session;

  /** Starts one with a window of this size. */
  public Browser(int width, int height, String... flags) throws IOException {
    int port = freePort();
    profile = Files.createTempDirectory("sluice-browser-");
    driver =
        new ProcessBuilder(DRIVER.toString(), "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("driver.log").toFile())
            .start();
    String base = "http://127.0.0.1:" + port;
    awaitDriver(base);
    String answer =
        request(
            "POST",
            base + "/session",
            JsonLine.object(json -> capabilities(json, width, height, flags)));
    session = base + "/session/" + value(answer).openMap().required("sessionId").text();
  }

  /** Whether this machine has one. */
  public static boolean isHere() {
    return Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitDriver(String base) throws IOException {
    long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        request("GET", base + "/status", "");
        return;
      } catch (IOException e) {
        if (System.nanoTime() - giveUpNanos > 0 || !driver.isAlive()) {
          driver.destroy();
          throw e;
        }
        pause();
      }
    }
  }

  private void capabilities(JsonGenerator json, int width, int height, String... flags) {
    json.writeObjectPropertyStart("capabilities");
    json.writeObjectPropertyStart("alwaysMatch");
    json.writeObjectPropertyStart("timeouts");
    json.writeNumberProperty("script", PATIENCE.toMillis());
    json.writeNumberProperty("pageLoad", PATIENCE.toMillis());
    json.writeEndObject();
    json.writeObjectPropertyStart("goog:chromeOptions");
    json.writeStringProperty("binary", CHROMIUM.toString());
    json.writeArrayPropertyStart("args");
    List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=" + width + "," + height,
            "--user-data-dir=" + profile)
        .forEach(json::writeString);
    for (String flag : flags) {
      json.writeString(flag);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private String request(String method, String url, String body) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
    if (body.isEmpty()) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      request.method(method, HttpRequest.BodyPublishers.ofString(body));
    }
    try {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(method + " " + url + ": " + answer.body());
      }
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static DocumentNode value(String answer) {
    return Documents.parse("the browser's answer", answer).openMap().required("value");
  }

  private String post(String path, Consumer<JsonGenerator> properties) throws IOException {
    return request("POST", session + path, JsonLine.object(properties));
  }

  /** Goes to an address. */
  public void open(String url) throws IOException {
    post("/url", json -> json.writeStringProperty("url", url));
  }

  /** Runs a function's body in the page and gives what it returns, as text. */
  public String run(String body) throws IOException {
    String answer =
        post(
            "/execute/sync",
            json -> {
              json.writeStringProperty("script", "return String((() => {" + body + "})())");
              json.writeArrayPropertyStart("args");
              json.writeEndArray();
            });
    return text(answer);
  }

  /** What the page answers may be anything, so it is read as JSON and nothing else. */
  private static String text(String answer) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), answer)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.PROPERTY_NAME
            && "value".equals(parser.currentName())) {
          parser.nextToken();
          return String.valueOf(parser.getValueAsString());
        }
      }
    }
    throw new IllegalStateException("an answer without a value: " + answer);
  }

  /** Waits until an expression is true in the page. */
  public void await(String expression) throws IOException {
    long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!run("return Boolean(" + expression + ")").equals("true")) {
      if (System.nanoTime() - giveUpNanos > 0) {
        throw new IOException(
            "never true: "
                + expression
                + "; the page says: "
                + run("return document.body.innerText"));
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      TimePasses.forMillis(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Presses keys, as a keyboard would; a key is a character or one of WebDriver's code points. */
  public void press(String keys) throws IOException {
    post(
        "/actions",
        json -> {
          json.writeArrayPropertyStart("actions");
          json.writeStartObject();
          json.writeStringProperty("type", "key");
          json.writeStringProperty("id", "keyboard");
          json.writeArrayPropertyStart("actions");
          keys.codePoints()
              .forEach(key -> {
                for (String what : List.of("keyDown", "keyUp")) {
                  json.writeStartObject();
                  json.writeStringProperty("type", what);
                  json.writeStringProperty("value", Character.toString(key));
                  json.writeEndObject();
                }
              });
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndArray();
        });
  }

  /** Clicks on what a selector finds first. */
  public void click(String selector) throws IOException {
    await("document.querySelector(" + quoted(selector) + ")");
    run("document.querySelector(" + quoted(selector) + ").click()");
  }

  /** Types into what a selector finds first, in place of what is there. */
  public void type(String selector, String text) throws IOException {
    run(
        "const field = document.querySelector("
            + quoted(selector)
            + "); field.focus(); field.value = "
            + quoted(text)
            + "; field.dispatchEvent(new Event('input', {bubbles: true}));"
            + " field.dispatchEvent(new Event('change', {bubbles: true}))");
  }

  /** A text as it is written in a script. */
  public static String quoted(String text) {
    String object = JsonLine.object(json -> json.writeStringProperty("t", text));
    return object.substring("{\"t\":".length(), object.length() - 1);
  }

  /** Gives a command to the browser's developer tools, such as to emulate a phone. */
  public void tools(String command, Consumer<JsonGenerator> parameters) throws IOException {
    post(
        "/goog/cdp/execute",
        json -> {
          json.writeStringProperty("cmd", command);
          json.writeObjectPropertyStart("params");
          parameters.accept(json);
          json.writeEndObject();
        });
  }

  /** Makes the page believe that its viewport is this large. */
  public void resize(int width, int height, boolean phone) throws IOException {
    tools(
        "Emulation.setDeviceMetricsOverride",
        json -> {
          json.writeNumberProperty("width", width);
          json.writeNumberProperty("height", height);
          json.writeNumberProperty("deviceScaleFactor", phone ? 2 : 1);
          json.writeBooleanProperty("mobile", phone);
        });
  }

  /** Has the page see a dark or a light system. */
  public void dark(boolean dark) throws IOException {
    tools(
        "Emulation.setEmulatedMedia",
        json -> {
          json.writeArrayPropertyStart("features");
          json.writeStartObject();
          json.writeStringProperty("name", "prefers-color-scheme");
          json.writeStringProperty("value", dark ? "dark" : "light");
          json.writeEndObject();
          json.writeEndArray();
        });
  }

  /** Takes a picture of what is seen. */
  public byte[] picture() throws IOException {
    return Base64.getDecoder().decode(text(request("GET", session + "/screenshot", "")));
  }

  /** What the browser complained about since the last time, as text. */
  public String complaints() throws IOException {
    return post("/se/log", json -> json.writeStringProperty("type", "browser"));
  }

  /** The driver's process, whose descendants are the browser's. */
  public ProcessHandle process() {
    return driver.toHandle();
  }

  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = driver.descendants().toList();
    try {
      request("DELETE", session, "");
    } catch (IOException e) {
      // It ends below, whatever it thinks of it.
    }
    driver.destroy();
    try {
      if (!driver.waitFor(10, TimeUnit.SECONDS)) {
        driver.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    client.close();
    remove(profile);
  }

  private static void removeIfPossible(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The browser is still writing there.
    }
  }

  /**
   * What a browser that is about to end still writes may stay behind in the temporary directory.
   */
  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        removeIfPossible(file);
      }
    } catch (UncheckedIOException e) {
      // It went away while it was looked at.
    }
  }
}
