package dev.sluice.lustre.lctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParameterFilesTest {
  @TempDir Path root;

  private final List<List<String>> asked = new ArrayList<>();
  private ParameterFiles files;

  @BeforeEach
  void begin() throws IOException {
    write("proc/fs/lustre/obdfilter/a-OST0001/job_stats", "job_stats:\n- job_id: 2\n");
    write("proc/fs/lustre/obdfilter/a-OST0000/job_stats", "job_stats:\n- job_id: 1\n");
    write("proc/fs/lustre/obdfilter/num_refs", "3\n");
    write("sys/kernel/debug/lustre/ost/OSS/ost_io/stats", "req_waittime 1\n");
    Lctl program =
        (arguments, output) -> {
          asked.add(arguments);
          return new Lctl.Outcome(19, "error: No such device\n");
        };
    files = new ParameterFiles(program, root, 5_000_000_000L);
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String read(String... arguments) throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Lctl.Outcome outcome =
        files.run(List.of(arguments), (bytes, length) -> text.write(bytes, 0, length));
    return outcome.exitCode() == 0 ? text.toString(StandardCharsets.US_ASCII) : outcome.errors();
  }

  @Test
  void whatFilesHaveIsReadAsTheProgramPrintsIt() throws Exception {
    assertThat(read("get_param", "obdfilter.*.job_stats"))
        .isEqualTo(
            """
            obdfilter.a-OST0000.job_stats=
            job_stats:
            - job_id: 1
            obdfilter.a-OST0001.job_stats=
            job_stats:
            - job_id: 2
            """);
    assertThat(read("get_param", "-n", "ost.OSS.ost_io.stats")).isEqualTo("req_waittime 1\n");
    assertThat(read("get_param", "ost.OSS.ost_io.stats", "obdfilter.a-OST0001.job_stats"))
        .startsWith("ost.OSS.ost_io.stats=\nreq_waittime 1\nobdfilter.a-OST0001.job_stats=\n");
    assertThat(asked).isEmpty();
  }

  @Test
  void whatIsNotThereOrIsToBeWrittenIsLeftToTheProgram() throws Exception {
    assertThat(read("get_param", "-n", "ost.OSS.ost_io.nrs_tbf_rule")).contains("No such device");
    // With one of several missing, all are asked for at once.
    read("get_param", "ost.OSS.ost_io.stats", "ost.OSS.ost_io.nrs_tbf_rule");
    read("set_param", "-n", "ost.OSS.ost_io.stats=clear");
    assertThat(asked).hasSize(3);
    assertThat(read("get_param", "-n", "version")).contains("No such device");
  }
}
