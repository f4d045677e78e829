package dev.sluice.lustre.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.tbf.RequestMatch;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestLimitsTest {
  private static LustreConfiguration read(String policy, String service, String... matches) {
    StringBuilder text =
        new StringBuilder("capacity: 1 kops/s\npolicy: " + policy + "\nservice: " + service);
    text.append("\nlimits:\n");
    for (int i = 0; i < matches.length; i++) {
      text.append("  - {name: l" + i + ", match: '" + matches[i] + "', rate: 10 ops/s}\n");
    }
    return LustreConfigurationReader.parse("lustre.yaml", text.toString(), Path.of("/"));
  }

  private static RequestMatch match(String match) {
    return Objects.requireNonNull(read("none", "ost_io", match).limits().getFirst().requests());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user=1001                         | uid={1001}                     | tbf uid",
        "group=7,8                         | gid={7 8}                      | tbf gid",
        "operation=write                   | opcode={ost_write}             | tbf opcode",
        "user=1001 operation=write         | uid={1001}&opcode={ost_write}  | tbf uid+opcode",
        "class=data                        | opcode={ost_punch ost_read ost_write} | tbf opcode",
        "project=42 operation=read         | projid={42}&opcode={ost_read}  | tbf projid+opcode",
        "nodemap=guests                    | nodemap={guests}               | tbf nodemap",
        "job=rsync* operation=write        | jobid={rsync*}&opcode={ost_write} | tbf jobid+opcode",
      })
  void limitsAreSaidInTheFiltersWords(String match, String expression, String filter) {
    assertThat(match(match).expression()).isEqualTo(expression);
    assertThat(match(match).filter()).isEqualTo(filter);
    assertThat(read("none", "ost_io", match).filter()).isEqualTo(filter);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "group=physics             | group \"physics\": expected a number",
        "user!=1001 group=3        | expected no condition with !=",
        "class=metadata            | class metadata: expected data",
        "operation=open            | operation open: expected read, write or truncate",
        "client=10.0.0.1           | expected conditions on job, user, group",
        "client=10.0.0.1 group=3   | expected no condition on client",
        "nodemap=a/b               | expected the name of a nodemap",
        "job=a*b*c*d group=3       | cannot be written into a rule",
        "nonsense=3                | expected",
      })
  void whatAFilterCannotBeAskedIsRefusedInWords(String match, String problem) {
    assertThatThrownBy(() -> read("none", "ost_io", match)).hasMessageContaining(problem);
  }

  @Test
  void policiesNeedTheFilterByJob() {
    assertThatThrownBy(() -> read("fair", "ost_io", "group=3"))
        .hasMessageContaining("other limits need policy: none");
    // A number may be how the job directory calls a user.
    assertThat(read("fair", "ost_io", "user=1001").filter()).isEqualTo("tbf jobid");
    assertThat(read("none", "ost_io", "user=ann").filter()).isEqualTo("tbf jobid");
    assertThatThrownBy(() -> read("none", "ost_io", "user=1", "user=1 operation=read"))
        .hasMessageContaining("expected limits that all ask about the same");
    assertThatThrownBy(() -> read("none", "mdt", "operation=open"))
        .hasMessageContaining("does not tell what it asks for");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user=1                 | 2.12.0  |",
        "user=1 operation=read  | 2.17.50 | combinations came with 2.17.51",
        "user=1 operation=read  | 2.17.51 |",
        "user=1                 | 2.17.53 | LU-20423",
        "user=1                 | 2.17.55 |",
        "project=1              | 2.16.1  | it came with 2.16.60",
        "project=1              | 2.16.60 |",
        "nodemap=a              | 2.17.51 | it came with 2.17.55",
        "nodemap=a              | 2.17.57 |",
        "user=1 group=2 project=3 | 2.17.57 |",
        "user=1 group=2 project=3 operation=read | 2.17.57 | at most 15 letters",
      })
  void whatAVersionDoesNotKnowIsRefusedWithTheOneThatDoes(
      String match, String version, String problem) {
    String refused = match(match).refused(LustreVersion.parse(version), false);
    if (problem == null) {
      assertThat(refused).isNull();
    } else {
      assertThat(refused).contains(problem);
    }
  }

  @Test
  void ownersAreNotAskedForOnAnOldMetadataServer() {
    assertThat(match("user=1").refused(LustreVersion.of(2, 15, 8), true)).contains("LU-17149");
    assertThat(match("user=1").refused(LustreVersion.of(2, 15, 59), true)).isNull();
  }
}
