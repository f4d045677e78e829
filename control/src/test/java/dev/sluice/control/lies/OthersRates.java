package dev.sluice.control.lies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;

/** What those had, over some periods, who were there beside somebody. */
public final class OthersRates {
  private static final double LEAST_PART = 0.99;

  private final int periods;
  private final Map<String, Double> had = new LinkedHashMap<>();

  /**
   * @param periods how many are added up in each place
   */
  public OthersRates(int periods) {
    this.periods = periods;
  }

  /** In one of the periods somebody may have so much. */
  public void add(String place, double perSecond) {
    had.merge(place, perSecond, Double::sum);
  }

  /** What somebody had in a period, in the mean. */
  public double mean(String place) {
    return had.getOrDefault(place, 0.0) / periods;
  }

  /** Nobody has less than 99 % of what it has in the other case, but for what is rounded. */
  public void assertNobodyHasLessThan(OthersRates other) {
    assertThat(had.keySet()).isEqualTo(other.had.keySet());
    other.had.forEach((place, before) ->
        assertThat(had.get(place)).as(place).isGreaterThanOrEqualTo(LEAST_PART * before - periods));
  }
}
