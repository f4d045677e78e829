package dev.sluice.studies.report;

import dev.sluice.core.model.Quantities;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.report.Course;
import dev.sluice.history.report.Digest;
import dev.sluice.history.report.JobUse;
import dev.sluice.history.report.LookedOn;
import dev.sluice.history.report.Saturation;
import dev.sluice.history.report.Selection;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.Resolution;
import dev.sluice.sim.report.ReportTable;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a stretch of history says, as tables; the page, the terminal and files show the same. */
public final class HistoryReport {
  private static final int USERS_MAX = 20;
  private static final int JOBS_MAX = 50;
  private static final int SATURATIONS_MAX = 100;
  private static final int EVENTS_MAX = 500;

  /** Jobs with a curve of their own: as many as there are colours that can be told apart. */
  private static final int CURVES_MAX = 7;

  /** Points of each curve of a page. */
  private static final int STEPS = 240;

  private final Selection selection;
  private final Resolution resolution;
  private final ZoneId zone;
  private final Digest digest;
  private final Course course;
  private final List<Event> events;

  private HistoryReport(
      Selection selection,
      Resolution resolution,
      ZoneId zone,
      Digest digest,
      Course course,
      List<Event> events) {
    this.selection = selection;
    this.resolution = resolution;
    this.zone = zone;
    this.digest = digest;
    this.course = course;
    this.events = List.copyOf(events);
  }

  /**
   * Reads what is asked for.
   *
   * @param zone in which times are told
   */
  public static HistoryReport read(
      HistoryFiles files, Selection selection, Resolution resolution, ZoneId zone)
      throws IOException {
    Digest digest = new Digest(selection);
    files.samples(resolution, selection.fromMillis(), selection.toMillis(), digest::add);
    List<String> shown =
        digest.jobs().stream()
            .map(JobUse::name)
            .filter(name -> !name.equals(Sample.OTHERS))
            .limit(CURVES_MAX)
            .toList();
    Course course = new Course(selection, shown, null, STEPS);
    files.samples(resolution, selection.fromMillis(), selection.toMillis(), course::add);
    return new HistoryReport(
        selection,
        resolution,
        zone,
        digest,
        course,
        files.events(selection.fromMillis(), selection.toMillis()));
  }

  public Selection selection() {
    return selection;
  }

  public Resolution resolution() {
    return resolution;
  }

  public Digest digest() {
    return digest;
  }

  Course course() {
    return course;
  }

  public List<Event> events() {
    return events;
  }

  /** What it is about, in a sentence or two. */
  public String words() {
    StringBuilder words = new StringBuilder();
    words.append("From ").append(time(selection.fromMillis()));
    words.append(" to ").append(time(selection.toMillis())).append(" (").append(zone).append(')');
    if (selection.job() != null) {
      words.append(", job ").append(selection.job());
    }
    if (selection.user() != null) {
      words.append(", user ").append(selection.user());
    }
    words.append("; samples of ").append(duration(resolution.spanMillis())).append('.');
    if (digest.isEmpty()) {
      words.append(" There are none in this time.");
    } else if (digest.firstMillis() - selection.fromMillis() > 2L * resolution.spanMillis()) {
      words.append(" The first is of ").append(time(digest.firstMillis())).append('.');
    }
    return words.toString();
  }

  /** The events of some kinds, the newest that there is room for. */
  private List<Event> events(List<Event.Kind> kinds) {
    List<Event> found = events.stream().filter(event -> kinds.contains(event.kind())).toList();
    return found.subList(Math.max(0, found.size() - EVENTS_MAX), found.size());
  }

  public ReportTable users() {
    List<List<String>> rows = new ArrayList<>();
    List<JobUse> users = digest.users();
    for (JobUse user : users.subList(0, Math.min(USERS_MAX, users.size()))) {
      rows.add(
          List.of(
              name(user.name(), "not known"),
              Integer.toString(user.jobs()),
              bytes(user.readBytes()),
              bytes(user.writtenBytes()),
              count(user.operations()),
              wait(user),
              duration(user.heldBackMillis())));
    }
    return new ReportTable(
        "Users, who moved most first" + shown(users.size(), USERS_MAX),
        List.of("user", "jobs", "read", "written", "operations", "mean wait", "held back"),
        rows);
  }

  public ReportTable jobs() {
    List<List<String>> rows = new ArrayList<>();
    List<JobUse> jobs = digest.jobs();
    for (JobUse job : jobs.subList(0, Math.min(JOBS_MAX, jobs.size()))) {
      rows.add(
          List.of(
              name(job.name(), "others"),
              name(job.user(), "–"),
              bytes(job.readBytes()),
              bytes(job.writtenBytes()),
              count(job.operations()),
              duration(job.busyMillis()),
              wait(job),
              duration(job.heldBackMillis())));
    }
    return new ReportTable(
        "Jobs, who moved most first" + shown(jobs.size(), JOBS_MAX),
        List.of("job", "user", "read", "written", "operations", "active", "mean wait", "held back"),
        rows);
  }

