package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tells what each application desired, borrowed and got in a slot, in tokens over all servers.
 *
 * @param granted by application, over all servers
 * @param useful how much of what is granted lies where it was required, by application
 * @param fullServers servers on which more was required than they can serve
 */
record SdqProExplanation(
    List<Application> applications,
    List<Double> granted,
    List<Double> useful,
    List<String> fullServers)
    implements Explanation {
  static SdqProExplanation of(
      List<Target> servers, List<Application> applications, long[][] grants) {
    List<Double> granted = new ArrayList<>();
    List<Double> useful = new ArrayList<>();
    for (int i = 0; i < applications.size(); i++) {
      long grantedSum = 0;
      long usefulSum = 0;
      for (int s = 0; s < grants.length; s++) {
        grantedSum += grants[s][i];
        usefulSum += Math.min(grants[s][i], applications.get(i).buckets().required(s));
      }
      granted.add(applications.get(i).tokens(grantedSum));
      useful.add(applications.get(i).tokens(usefulSum));
    }
    List<String> full = new ArrayList<>();
    for (int s = 0; s < grants.length; s++) {
      boolean cut = false;
      for (int i = 0; i < applications.size(); i++) {
        cut |= grants[s][i] < applications.get(i).buckets().useful(s);
      }
      if (cut) {
        full.add(servers.get(s).name());
      }
    }
    return new SdqProExplanation(applications, granted, useful, full);
  }

  @Override
  public String summary() {
    double desired = 0;
    double met = 0;
    double borrowed = 0;
    for (int i = 0; i < applications.size(); i++) {
      Application application = applications.get(i);
      desired += Math.min(application.desiredTokens(), application.requiredTokens());
      met += useful.get(i);
      borrowed += application.borrowedTokens();
    }
    if (desired == 0) {
      return "nobody requires tokens";
    }
    String text =
        String.format(
            Locale.ROOT,
            "%d applications get %.1f %% of the tokens they require and may have; %s are borrowed",
            applications.size(),
            100.0 * met / desired,
            Quantities.formatCount(borrowed));
    return fullServers.isEmpty()
        ? text
        : text + "; more is required than there is on " + String.join(", ", fullServers);
  }

  @Override
  public List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>(applications.size());
    for (int i = 0; i < applications.size(); i++) {
      Application application = applications.get(i);
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("desired", application.desiredTokens());
      figures.put("demand", application.requiredTokens());
      figures.put("borrowed", application.borrowedTokens());
      figures.put("usable", useful.get(i));
      figures.put("allocated", granted.get(i));
      reasons.add(new Reason(application.job(), figures, words(application, useful.get(i))));
    }
    return reasons;
  }

  private static String words(Application application, double usable) {
    StringBuilder text = new StringBuilder();
    text.append(
        application.line().rate() == null
            ? "it desires what it asks for, "
            : "a policy line gives it the tokens it desires, ");
    text.append(Quantities.formatCount(application.desiredTokens()))
        .append(" spread evenly over the servers; ");
    if (!application.line().borrow()) {
      text.append("it may not borrow; ");
    } else if (application.borrowedTokens() > 0) {
      text.append(Quantities.formatCount(application.borrowedTokens()))
          .append(" of them moved by borrowing; ");
    } else {
      text.append("nothing is borrowed; ");
    }
    return text.append(Quantities.formatCount(usable))
        .append(" lie where its ")
        .append(Quantities.formatCount(application.requiredTokens()))
        .append(" are required")
        .toString();
  }
}
