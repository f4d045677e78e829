package dev.sluice.core.policy.adaptbf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.StateText;
import dev.sluice.core.policy.StateTexts;
import dev.sluice.core.policy.UnreadableStateException;
import org.junit.jupiter.api.Test;

/** That what is kept goes on as before is tested of every policy; here, what is refused. */
class AdapTbfCodecTest {
  private static AdapTbfState read(String... lines) {
    String text =
        "sluice policy state\npolicy \"adaptbf\" 1 77\ntarget \"t\" 9 1 0\nbooks 0 0\n"
            + String.join("\n", lines);
    return StateText.read(AdapTbfCodec.INSTANCE, StateTexts.signed(text)).state();
  }

  private static void refused(String message, String... lines) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining(message);
  }

  @Test
  void recordsCancelOutOrAreNotTaken() {
    assertThat(read("active \"a\" 5 1 0.0", "idle \"b\" -5 1").record(JobId.of("b"))).isEqualTo(-5);
    refused("the records add up to 1 instead of 0", "active \"a\" 5 1 0.0", "idle \"b\" -4 1");
  }

  @Test
  void everyJobIsThereOnceAndInOrder() {
    String message = "jobs must ascend without repetition";
    refused(message, "active \"a\" 5 1 0.0", "active \"a\" -5 1 0.0");
    refused(message, "active \"b\" 5 1 0.0", "active \"a\" -5 1 0.0");
    refused(message, "idle \"a\" 5 1", "idle \"a\" -5 1");
  }
}
