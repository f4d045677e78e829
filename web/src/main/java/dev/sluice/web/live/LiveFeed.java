package dev.sluice.web.live;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.web.server.Broadcast;
import dev.sluice.web.server.EventFeed;
import dev.sluice.web.server.EventText;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Looks at a program's status once a second and tells everybody who looks at the page, with one
 * frame made for all of them. The last minutes are kept, so that whoever comes sees at once how it
 * came to this. Safe for use by many threads.
 */
public final class LiveFeed implements AutoCloseable {
  /** How many jobs of each target are shown while they happen. */
  static final int JOBS_MAX = 1_000;

  /** How many of them, the busiest, are kept. */
  static final int KEPT_JOBS_MAX = 12;

  /** How many, those that a page has room for, somebody who comes is told of at once. */
  static final int WELCOME_JOBS_MAX = 50;

  /**
   * How many rows are shown, kept and told at once of all targets together; of each target its
   * first few, too. Where there are more, they are of the busiest jobs.
   */
  static final int ROWS_MAX = 4_000;

  private static final int KEPT_ROWS_MAX = 240;
  private static final long KEPT_CHARS_MAX = 4L << 20;
  private static final int WELCOME_ROWS_MAX = 400;
  private static final int FIRST_OF_TARGET = 4;

  /** How many seconds are kept. */
  static final int KEPT_MAX = 180;

  /** With how many jobs of each target come the numbers behind the policy's decision. */
  private static final int EXPLAINED_JOBS_MAX = 100;

  private static final int NUMBERED_JOBS_MAX = 5_000;
  private static final int VIEWERS_MAX = 256;
  private static final int VIEWERS_PER_CLIENT_MAX = 64;
  private static final long INTERVAL_MILLIS = 1_000;
  private static final System.Logger LOG = System.getLogger(LiveFeed.class.getName());

  private static final String ASK =
      JsonLine.object(json -> {
        json.writeStringProperty("command", "status");
        json.writeNumberProperty("jobs", JOBS_MAX);
        json.writeNumberProperty("figures", EXPLAINED_JOBS_MAX);
      });

  private final RequestHandler commands;
  private final LongSupplier lastChange;
  private final Broadcast viewers =
      new Broadcast(VIEWERS_MAX, VIEWERS_PER_CLIENT_MAX, this::welcome);
  private final JobNumbers numbers = new JobNumbers(NUMBERED_JOBS_MAX);
  private final Deque<String> kept = new ArrayDeque<>();
  private long keptChars;
  private @Nullable LiveFrame last;
  private long frameNumber;

  /**
   * A feed that looks when {@link #look} is called.
   *
   * @param lastChange the number of the last change in the audit trail
   */
  public LiveFeed(RequestHandler commands, LongSupplier lastChange) {
    this.commands = commands;
    this.lastChange = lastChange;
  }

  /** Has the feed look once a second from now on, until the answer is closed. */
  public AutoCloseable run(InstantSource clock) {
    Thread thread = Thread.ofPlatform().name("web-live").daemon().start(() -> lookOn(clock));
    return thread::interrupt;
  }

  private void lookOn(InstantSource clock) {
    try {
      while (true) {
        look(clock.millis());
        // On the second, so that what several programs show can be laid side by side.
        Thread.sleep(INTERVAL_MILLIS - Math.floorMod(clock.millis(), INTERVAL_MILLIS));
      }
    } catch (InterruptedException e) {
      // The server ends.
    }
  }

  /** Looks once and tells everybody. */
  void look(long nowMillis) {
    try {
      LiveStatus status = StatusReader.read(commands.reply(ASK).line());
      viewers.send(() -> frame(status, nowMillis));
    } catch (NoStatusException e) {
      // Whoever looks sees that nothing new comes.
    } catch (JacksonException | IllegalStateException e) {
      LOG.log(Level.WARNING, "the status cannot be shown: " + e.getMessage());
    }
  }

  private synchronized EventText frame(LiveStatus seen, long nowMillis) {
    LiveStatus status = BusiestRows.of(seen, ROWS_MAX, FIRST_OF_TARGET);
    List<List<Long>> numbered = new ArrayList<>();
    for (LiveStatus.LiveTarget target : status.targets()) {
      numbered.add(target.jobs().stream().map(job -> numbers.number(job.description())).toList());
    }
    LiveFrame frame =
        new LiveFrame(++frameNumber, nowMillis, lastChange.getAsLong(), status, numbered);
    List<JobNumbers.Numbered> news = numbers.takeNews();
    keep(
        JsonLine.object(json -> {
          FrameWriter.ofThePast(json, KEPT_JOBS_MAX).write(frame.busiest(KEPT_ROWS_MAX));
          FrameWriter.names(List.of(), json);
        }));
    last = frame;
    return event(frame, JOBS_MAX, news);
  }

  /** Two hundred targets take ten times the room of twenty, which is what there is room for. */
  private void keep(String frame) {
    kept.addLast(frame);
    keptChars += frame.length();
    while (kept.size() > KEPT_MAX || keptChars > KEPT_CHARS_MAX) {
      keptChars -= kept.removeFirst().length();
    }
  }

  private static EventText event(LiveFrame frame, int jobsMax, List<JobNumbers.Numbered> names) {
    return EventText.of(
        "frame",
        JsonLine.object(json -> {
          FrameWriter.ofNow(json, jobsMax).write(frame);
          FrameWriter.names(names, json);
        }));
  }

  /** Nobody has to wait for the next second to see this one, as far as a page shows it. */
  private synchronized List<EventText> welcome() {
    if (last == null) {
      return List.of();
    }
    LiveFrame frame = last.busiest(WELCOME_ROWS_MAX);
    return List.of(event(frame, WELCOME_JOBS_MAX, frame.named(WELCOME_JOBS_MAX)));
  }

  /** The last minutes: all names, and frames as they were sent, with fewer jobs. */
  public synchronized String recent() {
    StringBuilder text = new StringBuilder();
    String names = JsonLine.object(json -> FrameWriter.names(numbers.all(), json));
    text.append(names, 0, names.length() - 1).append(",\"frames\":[");
    text.append(String.join(",", kept));
    return text.append("]}").toString();
  }

  /** The frames from now on. */
  public EventFeed events() {
    return viewers;
  }

  @Override
  public void close() {
    viewers.close();
  }
}
