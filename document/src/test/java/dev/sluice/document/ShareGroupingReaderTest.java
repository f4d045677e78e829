package dev.sluice.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShareGroupingReaderTest {
  private static ShareGrouping read(String text) {
    return ShareGroupingReader.read(Documents.parse("f.yaml", text));
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void levelsAndWeightsAreAsWritten() {
    assertThat(read("{by: [account, user, job], weights: {account: {physics: 3, 1001: 2}}}"))
        .isEqualTo(
            new ShareGrouping(
                List.of(Level.ACCOUNT, Level.USER),
                Map.of(Level.ACCOUNT, Map.of("physics", 3L, "1001", 2L))));
    assertThat(read("by: [group, account, job]").levels())
        .containsExactly(Level.GROUP, Level.ACCOUNT);
    assertThat(read("by: [job]").isFlat()).isTrue();
    assertThat(ShareGroupingReader.read(null).isFlat()).isTrue();
    assertThat(read("{by: [user, job], weights: {user: {(none): 5}}}").weight(List.of("(none)")))
        .isEqualTo(5);
  }

  @Test
  void whatIsWrongIsRefusedWithItsPlaceAndWhatIsExpected() {
    refused("{}", "f.yaml:1:1: a mapping: expected the key \"by\"");
    refused("{bye: [job]}", "expected one of by, weights; did you mean by?");
    refused("by: user", "f.yaml:1:5: by: \"user\": expected a list");
    refused("by: [user]", "f.yaml:1:5: by: a list: expected \"job\" at its end");
    refused("by: []", "expected \"job\" at its end, such as [account, user, job]");
    refused("by: [job, user]", "f.yaml:1:6: by: \"job\": expected as the last of all");
    refused(
        "by: [acount, job]",
        "f.yaml:1:6: by: \"acount\": expected one of account, user, group, job; did you mean"
            + " account?");
    refused("by: [user, user, job]", "f.yaml:1:12: by: \"user\": expected once");
    refused(
        "{by: [user, job], weights: {account: {physics: 3}}}",
        "f.yaml:1:29: \"account\": expected one of user, as \"by\" has them");
    refused(
        "{by: [user, job], weights: {job: {17: 3}}}",
        "f.yaml:1:29: \"job\": expected no weights of jobs here");
    refused("{by: [job], weights: {user: {a: 3}}}", "expected no weights where \"by\" has jobs");
    refused(
        "{by: [user, job], weights: {user: {alice: 0}}}",
        "f.yaml:1:43: alice: \"0\": expected a whole number from 1 to 1048576");
    refused("{by: [user, job], weights: {user: {alice: 2, alice: 3}}}", "the key is there already");
    refused("{by: [user, job], weights: {user: {\" \": 2}}}", "expected a name of 1 to 255");
    refused("{by: [user, job], weights: [alice]}", "weights: a list: expected a mapping");
  }
}
