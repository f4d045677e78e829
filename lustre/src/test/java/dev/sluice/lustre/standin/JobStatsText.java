package dev.sluice.lustre.standin;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes job_stats as each version of Lustre does. */
final class JobStatsText {
  private static final List<String> METADATA =
      List.of(
          "open",
          "close",
          "mknod",
          "link",
          "unlink",
          "mkdir",
          "rmdir",
          "rename",
          "getattr",
          "setattr",
          "getxattr",
          "setxattr",
          "statfs",
          "sync",
          "samedir_rename",
          "parallel_rename_file",
          "parallel_rename_dir",
          "crossdir_rename",
          "rename_trylocks");
  private static final List<String> METADATA_SINCE_2_17 =
      List.of("migrate", "fallocate", "readpage");
  private static final List<String> OBJECTS =
      List.of("sync", "destroy", "create", "statfs", "get_info", "set_info", "quotactl");

  private final LustreVersion version;
  private final LustreService service;

  JobStatsText(LustreVersion version, LustreService service) {
    this.version = version;
    this.service = service;
  }

  /** The file of one target; empty where a server writes none. */
  String of(Map<String, StandInJob> jobs) {
    if (jobs.isEmpty() && version.isAtLeast(2, 16, 51)) {
      return "";
    }
    StringBuilder text = new StringBuilder("job_stats:\n");
    jobs.forEach((id, job) -> entry(text, id, job));
    return text.toString();
  }

  private void entry(StringBuilder text, String id, StandInJob job) {
    text.append("- ").append(key("job_id")).append(shown(id)).append('\n');
    times(text, job);
    boolean metadata = service != LustreService.OST_IO;
    boolean later = version.isAtLeast(2, 17, 0);
    if (metadata) {
      for (String name : METADATA) {
        if (isThere(name)) {
          operation(text, name, job.operations.getOrDefault(name, 0L));
        }
      }
    }
    if (metadata && later) {
      operation(text, "read", job.reads);
      operation(text, "write", job.writes);
    }
    transfer(text, "read_bytes", job.reads, job.readBytes);
    transfer(text, "write_bytes", job.writes, job.writtenBytes);
    if (version.isAtLeast(2, 14, 0) && !(metadata && later)) {
      operation(text, "read", job.reads);
      operation(text, "write", job.writes);
    }
    if (!metadata) {
      operation(text, "getattr", 7);
      operation(text, "setattr", 0);
    }
    operation(text, "punch", job.punches);
    if (metadata && later) {
      METADATA_SINCE_2_17.forEach(
          name -> operation(text, name, job.operations.getOrDefault(name, 0L)));
    }
    if (!metadata) {
      OBJECTS.forEach(name -> operation(text, name, 1));
      if (version.isAtLeast(2, 15, 0)) {
        operation(text, "prealloc", 0);
      }
    }
  }

  private boolean isThere(String counter) {
    return switch (counter) {
      case "parallel_rename_file", "parallel_rename_dir" -> version.isAtLeast(2, 16, 0);
      case "rename_trylocks" -> version.isAtLeast(2, 17, 0);
      default -> true;
    };
  }

  private static String key(String name) {
    return name + ":" + " ".repeat(Math.max(1, 16 - name.length()));
  }

  private void times(StringBuilder text, StandInJob job) {
    if (!version.isAtLeast(2, 15, 0)) {
      text.append("  ")
          .append(key("snapshot_time"))
          .append(job.snapshotNanos / 1_000_000_000)
          .append('\n');
      return;
    }
    String indent = version.isAtLeast(2, 15, 2) ? "  " : "";
    time(text, indent, "snapshot_time", job.snapshotNanos);
    time(text, indent, "start_time", job.startNanos);
    time(text, indent, "elapsed_time", job.snapshotNanos - job.startNanos);
  }

  private static void time(StringBuilder text, String indent, String name, long nanos) {
    text.append(indent)
        .append(key(name))
        .append(
            String.format(
                Locale.ROOT, "%d.%09d secs.nsecs\n", nanos / 1_000_000_000, nanos % 1_000_000_000));
  }

  private void operation(StringBuilder text, String name, long samples) {
    text.append("  ").append(key(name));
    if (!version.isAtLeast(2, 14, 0)) {
      text.append("{ samples:");
      number(text, " ", samples, 11);
      text.append(", unit:  reqs }\n");
      return;
    }
    figures(text, samples, "usecs", samples * 40);
    text.append(" }\n");
  }

  private void transfer(StringBuilder text, String name, long samples, long bytes) {
    text.append("  ").append(key(name));
    figures(text, samples, "bytes", bytes);
    if (version.isAtLeast(2, 16, 0)) {
      text.append(samples == 0 ? ", hist: {  }" : ", hist: { 64K: 1, 1M: 13 }");
    }
    text.append(" }\n");
  }

  /** Versions before 2.15 have no blank in front of numbers that fill their columns. */
  private void figures(StringBuilder text, long samples, String unit, long sum) {
    String blank = version.isAtLeast(2, 15, 0) ? " " : "";
    text.append("{ samples:");
    number(text, " ", samples, 11);
    text.append(", unit: ").append(unit).append(", min:");
    number(text, blank, samples == 0 ? 0 : 65, 8);
    text.append(", max:");
    number(text, blank, samples == 0 ? 0 : 16_777_216, 8);
    text.append(", sum:");
    number(text, blank, sum, 16);
    if (version.isAtLeast(2, 14, 0)) {
      text.append(", sumsq:");
      number(text, blank, 2 * sum, 18);
    }
  }

  private static void number(StringBuilder text, String blank, long number, int width) {
    String digits = Long.toString(number);
    text.append(blank).repeat(' ', Math.max(0, width - digits.length())).append(digits);
  }

  private String shown(String id) {
    if (!version.isAtLeast(2, 15, 2)) {
      StringBuilder raw = new StringBuilder();
      id.chars().forEach(c -> raw.append((c >= ' ' && c <= '~') || c >= 0xa0 ? (char) c : '?'));
      return raw.toString();
    }
    boolean later = version.isAtLeast(2, 16, 0);
    StringBuilder text = new StringBuilder();
    boolean quoted = later && (id.indexOf(':') >= 0 || id.startsWith("@"));
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean plain =
          (c < 0x80 && Character.isLetterOrDigit(c))
              || (c >= 0xc0 && c != 0xd7 && c != 0xf7)
              || ".@_-".indexOf(c) >= 0
              || (later && ":/".indexOf(c) >= 0);
      quoted |= !plain;
      text.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "\\x%02X", (int) c));
    }
    return quoted ? "\"" + text + "\"" : text.toString();
  }
}
