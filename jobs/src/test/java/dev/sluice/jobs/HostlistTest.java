package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostlistTest {
  private static final int MANY = 10_000;

  @Test
  void writtenOutAsSlurmDoes() {
    assertThat(Hostlist.expand("", MANY)).isEmpty();
    assertThat(Hostlist.expand("login", MANY)).containsExactly("login");
    assertThat(Hostlist.expand("n[00-03]", MANY)).containsExactly("n00", "n01", "n02", "n03");
    assertThat(Hostlist.expand("n[8-11]", MANY)).containsExactly("n8", "n9", "n10", "n11");
    assertThat(Hostlist.expand("n[098-101]", MANY)).containsExactly("n098", "n099", "n100", "n101");
    assertThat(Hostlist.expand("n[1,3-4],login,gpu-[7]", MANY))
        .containsExactly("n1", "n3", "n4", "login", "gpu-7");
    assertThat(Hostlist.expand("r[1-2]n[0-1]-ib", MANY))
        .containsExactly("r1n0-ib", "r1n1-ib", "r2n0-ib", "r2n1-ib");
    assertThat(Hostlist.expand("a,a,a[1,1]", MANY)).containsExactly("a", "a1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n[",
        "n]",
        "n[]",
        "n[1",
        "n[1-]",
        "n[-1]",
        "n[2-1]",
        "n[a]",
        "n[1-2-3]",
        "n[[1]]",
        "n[1]]",
        "a,,b",
        ",a",
        "a,",
        "a b",
        "a\nb",
        "n[1 ]",
        "n[1234567890123456789]",
        "n[+1]",
        "n[٣]"
      })
  void whatIsNoneIsRefusedWithTheReason(String expression) {
    assertThatThrownBy(() -> Hostlist.expand(expression, MANY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("host list");
  }

  /** What stands for more than anybody has is refused before it is written out. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "n[0-10000]",
        "n[0-999999999999999999]",
        "a[0-9]b[0-9]c[0-9]d[0-9]e[0-9]f[0-9]g[0-9]h[0-9]",
        "a[0-99]b[0-100]c",
        "a[0-9999],b"
      })
  void tooManyAreRefusedAtOnce(String expression) {
    assertThatThrownBy(() -> Hostlist.expand(expression, MANY))
        .hasMessageContaining("at most 10000 names");
  }

  @Test
  void whatWasCompressedExpandsToTheSameNames() {
    SeededCases.forAll(
        3_000,
        random -> {
          Set<String> names = names(random);
          String expression = Hostlist.compress(names);
          assertThat(new HashSet<>(Hostlist.expand(expression, MANY)))
              .as(expression)
              .isEqualTo(names);
        });
  }

  @Test
  void neighboursAreWrittenAsOneRange() {
    assertThat(Hostlist.compress(List.of("n02", "n00", "n01", "m7"))).isEqualTo("n[00-02],m7");
    assertThat(Hostlist.compress(List.of("n9", "n10", "n12", "x"))).isEqualTo("x,n[9-10,12]");
    assertThat(Hostlist.compress(List.of())).isEmpty();
  }

  /** Whatever is written, it is a list within its bounds or a refusal, and soon. */
  @Test
  void everyTextIsExpandedOrRefused() {
    String letters = "n0123[]-,,,[[]]9a .\u0000é";
    SeededCases.forAll(
        20_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int length = random.nextInt(24); length > 0; length--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
          }
          try {
            List<String> names = Hostlist.expand(text.toString(), 100);
            assertThat(names).hasSizeLessThanOrEqualTo(100).doesNotHaveDuplicates();
            assertThat(new HashSet<>(Hostlist.expand(Hostlist.compress(names), 100)))
                .isEqualTo(new HashSet<>(names));
          } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("host list \"");
          }
        });
  }

  private static Set<String> names(RandomGenerator random) {
    List<String> prefixes = List.of("n", "gpu-", "r1n", "x0", "login");
    Set<String> names = new HashSet<>();
    for (int count = random.nextInt(40); count > 0; count--) {
      String prefix = prefixes.get(random.nextInt(prefixes.size()));
      long number = random.nextBoolean() ? random.nextInt(20) : random.nextLong(1L << 59);
      names.add(
          switch (random.nextInt(4)) {
            case 0 -> prefix;
            case 1 -> prefix + number;
            case 2 -> prefix + String.format(Locale.ROOT, "%03d", number);
            default -> prefix + String.format(Locale.ROOT, "%02d", number) + "s";
          });
    }
    return new HashSet<>(new ArrayList<>(names));
  }
}
