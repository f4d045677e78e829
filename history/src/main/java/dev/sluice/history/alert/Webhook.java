package dev.sluice.history.alert;

import dev.sluice.command.JsonLine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends notices to somebody's web server, as JSON, one after another, on a thread of its own: a
 * server that is slow, absent or broken holds up nobody. What it does not take after some tries is
 * given up and counted; so is what comes while too many wait.
 */
public final class Webhook implements AutoCloseable {
  static final int WAITING_MAX = 100;
  private static final System.Logger LOG = System.getLogger(Webhook.class.getName());
  private static final int TRIES = 4;

  private final Settings settings;
  private final HttpClient client;
  private final BlockingQueue<Dated> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Thread thread;

  /** A notice and its time. */
  private record Dated(Notice notice, long atMillis) {}

  /**
   * Where to, and how patiently.
   *
   * @param source what the receiver is told of who tells it
   * @param pause before the second try; twice as long before the next, and so on
   */
  public record Settings(URI address, String source, Duration timeout, Duration pause) {
    /** With the patience that suits a server. */
    public Settings(URI address, String source) {
      this(address, source, Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
  }

  public Webhook(Settings settings) {
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.thread = Thread.ofPlatform().name("webhook").daemon().start(this::deliver);
  }

  /** Takes a notice to be sent; never waits. */
  public void send(Notice notice, long atMillis) {
    if (!waiting.offer(new Dated(notice, atMillis))) {
      failed.incrementAndGet();
    }
  }

  /** How many notices were taken by the receiver. */
  public long sent() {
    return sent.get();
  }

  /** How many notices were given up. */
  public long failed() {
    return failed.get();
  }

  private void deliver() {
    try {
      while (true) {
        Dated next = waiting.take();
        if (isTaken(next)) {
          sent.incrementAndGet();
        } else {
          failed.incrementAndGet();
        }
      }
    } catch (InterruptedException e) {
      // It is over.
    }
  }

  private boolean isTaken(Dated next) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(settings.address())
            .timeout(settings.timeout())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json(next)))
            .build();
    Duration pause = settings.pause();
    String problem = "";
    for (int i = 0; i < TRIES; i++) {
      if (i > 0) {
        Thread.sleep(pause);
        pause = pause.multipliedBy(2);
      }
      try {
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status >= 200 && status < 300) {
          return true;
        }
        problem = "it answers with status " + status;
        if (status >= 400 && status < 500 && status != 408 && status != 429) {
          // It will not like it better the next time.
          break;
        }
      } catch (IOException e) {
        problem = String.valueOf(e);
      }
    }
    // Not the whole address: there may be a secret in it.
    LOG.log(
        System.Logger.Level.WARNING,
        "alert "
            + next.notice.key().kind().text()
            + " was not taken by the webhook at "
            + settings.address().getHost()
            + ": "
            + problem);
    return false;
  }

  private String json(Dated dated) {
    Notice notice = dated.notice;
    return JsonLine.object(json -> {
      json.writeStringProperty("alert", notice.key().kind().text());
      json.writeStringProperty("state", notice.fires() ? "firing" : "resolved");
      json.writeStringProperty("subject", notice.key().subject());
      json.writeStringProperty("at", Instant.ofEpochMilli(dated.atMillis).toString());
      json.writeNumberProperty("lasted_s", notice.lastedMillis() / 1_000);
      json.writeStringProperty("words", notice.words());
      json.writeStringProperty("source", settings.source());
    });
  }

  @Override
  public void close() {
    thread.interrupt();
    client.shutdownNow();
  }
}
