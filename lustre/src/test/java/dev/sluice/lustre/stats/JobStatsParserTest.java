package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.SeededCases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobStatsParserTest {
  /** Keeps what it is told. */
  static final class Found implements JobStatsSink {
    final List<JobSample> samples = new ArrayList<>();
    final List<String> problems = new ArrayList<>();

    @Override
    public void job(JobSample sample) {
      samples.add(sample);
    }

    @Override
    public void malformed(String problem) {
      problems.add(problem);
    }
  }

  static Found parse(LustreService service, JobIdForm form, byte[] text) {
    Found found = new Found();
    JobStatsParser parser = new JobStatsParser(service, form, new JobIds(), found);
    parser.accept(text, text.length);
    parser.finish();
    return found;
  }

  private static Found parse(JobIdForm form, String text) {
    return parse(LustreService.OST_IO, form, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A text as servers of a version print it, in a file of its own for its long lines. */
  private static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(JobStatsParserTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsWhat212Prints() {
    Found found = parse(JobIdForm.RAW, resource("2.12.txt"));

    assertThat(found.problems).isEmpty();
    assertThat(found.samples)
        .containsExactly(
            new JobSample("obdfilter.scratch-OST0000", "dd.4854", -1, 20, 12, 3, 5_242_880, 9));
  }

  @Test
  void readsWhat2150PrintsWithItsTimesNotIndented() {
    Found found = parse(JobIdForm.RAW, resource("2.15.0.txt"));

    assertThat(found.problems).isEmpty();
    assertThat(found.samples)
        .containsExactly(
            new JobSample(
                "obdfilter.a-OST0001", "cp.0", 25_057_286_226L, 862, 0, 861, 0, 11_025_514_496L));
  }

  @Test
  void readsWhat216PrintsWithHistograms() {
    Found found = parse(JobIdForm.ESCAPED, resource("2.16.txt"));

    assertThat(found.problems).isEmpty();
    assertThat(found.samples)
        .containsExactly(
            new JobSample("obdfilter.a-OST0001", "a b:0", -1, 15, 15, 0, 14_000_000, 0));
  }

  @Test
  void countsOnlyWhatTheMetadataServiceServes() {
    Found found =
        parse(
            LustreService.MDT,
            JobIdForm.ESCAPED,
            resource("mdt.txt").getBytes(StandardCharsets.US_ASCII));

    assertThat(found.problems).isEmpty();
    assertThat(found.samples)
        .containsExactly(new JobSample("mdt.a-MDT0000", "4711", -1, 10, 0, 0, 3, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "4711",
        "a b",
        " leading",
        "trailing ",
        "say \"hi\"",
        "a,b",
        "a&b",
        "a*b",
        "**",
        "kworker/86:1.0",
        "@x",
        "a\\x20b",
        "back\\slash",
        "=",
        "{}",
        "- job_id:",
        "job_stats:",
        "ümläut",
        "1234567890123456789012345678901",
        "'",
        "#",
        "%",
        "~",
        "read_bytes: { samples: 9"
      })
  void readsEveryIdAsEveryVersionWritesIt(String id) {
    for (String version :
        List.of("2.12.9", "2.14.0", "2.15.0", "2.15.2", "2.15.8", "2.16.1", "2.17.57")) {
      Found found = written(LustreVersion.parse(version), id);

      assertThat(found.problems).as(version).isEmpty();
      assertThat(found.samples).as(version).hasSize(2);
      assertThat(found.samples.getFirst().job()).as(version).isEqualTo(id);
      assertThat(found.samples.getFirst().rpcs()).as(version).isEqualTo(3);
      assertThat(found.samples.getFirst().writtenBytes()).as(version).isEqualTo(300);
      assertThat(found.samples.getFirst().startNanos() >= 0)
          .as(version)
          .isEqualTo(LustreVersion.parse(version).isAtLeast(2, 15, 0));
    }
  }

  @Test
  void showsWhatCannotBePrintedAsNewVersionsWriteIt() {
    assertThat(written(LustreVersion.of(2, 12, 9), "a\u0001b").samples.getFirst().job())
        .isEqualTo("a?b");
    assertThat(written(LustreVersion.of(2, 15, 8), "a\u0001b").samples.getFirst().job())
        .isEqualTo("a\u0001b");
  }

  private static Found written(LustreVersion version, String id) {
    return parse(LustreService.OST_IO, JobIdForm.of(version), text(version, id, "another"));
  }

  /** What a server prints on which each job has written three times. */
  static byte[] text(LustreVersion version, String... jobs) {
    StandInServer<Object> server =
        new StandInServer<>(version, LustreService.OST_IO, 1, "a-OST0000", "a-OST0001");
    for (String job : jobs) {
      server.served("a-OST0000", job, 3, 300, 1_723_102_025_057_286_226L);
    }
    return shown(server, LustreService.OST_IO);
  }

  private static byte[] shown(StandInServer<Object> server, LustreService service) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      new StandInLctl(server)
          .run(
              List.of("get_param", service.jobStatsParameter()),
              (bytes, length) -> out.write(bytes, 0, length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  @Test
  void itDoesNotMatterHowTheTextIsCut() {
    byte[] text = text(LustreVersion.of(2, 16, 1), "one", "t w o", "three:3", "4");
    List<JobSample> whole = parse(LustreService.OST_IO, JobIdForm.ESCAPED, text).samples;
    assertThat(whole).hasSize(4);
    SeededCases.forAll(
        500,
        random -> {
          Found found = new Found();
          JobStatsParser parser =
              new JobStatsParser(LustreService.OST_IO, JobIdForm.ESCAPED, new JobIds(), found);
          for (int from = 0; from < text.length; ) {
            int to = Math.min(text.length, from + 1 + random.nextInt(1 + random.nextInt(600)));
            byte[] piece = Arrays.copyOfRange(text, from, to);
            parser.accept(piece, piece.length);
            // The caller may use its buffer again.
            Arrays.fill(piece, (byte) '\n');
            from = to;
          }
          parser.finish();
          assertThat(found.samples).isEqualTo(whole);
          assertThat(found.problems).isEmpty();
        });
  }

  /**
   * Whole entries are taken by their shape, and lines by themselves where they come one by one:
   * both read the same of counters of any size, which outgrow their columns, and of histograms of
   * any length, whatever is counted and in every version.
   */
  @Test
  void entriesReadAsAWholeAreReadAsTheirLinesAre() {
    List<String> versions =
        List.of("2.12.9", "2.14.0", "2.15.0", "2.15.2", "2.15.8", "2.16.1", "2.17.57");
    SeededCases.forAll(
        300,
        random -> {
          LustreVersion version = LustreVersion.parse(versions.get(random.nextInt(7)));
          LustreService service = random.nextBoolean() ? LustreService.OST_IO : LustreService.MDT;
          StandInServer<Object> server =
              new StandInServer<>(version, service, 1, "a-OST0000", "a-OST0001");
          for (int i = random.nextInt(40); i >= 0; i--) {
            String target = random.nextBoolean() ? "a-OST0000" : "a-OST0001";
            String job = "job " + Integer.toString(random.nextInt(1 << 20), 36);
            long now = random.nextLong(1L << random.nextInt(20, 62));
            long writes = random.nextLong(1L << random.nextInt(1, 44));
            long bytes = random.nextLong(1L << random.nextInt(1, 57));
            if (service == LustreService.OST_IO) {
              server.served(target, job, writes, bytes, now);
            } else {
              server.counted(target, job, "open", writes, now);
              server.counted(target, job, "mknod", random.nextLong(1L << 40), now);
            }
          }
          byte[] text = shown(server, service);
          Found byLine = new Found();
          JobIds ids = new JobIds();
          JobStatsParser parser =
              new JobStatsParser(service, JobIdForm.of(version), new JobIds(), byLine);
          for (byte letter : text) {
            parser.accept(new byte[] {letter}, 1);
          }
          parser.finish();
          for (int reading = 0; reading < 2; reading++) {
            Found whole = new Found();
            JobStatsParser again = new JobStatsParser(service, JobIdForm.of(version), ids, whole);
            again.accept(text, text.length);
            again.finish();
            assertThat(whole.samples).isEqualTo(byLine.samples);
            assertThat(whole.problems).isEqualTo(byLine.problems);
          }
        });
  }

  @Test
  void anEntryThatBreaksOffIsLeftOut() {
    byte[] text = text(LustreVersion.of(2, 15, 8), "one", "two");
    Found found = new Found();
    JobStatsParser parser =
        new JobStatsParser(LustreService.OST_IO, JobIdForm.ESCAPED, new JobIds(), found);
    parser.accept(text, text.length - 300);
    parser.abandon();

    assertThat(found.samples).extracting(JobSample::job).containsExactly("one");
  }

  @Test
  void aBadEntryIsToldOfWithItsPlaceAndTheOthersAreRead() {
    Found found =
        parse(
            JobIdForm.ESCAPED,
            """
            obdfilter.a-OST0001.job_stats=
            job_stats:
            - job_id:          good
              punch:           { samples:           5, unit:  reqs }
            - job_id:          "broken
              punch:           { samples:           5, unit:  reqs }
            - job_id:          bad
              punch:           { samples:          5x, unit:  reqs }
              read_bytes:      { nothing }
            - job_id:          large
              punch:           { samples: 99999999999999999999999, unit:  reqs }
            nonsense
            - job_id:          fine
              punch:           { samples:           6, unit:  reqs }
            """);

    assertThat(found.samples).extracting(JobSample::job).containsExactly("good", "fine");
    assertThat(found.problems)
        .containsExactly(
            "obdfilter.a-OST0001, line 5: \"- job_id:          \"broken\": expected a job id of 1"
                + " to 63 bytes",
            "obdfilter.a-OST0001, line 8: \"5x, unit:  reqs }\": expected a number",
            "obdfilter.a-OST0001, line 11: \"99999999999999999999999, unit:  reqs }\": expected a"
                + " number of at most 2^58",
            "obdfilter.a-OST0001, line 12: \"nonsense\": expected job_stats");
  }

  @Test
  void aLineWithoutEndIsNotKept() {
    Found found = new Found();
    JobStatsParser parser =
        new JobStatsParser(LustreService.OST_IO, JobIdForm.RAW, new JobIds(), found);
    byte[] endless = new byte[10_000];
    Arrays.fill(endless, (byte) 'x');
    for (int i = 0; i < 100; i++) {
      parser.accept(endless, endless.length);
    }
    byte[] rest = "\n- job_id:          a\n".getBytes(StandardCharsets.US_ASCII);
    parser.accept(rest, rest.length);
    parser.finish();

    assertThat(found.problems)
        .containsExactly("job_stats, line 1: a line of more than 65536 bytes");
    assertThat(found.samples).extracting(JobSample::job).containsExactly("a");
  }
}
