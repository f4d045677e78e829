package dev.sluice.lustre.standin;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Lustre server with one service, its partitions, targets and counters. What would bring a real
 * one down brings this one down too: {@link #crash} then says why.
 *
 * @param <R> a request
 */
public final class StandInServer<R> {
  private static final int COMMAND_BYTES_MAX = 4_095;
  private static final Pattern START =
      Pattern.compile(
          "start (\\S+) (\\S.*\\})(?: rate=(\\d+))?(?: rank=(\\w+))?(?: (realtime)=1)?");
  private static final Pattern CHANGE =
      Pattern.compile("change (\\S+)(?: rate=(\\d+))?(?: rank=(\\w+))?");
  private static final Pattern STOP = Pattern.compile("stop (\\S+)");

  private final LustreVersion version;
  private final LustreService service;
  private final List<Partition<R>> partitions = new ArrayList<>();
  private final Map<String, Map<String, StandInJob>> targets = new LinkedHashMap<>();

  /** Answers whether the next write to a partition fails for want of memory. */
  private BooleanSupplier outOfMemory = () -> false;

  private String policy = "fifo";
  private long requests;
  private long waitedMicros;

  /** What was handed out and has not been served yet. */
  private long inService;

  private long activeSum;
  private long done;
  private long doneMicros;
  private boolean saysInService = true;
  private long microsOfEach = 10_000;
  private long lateNanos = TbfHead.LATE_NANOS;
  private @Nullable String crash;
  private int ruleWrites;
  private int unchangedWrites;

  /** The queues of one partition. */
  private static final class Partition<R> {
    TbfHead<Waiting<R>> regular = new TbfHead<>();
    TbfHead<Waiting<R>> highPriority = new TbfHead<>();
    final ArrayDeque<Waiting<R>> fifo = new ArrayDeque<>();
  }

  /** A request, and when it came. */
  private record Waiting<R>(R request, long sinceNanos) {}

  public StandInServer(
      LustreVersion version, LustreService service, int partitions, String... targets) {
    this.version = version;
    this.service = service;
    for (int i = 0; i < partitions; i++) {
      this.partitions.add(new Partition<>());
    }
    Arrays.stream(targets).forEach(target -> this.targets.put(target, new LinkedHashMap<>()));
  }

  /** An object server with one target, on which the filter goes by job. */
  public static <R> StandInServer<R> filtering(LustreVersion version, int partitions) {
    StandInServer<R> server =
        new StandInServer<>(version, LustreService.OST_IO, partitions, "a-OST0000");
    server.policy = "tbf jobid";
    return server;
  }

  public LustreVersion version() {
    return version;
  }

  LustreService service() {
    return service;
  }

  /** Which partition serves requests of a node. */
  public int partition(String node) {
    return Math.floorMod((node.hashCode() * 0x9e3779b9) >>> 8, partitions.size());
  }

  int partitions() {
    return partitions.size();
  }

  /** Why a real server would have gone down; null where it would not. */
  public @Nullable String crash() {
    return crash;
  }

  private void crash(String reason) {
    if (crash == null) {
      crash = reason;
    }
  }

  /** From now on, memory is short whenever this says so. */
  public void outOfMemory(BooleanSupplier when) {
    outOfMemory = when;
  }

  /**
   * How many commands changed something, and how many of them set a rate that was there already.
   */
  public int ruleWrites() {
    return ruleWrites;
  }

  public int unchangedWrites() {
    return unchangedWrites;
  }

  /** From now on, the filter's timer is so late. */
  public void lateNanos(long nanos) {
    lateNanos = nanos;
    partitions.forEach(partition -> partition.regular.lateNanos(nanos));
  }

  /** From now on, each request that is only said to have been served has waited so long. */
  public void microsOfEach(long micros) {
    microsOfEach = micros;
  }

  /** Starts anew: rules and counters are gone. */
  public void reboot(String policyAtStart) {
    for (Partition<R> partition : partitions) {
      partition.regular = new TbfHead<>();
      partition.highPriority = new TbfHead<>();
      partition.fifo.clear();
    }
    targets.replaceAll((_, _) -> new LinkedHashMap<>());
    policy = policyAtStart;
    requests = 0;
    waitedMicros = 0;
    inService = 0;
    activeSum = 0;
    done = 0;
    doneMicros = 0;
    lateNanos(lateNanos);
  }

  // Requests.

  /** A request comes in. */
  public void enqueue(int partition, String job, R request, long nowNanos) {
    Partition<R> where = partitions.get(partition);
    Waiting<R> waiting = new Waiting<>(request, nowNanos);
    if (isFiltering()) {
      where.regular.enqueue(job, waiting, nowNanos);
    } else {
      where.fifo.add(waiting);
    }
  }

  /** The next request that may be served; null where there is none now. */
  public @Nullable R dequeue(int partition, long nowNanos) {
    Partition<R> where = partitions.get(partition);
    Waiting<R> next = isFiltering() ? where.regular.dequeue(nowNanos) : where.fifo.poll();
    if (next == null) {
      return null;
    }
    requests++;
    inService++;
    activeSum += (inService + partitions.size() - 1) / partitions.size();
    waitedMicros += (nowNanos - next.sinceNanos()) / 1_000;
    return next.request();
  }

  /** A request that was handed out has been served, whoever counts it, and took so long. */
  public void done(long nanos) {
    inService--;
    done++;
    doneMicros += nanos / 1_000;
  }

  /** From now on, it does not say how many requests it has in service. */
  public void hideInService() {
    saysInService = false;
  }

  /** When a partition that had nothing to hand out is worth asking again. */
  public long wakeNanos(int partition) {
    return isFiltering() ? partitions.get(partition).regular.wakeNanos() : Long.MAX_VALUE;
  }

  /** A request has been served, and is counted. */
  public void served(String target, String job, boolean read, long bytes, long nowNanos) {
    StandInJob counted = counted(target, job, nowNanos);
    counted.snapshotNanos = nowNanos;
    if (service != LustreService.OST_IO) {
      counted.operations.merge("open", 1L, Long::sum);
    } else if (read) {
      counted.reads++;
      counted.readBytes += bytes;
    } else {
      counted.writes++;
      counted.writtenBytes += bytes;
    }
  }

  /** Many at once. */
  public void served(String target, String job, long writes, long bytes, long nowNanos) {
    StandInJob counted = counted(target, job, nowNanos);
    counted.snapshotNanos = nowNanos;
    counted.writes += writes;
    counted.writtenBytes += bytes;
    taken(writes);
  }

  /** Operations on metadata, by the name of their counter. */
  public void counted(String target, String job, String operation, long count, long nowNanos) {
    StandInJob counted = counted(target, job, nowNanos);
    counted.snapshotNanos = nowNanos;
    counted.operations.merge(operation, count, Long::sum);
  }

  /** So many requests were taken up, without having been in the queue here. */
  public void taken(long count) {
    requests += count;
    waitedMicros += count * microsOfEach;
  }

  private StandInJob counted(String target, String job, long nowNanos) {
    Map<String, StandInJob> jobs = targets.get(target);
    if (jobs == null) {
      throw new IllegalArgumentException("no target is called " + target);
    }
    return jobs.computeIfAbsent(job, _ -> new StandInJob(nowNanos));
  }

  /** The job's entries are cleaned up, as after a time without requests. */
  public void forget(String job) {
    targets.values().forEach(jobs -> jobs.remove(job));
  }

  // Parameters.

  String jobStats(String target) {
    return new JobStatsText(version, service).of(targets.getOrDefault(target, Map.of()));
  }

  Iterable<String> targets() {
    return targets.keySet();
  }

  private boolean isFiltering() {
    return policy.startsWith("tbf");
  }

  public String policy() {
    return policy;
  }

  String policiesText() {
    StringBuilder text = new StringBuilder("\n");
    long queued = 0;
    for (Partition<R> partition : partitions) {
      queued += partition.regular.queued() + partition.fifo.size();
    }
    for (String queue : List.of("regular_requests", "high_priority_requests")) {
      boolean regular = queue.startsWith("reg");
      text.append(queue).append(":\n");
      listed(text, "fifo", true, true, regular && !isFiltering() ? queued : 0);
      listed(text, "crrn", policy.equals("crrn"), false, 0);
      if (service == LustreService.OST_IO) {
        listed(text, "orr", false, false, 0);
        listed(text, "trr", false, false, 0);
      }
      listed(
          text,
          isFiltering() ? policy : "tbf",
          isFiltering(),
          false,
          regular && isFiltering() ? queued : 0);
      listed(text, "delay", false, false, 0);
    }
    return text.toString();
  }

  private static void listed(
      StringBuilder text, String name, boolean started, boolean fallback, long queued) {
    text.append("  - name: ").append(name).append('\n');
    text.append("    state: ").append(started ? "started" : "stopped").append('\n');
    text.append("    fallback: ").append(fallback ? "yes" : "no").append('\n');
    text.append(String.format(Locale.ROOT, "    queued: %-20d\n", queued));
    text.append("    active: 0                   \n\n");
  }

  /** What the service counted of all its requests. */
  String statsText() {
    StringBuilder text = new StringBuilder("snapshot_time             1794848062.1 secs.nsecs\n");
    if (requests > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-25s %d samples [usecs] 1 99 %d %d%n",
              "req_waittime",
              requests,
              waitedMicros,
              waitedMicros));
      text.append(
          String.format(Locale.ROOT, "%-25s %d samples [reqs] 0 9 5 25%n", "req_qdepth", requests));
    }
    if (saysInService && activeSum > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-25s %d samples [reqs] 1 99 %d %d%n",
              "req_active",
              requests,
              activeSum,
              activeSum));
    }
    if (saysInService && done > 0 && service == LustreService.OST_IO) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-25s %d samples [usecs] 1 99 %d %d%n",
              "ost_write",
              done,
              doneMicros,
              doneMicros));
    }
    return text.toString();
  }

  /** What {@code nrs_tbf_rule} shows; null where the filter is off. */
  @Nullable String rulesText() {
    if (!isFiltering()) {
      return null;
    }
    StringBuilder text = new StringBuilder("regular_requests:\n");
    for (int i = 0; i < partitions.size(); i++) {
      text.append("CPT ").append(i).append(":\n");
      rules(text, partitions.get(i).regular);
    }
    text.append("high_priority_requests:\n");
    for (int i = 0; i < partitions.size(); i++) {
      text.append("CPT ").append(i).append(":\n");
      rules(text, partitions.get(i).highPriority);
    }
    return text.toString();
  }

  private void rules(StringBuilder text, TbfHead<Waiting<R>> head) {
    boolean later = version.isAtLeast(2, 17, 51);
    for (TbfRule rule : head.rules()) {
      String list =
          rule.name.equals("default")
              ? (later ? "*" : "{*}")
              : rule.fields.isEmpty()
                  ? (later ? "jobid=" : "") + "{" + rule.list + "}"
                  : later ? rule.list : rule.list.substring(rule.list.indexOf('{'));
      text.append(rule.name)
          .append(' ')
          .append(list)
          .append(' ')
          .append(rule.rate)
          .append(", ref ")
          .append(rule.classes)
          .append('\n');
    }
  }

  /** What an administrator writes to {@code nrs_tbf_rule}; answers the number of the error. */
  public int write(String command) {
    return writeRule(command).number;
  }

  /** What {@code nrs_tbf_rule} shows while the filter is on. */
  public String rulesShown() {
    return Objects.requireNonNull(rulesText());
  }

  /** The rule that a job's requests come under on the first partition. */
  public String ruleOf(String job) {
    return partitions.getFirst().regular.match(job).name;
  }

  /** Names and rates of the rules for regular requests on each partition. */
  public List<Map<String, Long>> rulesByPartition() {
    List<Map<String, Long>> rules = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      rules.add(rules(i));
    }
    return rules;
  }

  /** Throws away what waits on a partition. */
  public void drain(int partition) {
    partitions.get(partition).regular.clear();
    partitions.get(partition).fifo.clear();
  }

  /** Names and rates of the rules for regular requests on one partition, in order. */
  public Map<String, Long> rules(int partition) {
    Map<String, Long> rates = new LinkedHashMap<>();
    partitions.get(partition).regular.rules().forEach(rule -> rates.put(rule.name, rule.rate));
    return rates;
  }

  /** What one rule lists; null where there is no such rule on the first partition. */
  public @Nullable String list(String name) {
    TbfRule rule = partitions.getFirst().regular.rule(name);
    return rule == null ? null : rule.list;
  }

  Errno writePolicy(String text) {
    if (text.equals(policy)) {
      return Errno.OK;
    }
    if (!isPolicy(text)) {
      return Errno.EINVAL;
    }
    boolean busy = partitions.stream().anyMatch(p -> p.regular.queued() > 0 || !p.fifo.isEmpty());
    if (!version.isAtLeast(2, 15, 56) && busy) {
      crash("the policy was changed while requests were waiting, in " + version);
    }
    for (Partition<R> partition : partitions) {
      if (partition.regular.queued() > 0) {
        return Errno.EAGAIN;
      }
      partition.regular = new TbfHead<>();
      partition.highPriority = new TbfHead<>();
    }
    policy = text;
    lateNanos(lateNanos);
    return Errno.OK;
  }

  /** What this version's filter can go by. */
  private boolean isPolicy(String text) {
    if (List.of("fifo", "crrn", "tbf").contains(text)) {
      return true;
    }
    if (!text.startsWith("tbf ") || text.length() > "tbf ".length() + 15) {
      return false;
    }
    List<String> known = new ArrayList<>(List.of("jobid", "nid", "opcode", "uid", "gid"));
    if (version.isAtLeast(2, 16, 60)) {
      known.add("projid");
    }
    if (version.isAtLeast(2, 17, 55)) {
      known.add("nodemap");
    }
    List<String> fields = List.of(text.substring("tbf ".length()).split("\\+", -1));
    return known.containsAll(fields) && (fields.size() == 1 || version.isAtLeast(2, 17, 51));
  }

  private boolean isByJob() {
    return policy.equals("tbf jobid");
  }

  /** A write to {@code nrs_tbf_rule}. What fails on a partition leaves those before it changed. */
  Errno writeRule(String text) {
    if (text.length() > COMMAND_BYTES_MAX) {
      return Errno.EINVAL;
    }
    boolean regular = !text.startsWith("hp ");
    boolean highPriority = !text.startsWith("reg ");
    String command = text.startsWith("reg ") ? text.substring(4) : text;
    command = command.startsWith("hp ") ? command.substring(3) : command;
    Errno wellFormed = check(command);
    if (wellFormed != Errno.OK) {
      return wellFormed;
    }
    ruleWrites++;
    for (Partition<R> partition : partitions) {
      for (TbfHead<Waiting<R>> head : List.of(partition.regular, partition.highPriority)) {
        if (head == partition.regular ? regular : highPriority) {
          Errno result = outOfMemory.getAsBoolean() ? Errno.ENOMEM : apply(command, head);
          if (result != Errno.OK) {
            return result;
          }
        }
      }
    }
    return Errno.OK;
  }

  /** All that does not depend on which rules there are. */
  private Errno check(String command) {
    Matcher start = START.matcher(command);
    Matcher change = CHANGE.matcher(command);
    Matcher stop = STOP.matcher(command);
    Matcher matched = start.matches() ? start : change.matches() ? change : stop;
    if (!matched.matches()) {
      return Errno.EINVAL;
    }
    Errno name = checkName(matched.group(1));
    if (name != Errno.OK) {
      return name;
    }
    if (matched == start) {
      return checkStart(start);
    }
    if (!isFiltering()) {
      return Errno.ENODEV;
    }
    if (matched == change) {
      boolean nothing = change.group(2) == null && change.group(3) == null;
      return nothing || !isRate(change.group(2)) ? Errno.EINVAL : Errno.OK;
    }
    return Errno.OK;
  }

  private Errno checkName(String name) {
    if (!name.matches("\\w+")) {
      return Errno.EINVAL;
    }
    if (name.length() > 15) {
      if (!version.isAtLeast(2, 14, 57)) {
        crash("the name " + name + " overran its buffer");
      }
      return Errno.ENAMETOOLONG;
    }
    return Errno.OK;
  }

  private Errno checkStart(Matcher start) {
    String expression = start.group(2);
    if (!isByJob()) {
      boolean whole = expression.matches("[a-z]+=\\{[^{}]+\\}(&[a-z]+=\\{[^{}]+\\})*");
      boolean alike =
          whole && policy.equals("tbf " + String.join("+", TbfRule.fields(expression).keySet()));
      return alike && isRate(start.group(3)) ? Errno.OK : Errno.EINVAL;
    }
    if (!expression.matches("jobid=\\{.*\\}")) {
      return Errno.EINVAL;
    }
    String list = expression.substring("jobid={".length(), expression.length() - 1);
    boolean splits = version.isAtLeast(2, 17, 51);
    if (list.isBlank() || (splits && (list.indexOf(',') >= 0 || list.indexOf('&') >= 0))) {
      return Errno.EINVAL;
    }
    if (start.group(5) != null && !version.isAtLeast(2, 15, 51)) {
      crash("a rule with realtime");
    }
    return isRate(start.group(3)) ? Errno.OK : Errno.EINVAL;
  }

  private boolean isRate(@Nullable String text) {
    long max = version.isAtLeast(2, 15, 0) ? 999_999 : 65_534;
    return text == null
        || (text.length() <= 6 && Long.parseLong(text) >= 1 && Long.parseLong(text) <= max);
  }

  private Errno apply(String command, TbfHead<Waiting<R>> head) {
    Matcher start = START.matcher(command);
    Matcher change = CHANGE.matcher(command);
    Matcher stop = STOP.matcher(command);
    if (start.matches()) {
      return start(start, head);
    }
    if (change.matches()) {
      return change(change, head);
    }
    if (!stop.matches()) {
      return Errno.EINVAL;
    }
    if (stop.group(1).equals("default")) {
      return Errno.EPERM;
    }
    TbfRule rule = head.rule(stop.group(1));
    if (rule != null) {
      head.stop(rule);
    }
    return Errno.OK;
  }

  private Errno start(Matcher start, TbfHead<Waiting<R>> head) {
    if (head.rule(start.group(1)) != null) {
      return Errno.EEXIST;
    }
    TbfRule before = null;
    if (start.group(4) != null) {
      before = head.rule(start.group(4));
      if (before == null) {
        return Errno.ENOENT;
      }
    }
    String expression = start.group(2);
    String list =
        isByJob() ? expression.substring("jobid={".length(), expression.length() - 1) : expression;
    long rate = start.group(3) == null ? TbfHead.DEFAULT_RATE : Long.parseLong(start.group(3));
    head.start(
        new TbfRule(start.group(1), list, rate, isByJob() ? Map.of() : TbfRule.fields(expression)),
        before);
    return Errno.OK;
  }

  private Errno change(Matcher change, TbfHead<Waiting<R>> head) {
    TbfRule rule = head.rule(change.group(1));
    if (rule == null) {
      return Errno.ENOENT;
    }
    if (change.group(2) != null) {
      long rate = Long.parseLong(change.group(2));
      unchangedWrites += rate == rule.rate ? 1 : 0;
      head.change(rule, rate);
    }
    return Errno.OK;
  }
}
