package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServiceStatsTest {
  @Test
  void countsAllRequestsAndHowLongTheyWaited() {
    ServiceStats stats =
        ServiceStats.parse(
            """
            snapshot_time             1794848062.153941070 secs.nsecs
            req_waittime              283 samples [usecs] 11 5012 98765 12345678
            req_qdepth                283 samples [reqs] 0 3 12 20
            """);
    assertThat(stats).isEqualTo(new ServiceStats(283, 98_765));
    assertThat(stats.since(new ServiceStats(83, 8_765))).isEqualTo(new ServiceStats(200, 90_000));
    // It began anew.
    assertThat(stats.since(new ServiceStats(1_000, 8_765))).isEqualTo(stats);
    assertThat(ServiceStats.parse("")).isEqualTo(ServiceStats.NONE);
  }

  @Test
  void whatIsNotUnderstoodIsShown() {
    assertThatThrownBy(() -> ServiceStats.parse("req_waittime many samples"))
        .hasMessage(
            "stats: \"req_waittime many samples\": expected req_waittime N samples [usecs] MIN MAX"
                + " SUM");
  }
}
