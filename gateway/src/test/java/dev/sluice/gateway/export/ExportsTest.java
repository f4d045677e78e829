package dev.sluice.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportsTest {
  private static Export export(String path, int id) {
    return new Export(
        path, new MemoryTree(id), "disk", false, Squash.of(Squash.Who.ROOT), List.of(), false);
  }

  private static @Nullable String found(Exports exports, String path) {
    Exports.Mountable found = exports.find(Objects.requireNonNull(MountPath.parse(path)));
    return found == null ? null : found.export().path() + " : " + found.directory();
  }

  @Test
  void theLongestPathIsTheOne() {
    Exports exports =
        new Exports(List.of(export("/a/b", 1), export("/a", 2), export("/a!", 3), export("/c", 4)));

    assertThat(found(exports, "/a")).isEqualTo("/a : ");
    assertThat(found(exports, "/a/x/y")).isEqualTo("/a : x/y");
    assertThat(found(exports, "/a/b")).isEqualTo("/a/b : ");
    assertThat(found(exports, "/a/b/c")).isEqualTo("/a/b : c");
    assertThat(found(exports, "/a/bc")).isEqualTo("/a : bc");
    assertThat(found(exports, "/ab")).isNull();
    assertThat(found(exports, "/")).isNull();
    exports.replace(List.of(export("/", 9)));
    assertThat(found(exports, "/a/b")).isEqualTo("/ : a/b");
    assertThat(found(exports, "/")).isEqualTo("/ : ");
  }

  @Test
  void pathsAreReadWithTheirClaim() {
    assertThat(MountPath.parse("/@4711/scratch/x")).isEqualTo(new MountPath("4711", "/scratch/x"));
    assertThat(MountPath.parse("//scratch/./x//")).isEqualTo(new MountPath(null, "/scratch/x"));
    assertThat(MountPath.parse("/@4711")).isEqualTo(new MountPath("4711", "/"));
    assertThat(MountPath.parse("/@/x")).isEqualTo(new MountPath("", "/x"));
    assertThat(MountPath.parse("/x/@4711")).isEqualTo(new MountPath(null, "/x/@4711"));
    assertThat(MountPath.parse("scratch")).isNull();
    assertThat(MountPath.parse("")).isNull();
    assertThat(MountPath.parse("/scratch/../etc")).isNull();
    assertThat(MountPath.parse("/@1/..")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "/x/", "//x", "/x/../y", "/./x", "/@1/x", "/@1"})
  void pathsOfExportsAreWrittenPlainly(String path) {
    assertThatThrownBy(() -> export(path, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + path + "\"");
  }

  @Test
  void noPathAndNoNumberTwice() {
    Exports exports = new Exports(List.of(export("/a", 1)));

    assertThatThrownBy(() -> exports.replace(List.of(export("/b", 1), export("/b", 2))))
        .hasMessage("exported twice: /b");
    assertThatThrownBy(() -> exports.replace(List.of(export("/b", 7), export("/c", 7))))
        .hasMessage("/b and /c have the same number: 7");
    assertThat(exports.all()).extracting(Export::path).containsExactly("/a");
  }

  @Test
  void everyNumberIsFoundAndNoOther() {
    SeededCases.forAll(
        200,
        random -> {
          Set<Integer> ids = new HashSet<>();
          List<Export> all = new ArrayList<>();
          for (int i = random.nextInt(20); i > 0; i--) {
            int id = random.nextBoolean() ? random.nextInt() : random.nextInt(-5, 5);
            if (ids.add(id)) {
              all.add(export("/" + i, id));
            }
          }
          Exports exports = new Exports(all);
          for (Export export : all) {
            assertThat(exports.byId(export.id())).isSameAs(export);
          }
          for (int other = -6; other < 6; other++) {
            assertThat(exports.byId(other) != null).isEqualTo(ids.contains(other));
          }
        });
  }

  /** Some export is for an address exactly when one of them, asked alone, is. */
  @Test
  void theClientsOfAllExportsTogether() {
    SeededCases.forAll(
        300,
        random -> {
          List<Export> all = new ArrayList<>();
          for (int id = random.nextInt(1, 6); id > 0; id--) {
            List<Network> clients =
                Stream.generate(() -> network(random)).limit(random.nextInt(1, 5)).toList();
            all.add(forClients("/" + id, id, clients));
          }
          Exports exports = new Exports(all);
          for (int i = 0; i < 20; i++) {
            ClientAddress client = address(random);
            boolean some =
                all.stream()
                    .flatMap(export -> export.clients().stream())
                    .anyMatch(network -> network.contains(client));
            assertThat(exports.admitsAnyFrom(client)).as("%s of %s", client, all).isEqualTo(some);
          }
        });
  }

  @Test
  void whoIsAdmittedFollowsTheExports() {
    ClientAddress client = ClientAddress.parse("10.1.0.3");
    List<Network> others = List.of(Network.parse("10.2.0.0/16"));
    Exports exports = new Exports(List.of(forClients("/a", 1, others)));
    assertThat(exports.admitsAnyFrom(client)).isFalse();
    exports.replace(
        List.of(
            forClients("/a", 1, others), forClients("/b", 2, List.of(Network.parse("10.1.0.3")))));
    assertThat(exports.admitsAnyFrom(client)).isTrue();
    exports.replace(List.of(forClients("/a", 1, others)));
    assertThat(exports.admitsAnyFrom(client)).isFalse();
    exports.replace(List.of(forClients("/a", 1, others), export("/everybody", 2)));
    assertThat(exports.admitsAnyFrom(client)).isTrue();
  }

  private static Export forClients(String path, int id, List<Network> clients) {
    return new Export(
        path, new MemoryTree(id), "disk", false, Squash.of(Squash.Who.ROOT), clients, false);
  }

  /** From few addresses, so that networks and clients often meet. */
  private static ClientAddress address(RandomGenerator random) {
    return ClientAddress.parse(
        random.nextBoolean()
            ? "10.1." + random.nextInt(3) + "." + random.nextInt(8)
            : "fd00::" + random.nextInt(3) + ":" + random.nextInt(8));
  }

  private static Network network(RandomGenerator random) {
    return Network.around(address(random), random.nextInt(100, 129));
  }
}
