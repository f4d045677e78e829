package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what each job may have beside its fair rate, and by when it is to be done. */
record SojournRatesExplanation(
    String name, Counted counted, double maximumPerSecond, List<SojournRate> rates)
    implements Explanation {
  /** What rates must differ by to be worth a word, as a part of them. */
  private static final double UNSEEN = 1e-3;

  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String summary() {
    if (rates.isEmpty()) {
      return "no job is there: nobody is limited on " + name;
    }
    long spare = rates.stream().filter(SojournRate::spare).count();
    return rates.size()
        + (rates.size() == 1 ? " job has " : " jobs share ")
        + rate(maximumPerSecond)
        + " of "
        + name
        + (spare == 0
            ? ", nobody with time to spare"
            : "; "
                + spare
                + (spare == 1 ? " with time to spare leaves" : " with time to spare leave")
                + " some to who has least");
  }

  @Override
  public List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>(rates.size());
    for (SojournRate job : rates) {
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("fair", job.fairPerSecond());
      figures.put("usage", job.claim().usedPerSecond());
      figures.put("allocated", job.perSecond());
      if (job.expectedTokens() > 0) {
        figures.put("phase", job.expectedTokens());
        figures.put("rest", job.restTokens());
      }
      figures.put("ahead", job.aheadTokens());
      reasons.add(new Reason(job.claim().job(), figures, words(job)));
    }
    return reasons;
  }

  private String words(SojournRate job) {
    if (job.quiet()) {
      return "it does next to nothing, and may begin with " + rate(job.perSecond());
    }
    if (job.fairPerSecond() == 0) {
      return "a limit leaves it nothing";
    }
    String fair = "its fair rate is " + rate(job.fairPerSecond());
    if (job.expectedTokens() == 0) {
      return fair + "; how large its phases are is not known" + compared(job);
    }
    if (job.restTokens() == 0) {
      return fair
          + "; its phase has come to more than the "
          + amount(job.expectedTokens())
          + " of those before"
          + compared(job);
    }
    return fair
        + "; "
        + amount(job.restTokens())
        + " of its phase are left, and by fair sharing "
        + (job.leftSeconds() > 0
            ? Quantities.formatDuration((long) (job.leftSeconds() * NANOS_PER_SECOND)) + " for them"
            : "it would be done by now")
        + compared(job);
  }

  private String compared(SojournRate job) {
    double much = UNSEEN * job.fairPerSecond();
    if (job.perSecond() > job.fairPerSecond() + much) {
      return ", and others leave it " + rate(job.perSecond() - job.fairPerSecond()) + " more";
    }
    if (job.perSecond() < job.fairPerSecond() - much) {
      return "; it has time to spare, and leaves "
          + rate(job.fairPerSecond() - job.perSecond())
          + " to who has less";
    }
    return "";
  }

  private String rate(double perSecond) {
    return Quantities.formatRate(perSecond, counted);
  }

  private String amount(double tokens) {
    return counted == Counted.BYTES
        ? Quantities.formatBytes(tokens)
        : Quantities.formatCount(Math.rint(tokens)) + " operations";
  }
}
