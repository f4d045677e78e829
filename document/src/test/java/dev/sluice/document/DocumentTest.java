package dev.sluice.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {
  private static final String TEXT =
      """
      name: storm
      rates: {read: 200 MB/s, period: 100 ms}
      jobs:
        - {id: a, nodes: 3}
        - {id: b, nodes: 0}
      """;

  @Test
  void readsYamlAndJsonAlike() {
    for (String text :
        new String[] {"a: {b: [1, 2.5, true]}", "{\"a\": {\"b\": [1, 2.5, true]}}"}) {
      DocumentMap map = Documents.parse("x", text).map("a").required("a").map("b");
      assertThat(map.required("b").list().get(0).whole(0, 9)).isEqualTo(1);
      assertThat(map.required("b").list().get(1).number(0, 9)).isEqualTo(2.5);
      assertThat(map.required("b").list().get(2).bool()).isTrue();
      assertThat(map.optional("c")).isNull();
    }
  }

  @Test
  void errorsNamePlaceValueAndExpectation() {
    fails(
        root -> root.map("name", "rates", "job"),
        "x.yaml:3:1: \"jobs\": expected one of name, rates, job; did you mean job?");
    fails(
        root -> open(root).required("rates").map("read", "period").required("write"),
        "x.yaml:2:8: rates: a mapping: expected the key \"write\"");
    fails(
        root -> open(root).required("name").whole(1, 5),
        "x.yaml:1:7: name: \"storm\": expected a whole number from 1 to 5");
    fails(
        root -> open(root).required("jobs").list().get(1).openMap().required("nodes").whole(1, 5),
        "x.yaml:5:20: nodes: \"0\": expected a whole number from 1 to 5");
    fails(
        root -> open(root).required("jobs").map("a"),
        "x.yaml:4:3: jobs: a list: expected a mapping of keys to values");
    fails(
        root -> open(root).required("name").list(), "x.yaml:1:7: name: \"storm\": expected a list");
    fails(
        root -> open(root).required("name").rate(),
        "x.yaml:1:7: name: \"storm\": expected a rate such as 1000 tokens/s, 20 kops/s or 200"
            + " MB/s");
    fails(
        root -> open(root).required("rates").openMap().required("period").durationNanos(1, 1000),
        "x.yaml:2:33: period: \"100 ms\": expected a duration from 1 ns to 1 us");
    fails(
        root -> open(root).required("name").bool(),
        "x.yaml:1:7: name: \"storm\": expected true or false");
    fails(
        root -> open(root).required("name").number(0, 1),
        "x.yaml:1:7: name: \"storm\": expected a number from 0 to 1");
    fails(
        root -> open(root).required("jobs").text(),
        "x.yaml:4:3: jobs: a list: expected a single value");
  }

  private static DocumentMap open(DocumentNode root) {
    return root.openMap();
  }

  private static void fails(Consumer<DocumentNode> reader, String message) {
    assertThatThrownBy(() -> reader.accept(Documents.parse("x.yaml", TEXT)))
        .isInstanceOf(DocumentException.class)
        .hasMessage(message);
  }

  @Test
  void whatIsNoDocumentIsRefusedWithItsPlace() {
    refused("a: [1, 2", "x.yaml:1:9: ");
    refused("a: 1\na: 2", "x.yaml:2:1: \"a\": the key is there already");
    refused("", "x.yaml:1:1: the document is empty");
    refused("a: &x 1\nb: *x", "anchors and aliases are not supported");
    refused("? [1]\n: 2", "x.yaml:1:3: expected a single word as the key");
    refused("a: \u0007", "x.yaml");
    refused("[".repeat(200_000), "x.yaml");
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> Documents.parse("x.yaml", text).openMap())
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void filesThatCannotBeReadAreNamed(@TempDir Path directory) throws Exception {
    InputStream nothing = InputStream.nullInputStream();
    assertThatThrownBy(() -> Documents.read(directory.resolve("none.yaml").toString(), nothing))
        .hasMessageEndingWith("none.yaml: no such file");
    assertThatThrownBy(() -> Documents.read(directory.toString(), nothing))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("cannot be read");
    Path binary =
        Files.write(directory.resolve("b.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> Documents.read(binary.toString(), nothing))
        .hasMessageContaining("is not UTF-8 text");
    InputStream standard = new ByteArrayInputStream("a: x".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> Documents.read("-", standard).map("b"))
        .hasMessageStartingWith("standard input:1:1: ");
  }

  /** Whatever bytes come in: a document, or a DocumentException of one line. */
  @Test
  void noTextMakesItFailInAnyOtherWay() {
    String alphabet = "{}[]:,-\n \"'ab1&*#|>%@`!\t?~";
    SeededCases.forAll(
        20_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(40); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
          }
          try {
            Documents.parse("x", text.toString()).openMap().entries();
          } catch (DocumentException e) {
            assertThat(e.getMessage()).doesNotContain("\n").startsWith("x");
          }
        });
  }
}
