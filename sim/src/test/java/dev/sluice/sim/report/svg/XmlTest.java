package dev.sluice.sim.report.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class XmlTest {
  private static final String SPECIAL = "<>&\"'=/ ]a";

  /** Whatever is written is read back, except what XML has no way to say. */
  @Test
  void anyTextIsReadBack() {
    SeededCases.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(30); i > 0; i--) {
            text.appendCodePoint(
                random.nextBoolean()
                    ? SPECIAL.charAt(random.nextInt(SPECIAL.length()))
                    : random.nextInt(0x110000));
          }
          // As the text is: two lone surrogates side by side are a character after all.
          String expected = replaced(text.toString());
          Element read =
              parse(new Xml().element("p", text.toString(), "title", text.toString()).toString());
          assertThat(read.getTextContent()).isEqualTo(expected);
          assertThat(read.getAttribute("title"))
              .isEqualTo(expected.replace('\n', ' ').replace('\t', ' '));
          assertThat(read.getElementsByTagName("*").getLength()).isZero();
        });
  }

  @Test
  void marksThatTurnTheDirectionOfWritingAreReplaced() {
    assertThat(Xml.escape("abc\u202Etxt.exe")).isEqualTo("abc\uFFFDtxt.exe");
  }

  @Test
  void anElementLeftOpenIsADefect() {
    assertThatThrownBy(() -> new Xml().open("p").toString()).hasMessage("still open: [p]");
    assertThatThrownBy(() -> new Xml().open("p", "class"))
        .hasMessage("an attribute of p has no value");
  }

  static Element parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)))
        .getDocumentElement();
  }

  private static String replaced(String text) {
    StringBuilder expected = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          boolean allowed =
              c == '\n'
                  || c == '\t'
                  || (c >= 0x20 && c < 0x7F)
                  || (c >= 0xA0 && c < 0xD800)
                  || (c >= 0xE000 && c <= 0xFFFD)
                  || (c >= 0x10000 && c % 0x10000 < 0xFFFE);
          boolean turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
          expected.appendCodePoint(allowed && !turns ? c : 0xFFFD);
        });
    return expected.toString();
  }
}
