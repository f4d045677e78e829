package dev.sluice.web.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Access;
import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
  private static final String OPERATOR = "operator-0123456789";
  private static final String READER = "reader-0123456789";

  private final Broadcast feed = new Broadcast(3, 2, () -> List.of(EventText.of("hello", "{}")));
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpEndpoint server;

  /** Who may do what now. */
  private volatile Access access =
      AccessTokens.none()
          .with(new Caller("olga", Role.OPERATE), OPERATOR)
          .with(new Caller("rita", Role.READ), READER);

  @BeforeEach
  void start() throws IOException {
    Content lasting =
        Content.lasting(
            "text/plain; charset=utf-8", "x".repeat(5_000).getBytes(StandardCharsets.UTF_8));
    Routes routes =
        new Routes()
            .addForAnybody(HttpMethod.GET, "/", _ -> new WebAnswer.Whole(200, lasting, Map.of()))
            .add(
                HttpMethod.GET,
                "/jobs/{id}",
                Role.READ,
                request ->
                    WebAnswer.text(
                        200, "text/plain", request.parameter("id") + request.queried("x")))
            .add(
                HttpMethod.POST,
                "/change",
                Role.OPERATE,
                request -> WebAnswer.json("\"" + request.caller().who() + request.body() + "\""))
            .add(HttpMethod.GET, "/events", Role.READ, _ -> new WebAnswer.Events(feed))
            .add(
                HttpMethod.GET,
                "/broken",
                Role.READ,
                _ -> {
                  throw new IllegalStateException("on purpose");
                });
    server =
        new HttpEndpoint(
            new HttpSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("Storage.Example"),
                null,
                Duration.ofSeconds(1)),
            (token, fromThisMachine) -> access.caller(token, fromThisMachine),
            routes);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private HttpResponse<byte[]> ask(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url().replaceAll("/$", "") + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void decodesNamesInPathsPartByPart() throws Exception {
    assertThat(text(ask("GET", "/jobs/a%2Fb+c%20%C3%A4?x=1%262", ""))).isEqualTo("a/b+c ä1&2");
  }

  @Test
  void sendsOnlyWhatIsNewAndCompressed() throws Exception {
    HttpResponse<byte[]> whole = ask("GET", "/", "", "Accept-Encoding", "gzip");
    assertThat(whole.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(whole.body().length).isLessThan(200);
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(whole.body()))) {
      assertThat(plain.readAllBytes()).hasSize(5_000);
    }
    String etag = whole.headers().firstValue("ETag").orElseThrow();
    HttpResponse<byte[]> again = ask("GET", "/", "", "If-None-Match", etag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(ask("GET", "/", "").body()).hasSize(5_000);
    assertThat(ask("HEAD", "/", "").body()).isEmpty();
  }

  @Test
  void forbidsEverythingFromElsewhere() throws Exception {
    for (String path : List.of("/", "/jobs/1", "/nothing", "/broken")) {
      HttpHeaders headers = ask("GET", path, "").headers();
      assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
  }

  @Test
  void letsThoseWhoMayChangeSomething() throws Exception {
    String[] json = {"Content-Type", "application/json"};
    assertThat(ask("POST", "/change", "1", json).statusCode()).isEqualTo(403);
    HttpResponse<byte[]> reader =
        ask("POST", "/change", "1", "Authorization", "Bearer " + READER, json[0], json[1]);
    assertThat(reader.statusCode()).isEqualTo(403);
    assertThat(text(reader)).contains("rita").contains("operate");
    HttpResponse<byte[]> stranger =
        ask("POST", "/change", "1", "Authorization", "Bearer " + OPERATOR + "x");
    assertThat(stranger.statusCode()).isEqualTo(401);
    assertThat(stranger.headers().firstValue("WWW-Authenticate")).isPresent();
    HttpResponse<byte[]> operator =
        ask("POST", "/change", "1", "Authorization", "bearer " + OPERATOR, json[0], json[1]);
    assertThat(text(operator)).isEqualTo("\"olga1\"");
  }

  @Test
  void refusesBodiesThatFormsOfOtherPagesCanSend() throws Exception {
    HttpResponse<byte[]> form =
        ask(
            "POST",
            "/change",
            "1",
            "Authorization",
            "Bearer " + OPERATOR,
            "Content-Type",
            "text/plain");
    assertThat(form.statusCode()).isEqualTo(415);
    HttpResponse<byte[]> large =
        ask(
            "POST",
            "/change",
            "x".repeat(Exchanges.BODY_BYTES_MAX + 1),
            "Authorization",
            "Bearer " + OPERATOR,
            "Content-Type",
            "application/json");
    assertThat(large.statusCode()).isEqualTo(413);
  }

  @Test
  void answersOnlyUnderItsOwnNames() throws Exception {
    for (String host : List.of("localhost:80", "127.0.0.1", "[::1]:99", "storage.example:8080")) {
      assertThat(answer(TestClient.request("GET", "/jobs/1", "Host: " + host))).contains(" 200 ");
    }
    for (String host : List.of("evil.example", "evil.example:8080", "localhost.evil.example", "")) {
      assertThat(answer(TestClient.request("GET", "/jobs/1", "Host: " + host))).contains(" 421 ");
    }
  }

  @Test
  void answersNoPageFromElsewhere() throws Exception {
    assertThat(answer(TestClient.request("GET", "/jobs/1", "Origin: http://localhost")))
        .contains(" 200 ");
    assertThat(answer(TestClient.request("GET", "/jobs/1", "Origin: http://evil.example")))
        .contains(" 403 ");
    assertThat(answer(TestClient.request("GET", "/jobs/1", "Sec-Fetch-Site: cross-site")))
        .contains(" 403 ");
    assertThat(
            answer(
                TestClient.request(
                    "GET", "/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")))
        .contains(" 200 ");
  }

  /** A server that has not read all that was sent resets the connection as it closes. */
  private String answerOrReset(String request) {
    try {
      return answer(request);
    } catch (IOException e) {
      return "reset";
    }
  }

  private String answer(String request) throws IOException {
    return TestClient.exchange(server.address(), request);
  }

  @Test
  void saysWhatIsWrongWithARequest() throws Exception {
    assertThat(ask("GET", "/nothing", "").statusCode()).isEqualTo(404);
    HttpResponse<byte[]> method = ask("DELETE", "/change", "");
    assertThat(method.statusCode()).isEqualTo(405);
    assertThat(method.headers().firstValue("Allow")).hasValue("POST");
    HttpResponse<byte[]> broken = ask("GET", "/broken", "");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(text(broken)).contains("a defect in Sluice");
    assertThat(answer("nonsense\r\n\r\n")).contains(" 400 ");
    assertThat(answerOrReset(TestClient.request("GET", "/jobs/1", "X: " + "y".repeat(50_000))))
        .doesNotContain(" 200 ");
  }

  @Test
  void tellsEveryViewerTheSame() throws Exception {
    List<Socket> viewers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Socket viewer = TestClient.connected(server.address());
      viewers.add(viewer);
      viewer
          .getOutputStream()
          .write(TestClient.request("GET", "/events").getBytes(StandardCharsets.UTF_8));
      TestClient.readUntil(viewer.getInputStream(), "event: hello\ndata: {}\n\n");
    }
    assertThat(feed.viewers()).isEqualTo(2);
    assertThat(answer(TestClient.request("GET", "/events")))
        .contains(" 503 ")
        .contains("Retry-after: 10");
    feed.send(() -> EventText.of("frame", "{\"n\":1}"));
    for (Socket viewer : viewers) {
      TestClient.readUntil(viewer.getInputStream(), "event: frame\ndata: {\"n\":1}\n\n");
      viewer.close();
    }
    feed.checkInvariants();
  }

  /** As when it was revoked, or has ended by itself. */
  @Test
  void whoseTokenCountsNoMoreHearsOfNoMoreEvents() throws Exception {
    try (Socket reader = TestClient.connected(server.address());
        Socket operator = TestClient.connected(server.address())) {
      follow(reader, READER);
      follow(operator, OPERATOR);
      access = AccessTokens.none().with(new Caller("olga", Role.OPERATE), OPERATOR);
      Eventually.await("one is let go of", () -> feed.viewers() == 1);
      feed.send(() -> EventText.of("frame", "{\"n\":1}"));
      assertThat(new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .doesNotContain("frame");
      TestClient.readUntil(operator.getInputStream(), "event: frame");
    }
    feed.checkInvariants();
  }

  private static void follow(Socket viewer, String token) throws IOException {
    viewer
        .getOutputStream()
        .write(
            TestClient.request("GET", "/events", "Authorization: Bearer " + token)
                .getBytes(StandardCharsets.UTF_8));
    TestClient.readUntil(viewer.getInputStream(), "event: hello");
  }

  @Test
  void letsGoOfViewersThatDoNotRead() throws Exception {
    try (Socket idle = TestClient.connected(server.address())) {
      idle.setReceiveBufferSize(4_096);
      idle.getOutputStream()
          .write(TestClient.request("GET", "/events").getBytes(StandardCharsets.UTF_8));
      TestClient.readUntil(idle.getInputStream(), "event: hello");
      String line = "x".repeat(4 << 20);
      Eventually.await(
          "it is let go of",
          () -> {
            feed.send(() -> EventText.of("frame", line));
            feed.checkInvariants();
            return feed.viewers() == 0;
          });
    }
  }

  @Test
  void ends() throws Exception {
    try (Socket viewer = TestClient.connected(server.address())) {
      viewer
          .getOutputStream()
          .write(TestClient.request("GET", "/events").getBytes(StandardCharsets.UTF_8));
      TestClient.readUntil(viewer.getInputStream(), "event: hello");
      feed.close();
      server.close();
      assertThat(feed.follow(InetAddress.getLoopbackAddress())).isEmpty();
      assertThat(viewer.getInputStream().readAllBytes().length).isLessThan(20);
    }
  }
}
