package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.document.DocumentException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TraceReaderTest {
  private static final String HEADER = "time,job,target,op,bytes\n";

  @Test
  void readsCommentsUnitsBlanksAndCarriageReturns() throws IOException {
    List<TraceReader.Entry> entries =
        read(
            """
            # recorded somewhere\r
            \r
            time,job,target,op,bytes\r
            0,a,ost0,write,1048576\r
              0.25 , a b , ost1 , read , 1 MiB \s
            # in between
            300 ms,a,ost0,getattr,0\
            """);
    assertThat(entries)
        .containsExactly(
            entry("a", 0, "ost0", Operation.WRITE, 1 << 20),
            entry("a b", 250_000_000, "ost1", Operation.READ, 1 << 20),
            entry("a", 300_000_000, "ost0", Operation.GETATTR, 0));
  }

  private static TraceReader.Entry entry(
      String job, long atNanos, String target, Operation operation, long bytes) {
    return new TraceReader.Entry(
        JobId.of(job), new Workload.TraceLine(atNanos, target, operation, bytes));
  }

  @Test
  void equalNamesAreOneObject() throws IOException {
    List<TraceReader.Entry> entries = read(HEADER + "0,a,ost0,read,1\n0,a,ost0,read,1\n");
    assertThat(entries.get(0).job()).isSameAs(entries.get(1).job());
    assertThat(entries.get(0).request().target()).isSameAs(entries.get(1).request().target());
  }

  @ParameterizedTest
  @CsvFileSource(resources = "errors-in-a-trace.txt", delimiter = '|', quoteCharacter = '`')
  void aBrokenLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> read(HEADER + "1,a,ost0,read,1\n" + line + "\n"))
        .isInstanceOf(DocumentException.class)
        .hasMessage(message);
  }

  @Test
  void theHeaderMustBeThere() {
    assertThatThrownBy(() -> read("# nothing\n"))
        .isInstanceOf(DocumentException.class)
        .hasMessage("t.csv:2:1: expected the header time,job,target,op,bytes");
    assertThatThrownBy(() -> read("\n0,a,ost0,read,1\n"))
        .isInstanceOf(DocumentException.class)
        .hasMessage("t.csv:2:1: \"0,a,ost0,read,1\": expected the header time,job,target,op,bytes");
  }

  @Test
  void hasBounds() {
    String request = "0,a,ost0,read,1\n";
    assertThatThrownBy(() -> read(HEADER + request.repeat(4)))
        .isInstanceOf(DocumentException.class)
        .hasMessage("t.csv:5:1: \"0,a,ost0,read,1\": expected at most 3 requests in a trace");
    assertThatThrownBy(() -> read(HEADER + "x".repeat(2_000)))
        .isInstanceOf(DocumentException.class)
        .hasMessage("t.csv:2:1: \"" + "x".repeat(60) + "…\": longer than 1024 characters");
  }

  private static List<TraceReader.Entry> read(String text) throws IOException {
    TraceReader reader =
        new TraceReader(
            "t.csv", new StringReader(text), new TargetNames(List.of("ost0", "ost1")), 3);
    List<TraceReader.Entry> entries = new ArrayList<>();
    for (TraceReader.Entry entry = reader.next(); entry != null; entry = reader.next()) {
      entries.add(entry);
    }
    return entries;
  }
}
