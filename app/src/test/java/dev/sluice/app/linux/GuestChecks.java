package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Makes a test of each check that a script in a guest has made. A script says {@code ok NAME},
 * {@code not ok NAME why} or {@code skip NAME why}, each in a line.
 */
final class GuestChecks {
  private GuestChecks() {}

  /**
   * The tests.
   *
   * @param least how many checks there are at least: a script that stopped half way has said fewer
   */
  static List<DynamicTest> of(LinuxGuest.Result result, int least) {
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : result.output().lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("ok ")) {
        tests.add(DynamicTest.dynamicTest(words[1], () -> {}));
      } else if (line.startsWith("not ok ")) {
        tests.add(
            DynamicTest.dynamicTest(
                words[2],
                () -> {
                  throw new AssertionError(line);
                }));
      } else if (line.startsWith("skip ")) {
        tests.add(DynamicTest.dynamicTest(words[1], () -> Assumptions.abort(line)));
      }
    }
    int said = tests.size();
    tests.add(
        DynamicTest.dynamicTest(
            "all checks were made",
            () -> {
              assertThat(result.code()).as(result.output()).isZero();
              assertThat(said).as(result.output()).isGreaterThanOrEqualTo(least);
            }));
    return tests;
  }
}
