package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.testkit.EnduranceScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Texts of every version with bytes flipped, lost, doubled and moved: each parses, or what is wrong
 * is told, and the deltas that are made of it keep their books. A million of them with {@code
 * -Dsluice.endurance=full}.
 */
class JobStatsMutationTest {
  private static final int CASES = EnduranceScale.of(20_000, 1_000_000);
  private static final String TELLING = "\n\"\\x:{},-* =.0123456789\0\u00ff";

  @Test
  void mutatedTextsParseOrFailCleanly() {
    List<byte[]> originals = new ArrayList<>();
    List<JobIdForm> forms = new ArrayList<>();
    for (String version : List.of("2.12.9", "2.14.0", "2.15.0", "2.15.8", "2.16.1", "2.17.57")) {
      LustreVersion parsed = LustreVersion.parse(version);
      originals.add(JobStatsParserTest.text(parsed, "4711", "a b\"c", "x:y/1", "\u00e9t\u00e9"));
      forms.add(JobIdForm.of(parsed));
    }
    SplittableRandom random = new SplittableRandom(20_250_000);
    long samples = 0;
    long problems = 0;
    JobStatsDeltas deltas = new JobStatsDeltas();
    for (int i = 0; i < CASES; i++) {
      int which = random.nextInt(originals.size());
      byte[] text = mutated(originals.get(which), random);
      LustreService service = random.nextInt(8) == 0 ? LustreService.MDT : LustreService.OST_IO;
      JobStatsParserTest.Found found = JobStatsParserTest.parse(service, forms.get(which), text);
      samples += found.samples.size();
      problems += found.problems.size();
      deltas.beginReading();
      for (JobSample sample : found.samples) {
        assertThat(sample.rpcs()).isNotNegative();
        assertThat(sample.readBytes()).isNotNegative();
        assertThat(sample.writtenBytes()).isNotNegative();
        assertThat(sample.job()).hasSizeBetween(1, LustreJobId.ACCEPTED_MAX);
        assertThat(new LustreJobId(sample.job()).shown().toString()).isNotEmpty();
        deltas.job(sample);
      }
      for (String problem : found.problems) {
        assertThat(problem).contains(", line ").doesNotContain("\n");
      }
      deltas.endReading();
      if (i % 100 == 0) {
        deltas.checkInvariants();
        deltas.take().forEach(activity -> assertThat(activity.rpcs()).isPositive());
      }
    }
    System.out.println(
        CASES + " mutated texts: " + samples + " entries read, " + problems + " problems told");
    // Most entries of a text are untouched by a few mutations.
    assertThat(samples).isGreaterThan(CASES);
    assertThat(problems).isGreaterThan(CASES / 20);
  }

  private static byte[] mutated(byte[] original, SplittableRandom random) {
    byte[] text = original.clone();
    int length = text.length;
    for (int i = random.nextInt(1, 6); i > 0 && length > 2; i--) {
      int at = random.nextInt(length);
      int span = Math.min(length - at, random.nextInt(1, 1 + random.nextInt(1, 80)));
      switch (random.nextInt(6)) {
        case 0 -> text[at] = (byte) random.nextInt(256);
        case 1 -> text[at] = (byte) TELLING.charAt(random.nextInt(TELLING.length()));
        case 2 -> {
          System.arraycopy(text, at + span, text, at, length - at - span);
          length -= span;
        }
        case 3 -> {
          int from = random.nextInt(length - span + 1);
          System.arraycopy(text, from, text, at, span);
        }
        case 4 -> length = random.nextInt(8) == 0 ? at : length;
        default -> {
          byte[] longer = new byte[length + span];
          System.arraycopy(text, 0, longer, 0, at + span);
          System.arraycopy(text, at, longer, at + span, length - at);
          text = longer;
          length += span;
        }
      }
    }
    byte[] result = new byte[length];
    System.arraycopy(text, 0, result, 0, length);
    return result;
  }
}
