package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Makes a test of each check that a script in a guest has made. A script says {@code ok NAME},
 * {@code not ok NAME why} or {@code skip NAME why}, each in a line.
 */
final class GuestChecks {
  private GuestChecks() {}

  /** The names of the checks that ended well, or those that did not. */
  static Set<String> namesOf(LinuxGuest.Result result, boolean isWell) {
    String prefix = isWell ? "ok " : "not ok ";
    return result
        .output()
        .lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).split(" ", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

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
