package dev.sluice.lustre.standin;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.lctl.Lctl;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code lctl} on a stand-in server: parameters by name or pattern, errors as the real one's. */
public final class StandInLctl implements Lctl {
  /** Parameters that are the same on every server here. */
  private static final Map<String, String> ALONE =
      Map.of("jobid_var", "disable", "jobid_name", "%e.%u");

  private static final List<String> OF_A_SERVICE =
      List.of(
          "high_priority_ratio",
          "req_buffer_history_len",
          "req_buffer_history_max",
          "req_buffers_max",
          "threads_max",
          "threads_min",
          "threads_started",
          "nrs_crrn_quantum",
          "nrs_delay_max",
          "nrs_delay_min",
          "nrs_delay_pct",
          "nrs_orr_offset_type",
          "nrs_orr_quantum",
          "nrs_orr_supported",
          "nrs_policies",
          "nrs_tbf_rule",
          "nrs_trr_offset_type",
          "nrs_trr_quantum",
          "nrs_trr_supported",
          "req_history",
          "stats",
          "timeouts");

  private final StandInServer<?> server;
  private Supplier<Fault> faults = () -> Fault.NONE;
  private Runnable beforeJobStats = () -> {};
  private Runnable beforeEach = () -> {};
  private int calls;
  private long countedNanos;
  private final List<String> written = new ArrayList<>();

  /** What can be wrong with one run of it. */
  public enum Fault {
    NONE,
    /** It cannot be started. */
    MISSING,
    /** It fails at once. */
    FAILS,
    /** What it prints ends somewhere, and it says so. */
    CUT_SHORT,
    /** Every second of its commands does not get through. */
    LOSES
  }

  public StandInLctl(StandInServer<?> server) {
    this.server = server;
  }

  /** From now on, each run has the fault that this answers. */
  public void faults(Supplier<Fault> next) {
    faults = next;
  }

  /** From now on, this happens each time before somebody is told what jobs did. */
  public void beforeJobStats(Runnable happens) {
    beforeJobStats = happens;
  }

  /** From now on, this happens each time before it does anything. */
  public void beforeEach(Runnable happens) {
    beforeEach = happens;
  }

  /** How often it was run. */
  public int calls() {
    return calls;
  }

  /** All values that were to be set, in order. */
  public synchronized List<String> written() {
    return List.copyOf(written);
  }

  /** From now on, adds up the processor time that the stand-in itself uses. */
  public void beginCounting() {
    countedNanos = 0;
  }

