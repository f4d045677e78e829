package dev.sluice.sim.report.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class ChartTest {
  private static final String HOSTILE = "</text><script>alert(\"1\")</script>&amp;";

  /** Any picture is well-formed, keeps names what they are, and has no value that is no number. */
  @Test
  void picturesAreWellFormed() {
    SeededCases.forAll(
        300,
        random -> {
          List<Series> series = series(random);
          List<String> categories = new ArrayList<>();
          for (int i = 0; i < series.getFirst().size(); i++) {
            categories.add(HOSTILE + i);
          }
          check(new LineChart(HOSTILE, "time", Unit.SECONDS, Unit.TOKENS, series).svg());
          check(
              new StackedChart(
                      HOSTILE, "time", Unit.SECONDS, Unit.BYTES_PER_SECOND, series, Reach.VALUES)
                  .svg());
          check(new BarChart(HOSTILE, Unit.PERCENT, categories, series).svg());
        });
  }

  @Test
  void aGapInTheValuesIsAGapInTheLine() {
    double[] xs = {0, 1, 2, 3};
    double[] ys = {1, Double.NaN, 1, 1};
    Series series = Series.of("a", new Colour(0), xs, ys);
    String svg = new LineChart("gap", "time", Unit.SECONDS, Unit.NUMBER, List.of(series)).svg();
    assertThat(svg).containsPattern("d=\"M[^ML]*M[^ML]*L[^ML]*\"");
  }

  @Test
  void aLossPointsDownFromZero() throws Exception {
    String svg =
        new BarChart(
                "change",
                Unit.PERCENT,
                List.of("x"),
                List.of(
                    Series.bars("gain", new Colour(0), 0.5),
                    Series.bars("loss", new Colour(1), -0.5)))
            .svg();
    Element root = XmlTest.parse(svg);
    Element gain = (Element) root.getElementsByTagName("rect").item(0);
    Element loss = (Element) root.getElementsByTagName("rect").item(1);
    assertThat(number(gain, "y") + number(gain, "height")).isEqualTo(number(loss, "y"));
    assertThat(gain.getTextContent()).isEqualTo("x, gain: 50.0 %");
    assertThat(loss.getTextContent()).isEqualTo("x, loss: -50.0 %");
  }

  @Test
  void theUpperEdgeOfAStackIsTheSum() {
    double[] xs = {0, 1};
    List<Series> series =
        List.of(
            Series.of("a", new Colour(0), xs, new double[] {1, 2}),
            Series.of("b", new Colour(1), xs, new double[] {3, Double.NaN}));
    assertThat(StackedChart.highestSum(series)).isEqualTo(4);
  }

  @Test
  void picturesOfNothingAreDrawnToo() throws Exception {
    check(new LineChart("none", "time", Unit.SECONDS, Unit.NUMBER, List.of()).svg());
    check(new BarChart("none", Unit.NUMBER, List.of(), List.of()).svg());
    Series empty = Series.of("a", new Colour(0), new double[0], new double[0]);
    check(
        new StackedChart("none", "time", Unit.SECONDS, Unit.NUMBER, List.of(empty), Reach.VALUES)
            .svg());
  }

  @Test
  void seriesThatDoNotFitAreRefused() {
    List<Series> two = List.of(Series.bars("b", Colour.NEUTRAL, 1, 2));
    assertThatThrownBy(() -> new BarChart("a", Unit.NUMBER, List.of("x"), two))
        .hasMessage("expected 1 bars of b, not 2");
  }

  @Test
  void aPictureOfItsOwnCarriesItsStyle() throws Exception {
    String svg = new BarChart("a", Unit.NUMBER, List.of(), List.of()).svg();
    Element root = XmlTest.parse(ChartStyle.standalone(svg));
    assertThat(root.getElementsByTagName("style").getLength()).isEqualTo(1);
    assertThat(root.getTextContent()).contains("prefers-color-scheme:dark");
  }

  @Test
  void colourAndVariantTellThreeTimesEightApart() {
    List<String> classes = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      classes.add(new Colour(i).classes());
    }
    assertThat(classes).doesNotHaveDuplicates();
  }

  @Test
  void valuesAreToldInTheUnitThatSuits() {
    assertThat(Unit.BYTES_PER_SECOND.text(1_234_567)).isEqualTo("1.23 MB/s");
    assertThat(Unit.SECONDS.text(0.0025)).isEqualTo("2.50 ms");
    assertThat(Unit.SECONDS.text(120)).isEqualTo("120 s");
    assertThat(Unit.SECONDS.text(7_200)).isEqualTo("120 min");
    assertThat(Unit.PERCENT.text(0.5)).isEqualTo("50.0 %");
    assertThat(Unit.NUMBER.text(0)).isEqualTo("0");
  }

  private static List<Series> series(RandomGenerator random) {
    int points = 1 + random.nextInt(80);
    double[] xs = new double[points];
    for (int i = 1; i < points; i++) {
      xs[i] = xs[i - 1] + random.nextDouble(10);
    }
    double size = Math.pow(10, random.nextDouble(-3, 12));
    List<Series> series = new ArrayList<>();
    for (int i = 1 + random.nextInt(24); i > 0; i--) {
      double[] ys = new double[points];
      for (int j = 0; j < points; j++) {
        ys[j] = random.nextInt(10) == 0 ? Double.NaN : random.nextDouble(-size, size);
      }
      series.add(Series.of(HOSTILE + i, new Colour(i), xs, ys));
    }
    return series;
  }

  private static void check(String svg) throws Exception {
    Element root = XmlTest.parse(svg);
    assertThat(root.getTagName()).isEqualTo("svg");
    assertThat(root.getAttribute("aria-label")).isNotEmpty();
    assertThat(root.getElementsByTagName("script").getLength()).isZero();
    assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }
}
