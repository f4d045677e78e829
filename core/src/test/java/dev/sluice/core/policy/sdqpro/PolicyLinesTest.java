package dev.sluice.core.policy.sdqpro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobDemand;
import org.junit.jupiter.api.Test;

class PolicyLinesTest {
  private static PolicyLine about(String lines, String job) {
    return PolicyLines.parse(lines).about(JobDemand.of(job, 1, 0));
  }

  @Test
  void readsThePapersLines() {
    String lines =
        """
        <app-1, rate=100 MB/s>
        <app-2, borrow=FALSE>
        <app-3, borrow=TRUE, thres=0.8>
        """;
    assertThat(about(lines, "app-1"))
        .isEqualTo(
            new PolicyLine(
                new Quantities.CountedRate(100_000_000, Quantities.Counted.BYTES), true, 1));
    assertThat(about(lines, "app-2")).isEqualTo(new PolicyLine(null, false, 1));
    assertThat(about(lines, "app-3")).isEqualTo(new PolicyLine(null, true, 0.8));
    assertThat(about(lines, "app-4")).isEqualTo(PolicyLine.SILENT);
    assertThat(about("", "app-1")).isEqualTo(PolicyLine.SILENT);
  }

  @Test
  void aLaterLineReplacesWhatItNames() {
    assertThat(about("<a, rate=5>; <a, borrow=FALSE>; <a, rate=7>", "a"))
        .isEqualTo(
            new PolicyLine(new Quantities.CountedRate(7, Quantities.Counted.TOKENS), false, 1));
  }

  @Test
  void whatALineDoesNotSayIsWhatHoldsForEverybody() {
    String lines = "<*, borrow=FALSE>, <a, thres=0.5>";
    assertThat(about(lines, "a")).isEqualTo(new PolicyLine(null, false, 0.5));
    assertThat(about(lines, "b")).isEqualTo(new PolicyLine(null, false, 1));
  }

  @Test
  void aLineMayBeAboutAnApplicationOrOneOfItsJobs() {
    JobDemand run = JobDemand.of("4711", 1, 0).withApplication(JobId.of("climate"));
    assertThat(PolicyLines.parse("<climate, borrow=FALSE>").about(run).borrow()).isFalse();
    assertThat(PolicyLines.parse("<climate, borrow=FALSE> <4711, borrow=TRUE>").about(run).borrow())
        .isTrue();
  }

  @Test
  void badLinesAreRefusedWithPlaceAndValue() {
    refused("app-1, rate=5", "at character 1: \"app-1, rate=5\": expected lines such as");
    refused("<a, rate=5> <b", "at character 13: \"<b\"");
    refused("<a, rate=5>; <b, rate=fast>", "line 2 <b, rate=fast>: rate=fast: expected a rate");
    refused("<a, borrow=maybe>", "borrow=maybe: expected TRUE or FALSE");
    refused("<a, thres=1.5>", "thres=1.5: expected a number from 0 to 1");
    refused("<a, thres=>", "thres=: expected a number from 0 to 1");
    refused("<a, borow=TRUE>", "there is no \"borow\"; there are rate, borrow, thres");
    refused("<a>", "says nothing");
    refused("<, rate=5>", "a job id has 1 to");
  }

  @Test
  void bothEndsOfWhatIsAllowedAreAllowed() {
    assertThat(about("<a, thres=0>", "a").threshold()).isZero();
    assertThat(about("<a, thres=1>", "a").threshold()).isEqualTo(1);
    assertThat(about("<a, borrow=false>", "a").borrow()).isFalse();
    refused("<a, thres=-0.1>", "thres=-0.1: expected a number from 0 to 1");
    refused("<a, thres>", "thres=: expected a number");
    refused("<a, rate=5,>", "there is no \"\"");
    refused("<a,=5>", "there is no \"\"");
    String most = "<a, thres=1>".repeat(10_000);
    assertThat(about(most, "a").threshold()).isEqualTo(1);
    refused(most + "<b, thres=0>", "there are at most 10000 lines");
  }

  @Test
  void whatIsLongIsShownShortened() {
    String forty = "a".repeat(40);
    refused(forty, "at character 1: \"" + forty + "\": expected");
    refused(forty + "b", "at character 1: \"" + forty + "…\": expected");
  }

  private static void refused(String lines, String message) {
    assertThatThrownBy(() -> PolicyLines.parse(lines))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
