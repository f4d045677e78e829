package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.result.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A report as comma-separated values (RFC 4180, but with line feeds); one class for all files. */
final class ResultCsv {
  private ResultCsv() {}

  static void policies(Report report, Appendable out) throws IOException {
    rows(report, Field.OF_TOTAL, summary -> List.of(summary.total()), out);
  }

  static void jobs(Report report, Appendable out) throws IOException {
    rows(report, Field.OF_JOB, Summary::jobs, out);
  }

  static void targets(Report report, Appendable out) throws IOException {
    rows(report, Field.OF_TARGET, Summary::targets, out);
  }

  private static <T> void rows(
      Report report, List<Field<T>> fields, Function<Summary, List<T>> rows, Appendable out)
      throws IOException {
    List<String> head = new ArrayList<>(List.of("policy"));
    fields.forEach(field -> head.add(field.name()));
    line(head, out);
    for (Report.Run run : report.runs()) {
      for (T row : rows.apply(run.summary())) {
        List<String> cells = new ArrayList<>(List.of(run.policy()));
        fields.forEach(field -> cells.add(field.value().apply(row)));
        line(cells, out);
      }
    }
  }

  /** Throughput over time of the jobs that are shown, and of the others together. */
  static void timeline(Report report, Appendable out) throws IOException {
    line(List.of("policy", "job", "time_s", "bytes_per_s"), out);
    for (Report.Run run : report.runs()) {
      Samples samples = Timelines.samples(run, Timeline.SAMPLES_MAX);
      for (JobId id : report.shown().jobs()) {
        JobResult job = run.job(id);
        if (job != null) {
          rates(run.policy(), id.toString(), samples, samples.rates(job.served()), out);
        }
      }
      if (report.shown().others() > 0) {
        double[] others = Timelines.otherRates(report, run, samples);
        rates(run.policy(), report.shown().otherName(), samples, others, out);
      }
    }
  }

  private static void rates(
      String policy, String job, Samples samples, double[] rates, Appendable out)
      throws IOException {
    String prefix = quoted(policy) + "," + quoted(job) + ",";
    for (int i = 0; i < rates.length; i++) {
      out.append(prefix).append(Numbers.seconds(samples.startNanos(i))).append(',');
      out.append(Numbers.plain(rates[i])).append('\n');
    }
  }

  /** What policies said of the jobs that are shown, over time. */
  static void figures(Report report, Appendable out) throws IOException {
    line(List.of("policy", "job", "figure", "time_s", "value"), out);
    for (Report.Run run : report.runs()) {
      for (JobId id : report.shown().jobs()) {
        JobResult job = run.job(id);
        if (job == null) {
          continue;
        }
        for (Map.Entry<String, Timeline> figure : new TreeMap<>(job.figures()).entrySet()) {
          String prefix =
              quoted(run.policy()) + "," + quoted(id.toString()) + "," + quoted(figure.getKey());
          Timeline timeline = figure.getValue();
          for (int i = 0; i < timeline.size(); i++) {
            out.append(prefix).append(',').append(Numbers.seconds(i * timeline.widthNanos()));
            out.append(',').append(Numbers.plain(timeline.value(i))).append('\n');
          }
        }
      }
    }
  }

  private static void line(List<String> cells, Appendable out) throws IOException {
    for (int i = 0; i < cells.size(); i++) {
      out.append(i == 0 ? "" : ",").append(quoted(cells.get(i)));
    }
    out.append('\n');
  }

  static String quoted(String cell) {
    boolean plain =
        cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
            && cell.strip().equals(cell);
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
