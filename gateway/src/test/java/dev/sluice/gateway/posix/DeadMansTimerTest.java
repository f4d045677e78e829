package dev.sluice.gateway.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadMansTimerTest {
  private static final int KILLED = 128 + 9;
  private static final long SECOND = 1_000_000_000L;

  /** A process that has itself killed, or not. */
  static final class Doomed {
    private Doomed() {}

    public static void main(String[] args) throws Exception {
      DeadMansTimer timer = new DeadMansTimer();
      timer.killAt(System.nanoTime() + SECOND);
      switch (args[0]) {
        case "putOff" -> timer.putOff();
        case "later" -> timer.killAt(System.nanoTime() + 600 * SECOND);
        case "past" -> timer.killAt(System.nanoTime() - SECOND);
        default -> {}
      }
      System.out.println("set");
      System.in.read();
    }
  }

  private static Process start(String how) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                Doomed.class.getName(),
                how)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    String line = said.readLine();
    assertThat(line).isEqualTo(how.equals("past") ? null : "set");
    return process;
  }

  @Test
  void endsAProcessThatIsStoppedAndCannotEndItself() throws Exception {
    Process process = start("soon");
    new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(KILLED);
  }

  @Test
  void anInstantThatIsPastIsAtOnce() throws Exception {
    Process process = start("past");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(KILLED);
  }

  @Test
  void endsNobodyWhenItWasPutOff() throws Exception {
    Process never = start("putOff");
    Process later = start("later");
    assertThat(never.waitFor(1_500, TimeUnit.MILLISECONDS)).isFalse();
    for (Process process : new Process[] {never, later}) {
      process.getOutputStream().close();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
  }
}
