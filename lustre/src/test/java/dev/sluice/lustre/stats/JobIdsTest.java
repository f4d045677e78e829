package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.testkit.SeededCases;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JobIdsTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void anIdIsMadeOnce() {
    JobIds ids = new JobIds();
    byte[] text = bytes("          4711\n          4712\n");

    String first = ids.read(JobIdForm.ESCAPED, text, 0, 14);
    assertThat(first).isEqualTo("4711");
    assertThat(ids.read(JobIdForm.ESCAPED, text, 15, 29)).isEqualTo("4712");
    assertThat(ids.read(JobIdForm.ESCAPED, text, 0, 14)).isSameAs(first);
    // What comes next is what came next before, with its end and nothing less.
    assertThat(ids.expectedEnd(JobIdForm.ESCAPED, text, 15, 30)).isEqualTo(29);
    assertThat(ids.expectedEnd(JobIdForm.ESCAPED, text, 15, 29)).isNegative();
    assertThat(ids.expectedEnd(JobIdForm.ESCAPED, text, 0, 30)).isNegative();
    assertThat(ids.expectedEnd(JobIdForm.RAW, text, 15, 30)).isNegative();
    assertThat(ids.readExpected()).isEqualTo("4712");
  }

  /** Whatever came before, and however often places are taken by others. */
  @Test
  void eachIsReadAsItsFormSays() {
    JobIds ids = new JobIds();
    SeededCases.forAll(
        20_000,
        random -> {
          JobIdForm form = random.nextBoolean() ? JobIdForm.ESCAPED : JobIdForm.RAW;
          StringBuilder id = new StringBuilder("          ");
          for (int i = random.nextInt(1 + random.nextInt(600)); i >= 0; i--) {
            id.append("ab\\x20\"7\n".charAt(random.nextInt(9)));
          }
          byte[] text = bytes(id.toString());
          String said = form.read(text, 0, text.length);
          boolean accepted =
              said != null && !said.isEmpty() && said.length() <= LustreJobId.ACCEPTED_MAX;
          for (int again = 0; again < 2; again++) {
            assertThat(ids.read(form, text, 0, text.length)).isEqualTo(accepted ? said : null);
          }
        });
  }
}