  public ReportTable heldBack() {
    Map<String, Event> reasons = new HashMap<>();
    for (Event event : events) {
      if (event.kind() == Event.Kind.HELD_BACK) {
        reasons.put(event.subject(), event);
      }
    }
    List<List<String>> rows = new ArrayList<>();
    List<JobUse> jobs = digest.heldBack();
    for (JobUse job : jobs.subList(0, Math.min(JOBS_MAX, jobs.size()))) {
      Event reason = reasons.get(job.name());
      rows.add(
          List.of(
              name(job.name(), "others"),
              name(job.user(), "–"),
              duration(job.heldBackMillis()),
              wait(job),
              cause(job),
              reason == null ? "–" : time(reason.atMillis()) + ": " + reason.words()));
    }
    return new ReportTable(
        "Jobs whose requests had to wait, the longest first" + shown(jobs.size(), JOBS_MAX),
        List.of("job", "user", "held back", "mean wait", "by", "why, as the policy last said"),
        rows);
  }

  /** What held a job back: the limit it was given and used, or else that others came first. */
  private static String cause(JobUse job) {
    return 2 * job.limitedMillis() >= job.heldBackMillis()
        ? "its allowance"
        : "the target: others came first";
  }

  /** What would have been done while nothing was enforced; no rows where all was. */
  public ReportTable lookedOn() {
    List<LookedOn.Slowed> slowed = digest.lookedOn().slowed();
    List<List<String>> rows = new ArrayList<>();
    for (LookedOn.Slowed one : slowed.subList(0, Math.min(JOBS_MAX, slowed.size()))) {
      rows.add(
          List.of(
              name(one.job(), "others"),
              name(one.user(), "–"),
              duration(one.millis()),
              String.format(Locale.ROOT, "%.0f %%", 100 * one.part())));
    }
    if (rows.isEmpty() && digest.lookedOn().millis() > 0) {
      rows.add(List.of("nobody", "–", "–", "–"));
    }
    return new ReportTable(
        "Nothing was enforced for "
            + duration(digest.lookedOn().millis())
            + "; who would have been slowed down"
            + shown(slowed.size(), JOBS_MAX),
        List.of("job", "user", "for", "to, of what it had"),
        rows);
  }

  public ReportTable targets() {
    List<List<String>> rows = new ArrayList<>();
    for (Digest.TargetUse target : digest.targets()) {
      rows.add(
          List.of(
              target.name(),
              bytes(target.bytes()),
              count(target.operations()),
              target.utilisation() < 0
                  ? "–"
                  : String.format(Locale.ROOT, "%.1f %%", 100 * target.utilisation()),
              duration(target.saturatedMillis())));
    }
    return new ReportTable(
        "Targets: what all jobs together did",
        List.of("target", "moved", "operations", "utilised", "saturated"),
        rows);
  }

  public ReportTable saturations() {
    List<List<String>> rows = new ArrayList<>();
    List<Saturation> all = digest.saturations();
    for (Saturation one : all.subList(Math.max(0, all.size() - SATURATIONS_MAX), all.size())) {
      rows.add(
          List.of(
              one.target(),
              time(one.fromMillis()),
              time(one.toMillis()),
              duration(one.saturatedMillis()),
              count(one.queuedMax()),
              name(one.busiestJob(), "others")));
    }
    return new ReportTable(
        "When targets served all that they could"
            + (all.size() > SATURATIONS_MAX ? " (the last " + SATURATIONS_MAX + ")" : ""),
        List.of("target", "from", "to", "saturated for", "most waiting", "who moved most"),
        rows);
  }

  public ReportTable changes() {
    return events("What was changed, and by whom", List.of(Event.Kind.CHANGE, Event.Kind.STARTED));
  }

  public ReportTable troubles() {
    return events("Alerts and troubles", List.of(Event.Kind.ALERT, Event.Kind.TROUBLE));
  }

  private ReportTable events(String caption, List<Event.Kind> kinds) {
    List<List<String>> rows = new ArrayList<>();
    for (Event event : events(kinds)) {
      rows.add(
          List.of(
              time(event.atMillis()),
              event.kind().text(),
              name(event.who(), "–"),
              name(event.subject(), "–"),
              event.words()));
    }
    return new ReportTable(caption, List.of("time", "kind", "who", "about", "what"), rows);
  }

  private static String shown(int all, int max) {
    return all > max ? " (the first " + max + " of " + all + ")" : "";
  }

  private static String name(String name, String none) {
    return name.isEmpty() ? none : name;
  }

  private static String bytes(long bytes) {
    return Quantities.formatBytes((double) bytes);
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String wait(JobUse use) {
    return Quantities.formatDuration(TimeUnit.MICROSECONDS.toNanos(use.meanWaitMicros()));
  }

  static String duration(long millis) {
    return Quantities.formatDuration(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private String time(long millis) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
        .format(Instant.ofEpochMilli(millis).atZone(zone));
  }
}