  public long countedNanos() {
    return countedNanos;
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Override
  public synchronized Outcome run(List<String> arguments, Output output) throws IOException {
    calls++;
    beforeEach.run();
    Fault fault = faults.get();
    if (fault == Fault.MISSING) {
      throw new IOException("lctl: cannot be started: no such program");
    }
    if (fault == Fault.FAILS) {
      return new Outcome(Errno.EIO.number, "error: " + Errno.EIO.text + "\n");
    }
    return switch (arguments.getFirst()) {
      case "get_param" -> get(arguments.subList(1, arguments.size()), output, fault);
      case "set_param" -> set(arguments.subList(1, arguments.size()), output, fault);
      case "list_param" -> list(arguments.subList(1, arguments.size()), output);
      default -> new Outcome(1, "No such command. Try --help to see available commands\n");
    };
  }

  private Outcome get(List<String> arguments, Output output, Fault fault) {
    long begunNanos = processorNanos();
    boolean bare = arguments.getFirst().equals("-n");
    StringBuilder text = new StringBuilder();
    StringBuilder errors = new StringBuilder();
    int exitCode = 0;
    for (String parameter : bare ? arguments.subList(1, arguments.size()) : arguments) {
      Errno result = get(parameter, bare, text);
      exitCode = result.number;
      if (result == Errno.ENOENT) {
        errors
            .append("error: get_param: param_path '")
            .append(parameter.replace('.', '/'))
            .append("': ")
            .append(result.text)
            .append('\n');
      } else if (result != Errno.OK) {
        errors
            .append("error: read_param: '")
            .append(path(parameter))
            .append("': ")
            .append(result.text)
            .append('\n');
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    countedNanos += processorNanos() - begunNanos;
    if (fault == Fault.CUT_SHORT) {
      output.accept(bytes, bytes.length / 2);
      return new Outcome(Errno.EIO.number, "error: get_param: read: " + Errno.EIO.text + "\n");
    }
    output.accept(bytes, bytes.length);
    return new Outcome(exitCode, errors.toString());
  }

  private static String path(String parameter) {
    return "/sys/kernel/debug/lustre/" + parameter.replace('.', '/');
  }

  private Errno get(String parameter, boolean bare, StringBuilder text) {
    LustreService service = server.service();
    if (ALONE.containsKey(parameter)) {
      return shown(text, bare, parameter, ALONE.get(parameter) + "\n");
    }
    if (parameter.equals("version")) {
      return shown(text, bare, parameter, server.version() + "\n");
    }
    if (parameter.equals("cpu_partition_table")) {
      StringBuilder table = new StringBuilder();
      for (int i = 0; i < server.partitions(); i++) {
        table.append(i).append("\t: ").append(2 * i).append(' ').append(2 * i + 1).append('\n');
      }
      return shown(text, bare, parameter, table.toString());
    }
    if (parameter.equals(service.rulesParameter())) {
      String rules = server.rulesText();
      return rules == null ? Errno.ENODEV : shown(text, bare, parameter, rules);
    }
    if (parameter.equals(service.policiesParameter())) {
      return shown(text, bare, parameter, server.policiesText());
    }
    if (parameter.equals(service.statsParameter())) {
      return shown(text, bare, parameter, server.statsText());
    }
    if (!parameter.equals(service.jobStatsParameter())) {
      return Errno.ENOENT;
    }
    beforeJobStats.run();
    boolean any = false;
    for (String target : server.targets()) {
      any = true;
      shown(text, bare, parameter.replace("*", target), server.jobStats(target));
    }
    return any ? Errno.OK : Errno.ENOENT;
  }

  /** A value of one line stands behind the name, a longer one below it. */
  private static Errno shown(StringBuilder text, boolean bare, String parameter, String value) {
    boolean oneLine = value.indexOf('\n') == value.length() - 1;
    if (!bare) {
      text.append(parameter).append('=').append(oneLine && !value.isEmpty() ? "" : "\n");
    }
    text.append(value);
    return Errno.OK;
  }

  /** The parameters of a service, and only those. */
  private Outcome list(List<String> arguments, Output output) {
    String root = arguments.getLast();
    if (!server.service().rulesParameter().equals(root + ".nrs_tbf_rule")) {
      return new Outcome(
          Errno.ENOENT.number,
          "error: list_param: param_path '"
              + root.replace('.', '/')
              + "': "
              + Errno.ENOENT.text
              + "\n");
    }
    StringBuilder text = new StringBuilder(root).append('\n');
    OF_A_SERVICE.forEach(name -> text.append(root).append('.').append(name).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    output.accept(bytes, bytes.length);
    return new Outcome(0, "");
  }

  /** One error does not keep it from trying the rest; the last result is its exit code. */
  private Outcome set(List<String> arguments, Output output, Fault fault) {
    long begunNanos = processorNanos();
    StringBuilder text = new StringBuilder();
    StringBuilder errors = new StringBuilder();
    boolean bare = arguments.getFirst().equals("-n");
    int exitCode = 0;
    int number = 0;
    for (String argument : bare ? arguments.subList(1, arguments.size()) : arguments) {
      int equals = argument.indexOf('=');
      String parameter = argument.substring(0, Math.max(equals, 0));
      String value = argument.substring(equals + 1);
      boolean lost = fault == Fault.LOSES && number++ % 2 == 0;
      Errno result = lost ? Errno.ENOMEM : set(parameter, value);
      exitCode = result.number;
      if (result != Errno.OK) {
        errors.append(
            "error: set_param: setting "
                + path(parameter)
                + "="
                + value
                + ": "
                + result.text
                + "\nerror: set_param: setting '"
                + parameter.replace('.', '/')
                + "'='"
                + value
                + "': "
                + result.text
                + "\n");
      } else if (!bare) {
        text.append(argument).append('\n');
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    output.accept(bytes, bytes.length);
    countedNanos += processorNanos() - begunNanos;
    return new Outcome(exitCode, errors.toString());
  }

  private Errno set(String parameter, String value) {
    if (parameter.equals(server.service().rulesParameter())) {
      written.add(value);
      return server.writeRule(value);
    }
    if (parameter.equals(server.service().policiesParameter())) {
      written.add(value);
      return server.writePolicy(value);
    }
    return Errno.ENOENT;
  }
}
