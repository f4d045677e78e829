package dev.sluice.core.policy.progress;

import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tells what each job gets beside what is fair. Figures are tokens a second: {@code allocated} and
 * {@code bsip} of one process; {@code redeemed}, {@code coupon} and {@code owed} of all processes
 * of the job together, for one period.
 */
public final class ProgressExplanation implements Explanation {
  /** The names of figures of a decision as a whole. */
  public static final String USABLE = "usable";

  public static final String USED = "used";
  public static final String FAIR = "fair";

  private final JobsOnTargets on;
  private final double[] rates;
  private final double[] fair;
  private final CouponFigures coupons;
  private final String how;

  /** An explanation of rates beside fair ones, found in this way. */
  public ProgressExplanation(
      JobsOnTargets on, double[] rates, double[] fair, CouponFigures coupons, String how) {
    this.on = on;
    this.rates = rates.clone();
    this.fair = fair.clone();
    this.coupons = coupons;
    this.how = how;
  }

  /** What a job has to do with coupons, in tokens. */
  public interface CouponFigures {
    /** Nobody has any. */
    CouponFigures NONE =
        new CouponFigures() {
          @Override
          public long redeemedTokens(int job) {
            return 0;
          }

          @Override
          public long issuedTokens(int job) {
            return 0;
          }

          @Override
          public long owedTokens(int job) {
            return 0;
          }

          @Override
          public Map<String, Number> amounts() {
            return Map.of();
          }

          @Override
          public Map<String, Number> levels() {
            return Map.of();
          }
        };

    long redeemedTokens(int job);

    long issuedTokens(int job);

    long owedTokens(int job);

    /** What the decision did about coupons as a whole. */
    Map<String, Number> amounts();

    /** How the books stand after it. */
    Map<String, Number> levels();
  }

  @Override
  public String summary() {
    if (on.jobs() == 0) {
      return "nobody does I/O: nobody is limited";
    }
    return String.format(
        Locale.ROOT,
        "%d %s I/O on %d targets, %.2f %% of which they use to make progress; fair shares alone"
            + " would use %.2f %%; %s",
        on.jobs(),
        on.jobs() == 1 ? "job does" : "jobs do",
        used(),
        100 * on.effective(rates) / on.usable(),
        100 * on.effective(fair) / on.usable(),
        how);
  }

  private int used() {
    int count = 0;
    for (int j = 0; j < on.targets(); j++) {
      count += on.isUsed(j) ? 1 : 0;
    }
    return count;
  }

  @Override
  public List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>(on.jobs());
    double tokensPerSecond = on.tokensPerSecond();
    double periodSeconds = on.periodNanos() / 1e9;
    for (int i = 0; i < on.jobs(); i++) {
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("allocated", rates[i] * tokensPerSecond);
      figures.put("bsip", fair[i] * tokensPerSecond);
      figures.put("redeemed", coupons.redeemedTokens(i) / periodSeconds);
      figures.put("coupon", coupons.issuedTokens(i) / periodSeconds);
      figures.put("owed", coupons.owedTokens(i) / periodSeconds);
      reasons.add(new Reason(on.job(i), figures, words(i)));
    }
    return reasons;
  }

  /**
   * {@code usable}: what the targets on which somebody does I/O can move in the period; {@code
   * used}: what of that is given out and contributes to progress; {@code fair}: what fair shares
   * would have used. All in tokens.
   */
  @Override
  public Map<String, Number> amounts() {
    Map<String, Number> amounts = new LinkedHashMap<>();
    amounts.put(USABLE, on.usable() * on.tokensPerPeriod());
    amounts.put(USED, on.effective(rates) * on.tokensPerPeriod());
    amounts.put(FAIR, on.effective(fair) * on.tokensPerPeriod());
    amounts.putAll(coupons.amounts());
    return amounts;
  }

  @Override
  public Map<String, Number> levels() {
    return coupons.levels();
  }

  private String words(int job) {
    StringBuilder text = new StringBuilder();
    double part = rates[job] / fair[job];
    int targets = on.begin(job + 1) - on.begin(job);
    text.append(on.processes(job) == 1 ? "its process" : "its " + on.processes(job) + " processes")
        .append(" on ")
        .append(targets == 1 ? "1 target" : targets + " targets")
        .append(" may move at ");
    if (Math.abs(part - 1) < 5e-5) {
      text.append("the fair rate");
    } else {
      text.append(String.format(Locale.ROOT, "%.2f %% of the fair rate", 100 * part));
    }
    if (coupons.redeemedTokens(job) > 0) {
      text.append(", redeeming what it is owed");
    }
    if (coupons.issuedTokens(job) > 0) {
      text.append(", with a coupon for the rest");
    }
    if (coupons.owedTokens(job) > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "; owed %.4g of a target for one period",
              coupons.owedTokens(job) / on.tokensPerPeriod()));
    }
    return text.toString();
  }
}
