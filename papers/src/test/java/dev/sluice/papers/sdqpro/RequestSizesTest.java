package dev.sluice.papers.sdqpro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Evidence;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Verdict;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is concluded from the shares is what the table of them says. */
class RequestSizesTest {
  private static Verdict mostAtEverySize(double[][] shares) {
    List<Claim> claims = RequestSizes.claims(shares);
    Claim claim = claims.stream().filter(one -> one.id().equals("8.2")).findFirst().orElseThrow();
    return new Evidence(List.of(claim)).verdict();
  }

  /** Traditional servers serve the most with 64 KB, and as much as borrowing with less. */
  @Test
  void borrowingIsNotTheBestWhereTheTableSaysOtherwise() {
    double[][] seen = {{0.650, 0.650, 0.650}, {0.788, 0.788, 0.788}, {0.956, 0.924, 0.964}};
    assertThat(mostAtEverySize(seen)).isEqualTo(Verdict.DOES_NOT_HOLD);
    double[][] close = {{0.65, 0.60, 0.64}, {0.78, 0.70, 0.77}, {0.956, 0.924, 0.964}};
    assertThat(mostAtEverySize(close)).isEqualTo(Verdict.DOES_NOT_HOLD);
    double[][] best = {{0.65, 0.60, 0.64}, {0.78, 0.70, 0.77}, {0.956, 0.924, 0.954}};
    assertThat(mostAtEverySize(best)).isEqualTo(Verdict.HOLDS);
  }

  @Test
  void theVerdictFollowsFromTheTableAlone() {
    SeededCases.forAll(
        1_000,
        random -> {
          double[][] shares = new double[3][3];
          for (double[] row : shares) {
            double around = random.nextDouble(0.2, 0.95);
            for (int i = 0; i < row.length; i++) {
              row[i] = around + random.nextDouble(0.004) + (i == 0 ? random.nextDouble(0.006) : 0);
            }
          }
          boolean most = true;
          for (List<Cell> row : RequestSizes.table(shares).rows()) {
            double borrowing = percent(row.get(1));
            most &= borrowing > percent(row.get(2)) && borrowing > percent(row.get(3));
          }
          assertThat(mostAtEverySize(shares) == Verdict.HOLDS).isEqualTo(most);
        });
  }

  private static double percent(Cell cell) {
    return Double.parseDouble(((Figure) cell).text().replace(" %", ""));
  }
}
