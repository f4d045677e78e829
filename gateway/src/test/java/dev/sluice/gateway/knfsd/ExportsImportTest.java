package dev.sluice.gateway.knfsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.document.DocumentException;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.testkit.SeededCases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ExportsImportTest {
  private static final HostNames NAMES =
      new HostNames() {
        private final Map<String, List<String>> hosts =
            Map.of(
                "login1", List.of("10.0.0.11"),
                "login2", List.of("10.0.0.12", "fd00::12"),
                "backup", List.of("10.9.0.1"));

        @Override
        public List<ClientAddress> addresses(String host) {
          return hosts.getOrDefault(host, List.of()).stream().map(ClientAddress::parse).toList();
        }

        @Override
        public List<String> members(String netgroup) {
          return netgroup.equals("logins") ? List.of("login1", "login2", "login3") : List.of();
        }
      };

  private static String imported(String content) {
    ExportsImport imported = new ExportsImport(NAMES);
    imported.add("exports", content.getBytes(StandardCharsets.UTF_8));
    return imported.text();
  }

  /** What serve makes of the text. */
  private static List<ExportConfiguration> read(String text) {
    return ConfigurationReader.parse("sluice.yaml", text, Path.of("/nowhere")).exports();
  }

  private static ExportConfiguration only(String content) {
    List<ExportConfiguration> exports = read(imported(content));
    assertThat(exports).hasSize(1);
    return exports.getFirst();
  }

  private static List<String> clients(ExportConfiguration export) {
    return export.clients().stream().map(Network::toString).toList();
  }

  @Test
  void theUsualFileIsSaidInAGatewaysWords() {
    String text =
        imported(
            """
            # comment
            /srv/home   10.1.0.0/16(rw,sync,no_subtree_check) \\
                        10.2.0.0/255.255.0.0(rw)
            "/srv/two words" *(ro,all_squash,anonuid=501,anongid=502,insecure)
            /srv/tab\\040s\\303\\251 -rw,no_root_squash login1 fd00::/8 # all of them
            """);
    List<ExportConfiguration> exports = read(text);
    assertThat(exports)
        .extracting(ExportConfiguration::path)
        .containsExactly("/srv/home", "/srv/two words", "/srv/tab sé");
    ExportConfiguration home = exports.get(0);
    assertThat(home.directory()).isEqualTo(Path.of("/srv/home"));
    assertThat(home.readOnly()).isFalse();
    assertThat(home.squash()).isEqualTo(ExportConfiguration.Squash.ROOT);
    assertThat(home.privilegedPorts()).isTrue();
    assertThat(clients(home)).containsExactly("10.1.0.0/16", "10.2.0.0/16");
    ExportConfiguration words = exports.get(1);
    assertThat(words.readOnly()).isTrue();
    assertThat(words.squash()).isEqualTo(ExportConfiguration.Squash.ALL);
    assertThat(words.anonymousUid()).isEqualTo(501);
    assertThat(words.anonymousGid()).isEqualTo(502);
    assertThat(words.privilegedPorts()).isFalse();
    assertThat(words.clients()).containsExactly(Network.parse("::/0"));
    ExportConfiguration tabs = exports.get(2);
    assertThat(tabs.squash()).isEqualTo(ExportConfiguration.Squash.NONE);
    assertThat(tabs.readOnly()).isFalse();
    assertThat(tabs.clients())
        .containsExactlyInAnyOrder(Network.parse("10.0.0.11"), Network.parse("fd00::/8"));
    assertThat(text).contains("# exports:5:42: login1: 10.0.0.11 now");
  }

  @Test
  void whatIsNotWrittenHasTheKernelsDefault() {
    ExportConfiguration export = only("/srv 10.1.2.3\n");
    assertThat(export.readOnly()).isTrue();
    assertThat(export.squash()).isEqualTo(ExportConfiguration.Squash.ROOT);
    assertThat(export.anonymousUid()).isEqualTo(65_534);
    assertThat(export.privilegedPorts()).isTrue();
    assertThat(only("/srv").clients()).as("nobody named").containsExactly(Network.parse("::/0"));
    assertThat(only("/srv/ *").path()).isEqualTo("/srv");
    assertThat(only("/ *").path()).isEqualTo("/");
    assertThat(only("/srv *(anonuid=-2)").anonymousUid()).isEqualTo(-2);
  }

  /** A blank before the options is the oldest mistake: the host has none, everybody has them. */
  @Test
  void aBlankBeforeOptionsMeansEverybody() {
    List<ExportConfiguration> exports = read(imported("/srv 10.1.2.3 (rw)\n"));
    assertThat(exports).hasSize(2);
    assertThat(exports.get(0).readOnly()).isFalse();
    assertThat(exports.get(0).clients()).doesNotContain(Network.parse("10.1.2.3"));
    assertThat(exports.get(1).readOnly()).isTrue();
    assertThat(clients(exports.get(1))).containsExactly("10.1.2.3/32");
  }

  @Test
  void eachOptionWithoutCounterpartHasAComment() {
    String text =
        imported("/srv 10.1.0.0/16(rw,async,subtree_check,fsid=0,crossmnt,refer=/x@y,sync,hide)\n");
    assertThat(text)
        .contains("# exports:1:6: async: ")
        .contains("subtree_check: ")
        .contains("fsid=0: this is no root for version 4")
        .contains("crossmnt: ")
        .contains("refer=/x@y: ")
        .doesNotContain(" sync:")
        .doesNotContain("hide:");
    assertThat(read(text)).hasSize(1);
  }

  @Test
  void flavoursOfSecurityHaveOptionsOfTheirOwn() {
    assertThat(only("/srv 10.1.0.0/16(sec=krb5:krb5p,rw,sec=sys,ro,no_root_squash)").readOnly())
        .isTrue();
    assertThat(only("/srv 10.1.0.0/16(rw,sec=krb5,ro,sec=sys)").readOnly()).isFalse();
    ExportConfiguration anonymous = only("/srv 10.1.0.0/16(rw,no_root_squash,sec=none)");
    assertThat(anonymous.squash()).isEqualTo(ExportConfiguration.Squash.ALL);
    String text = imported("/srv 10.1.0.0/16(rw,sec=krb5p)\n");
    assertThat(text).contains("10.1.0.0/16 is left out").contains("there is no Kerberos here yet");
    assertThat(clients(read(text).getFirst())).as("this machine").containsExactly("127.0.0.1/32");
    assertThat(imported("/srv 10.1.0.0/16(rw,xprtsec=mtls)")).contains("there is no TLS here");
  }

  @Test
  void whoMayNotComeInMayNotByTheNetworkAround() {
    ExportConfiguration export = only("/srv 10.1.0.0/30(rw) 10.1.0.1(rw,sec=krb5)");
    assertThat(export.clients())
        .containsExactlyInAnyOrder(Network.parse("10.1.0.0"), Network.parse("10.1.0.2/31"));
  }

  @Test
  void namesBecomeTheAddressesThatTheyHave() {
    String text = imported("/srv @logins(rw) backup(rw)\n");
    ExportConfiguration export = read(text).getFirst();
    assertThat(export.clients())
        .containsExactlyInAnyOrder(
            Network.parse("10.9.0.1"),
            Network.parse("10.0.0.11"),
            Network.parse("10.0.0.12"),
            Network.parse("fd00::12"));
    assertThat(text).contains("unknown: login3");
    String unknown = imported("/srv nosuch(rw) *.example.org(rw,no_root_squash) @empty\n");
    assertThat(unknown)
        .contains("nosuch: nobody knows its address")
        .contains("*.example.org: patterns of names are not known here")
        .contains("@empty: nobody knows such hosts")
        .contains("nobody but this machine");
    assertThat(clients(read(unknown).getFirst())).containsExactly("127.0.0.1/32");
  }

  @Test
  void aClientThatFallsUnderOthersOptionsIsShouted() {
    assertThat(imported("/srv *.lab(ro) *(rw)")).contains("ATTENTION: exports:1:6: *.lab");
    assertThat(imported("/srv *.lab(rw) *(rw)")).doesNotContain("ATTENTION");
    assertThat(imported("/srv *.lab(ro) 10.0.0.0/8(rw)"))
        .as("a network comes before a pattern for the kernel too")
        .doesNotContain("ATTENTION");
  }

  @Test
  void otherOptionsAreUnderAnotherPathThatIsFree() {
    String text =
        imported("/srv 10.1.0.0/16(rw) 10.1.0.5(rw,no_root_squash)\n/srv.2 10.1.0.0/16(ro)\n");
    List<ExportConfiguration> exports = read(text);
    assertThat(exports)
        .extracting(ExportConfiguration::path)
        .containsExactly("/srv", "/srv.3", "/srv.2");
    assertThat(exports.get(1).directory()).isEqualTo(Path.of("/srv"));
    assertThat(clients(exports.get(1))).containsExactly("10.1.0.5/32");
    assertThat(text).contains("these clients mount /srv.3");
  }

  private static void refuses(String content, String message) {
    assertThatThrownBy(() -> imported(content))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatCannotBeReadIsRefusedWithItsPlace() {
    refuses("/srv *(rw)\nsrv *(rw)", "exports:2:1: \"srv\": expected a directory");
    refuses("/srv *(rw,nosuchoption)", "exports:1:11: \"nosuchoption\": expected an option");
    refuses("/srv *(rw,root_sqash)", "did you mean root_squash?");
    refuses("/srv \\\n  *(rw,anonuid=many)", "exports:2:8: \"anonuid=many\": expected a number");
    refuses("/srv *(anonuid=4294967295)", "expected a number of 0 to 4294967294");
    refuses("/srv *(rw, sync)", "exports:1:7: \"(rw,\": expected options in parentheses");
    refuses("/srv host)", "exports:1:6: \"host)\": expected ( before )");
    refuses("\"/srv *(rw)", "exports:1:1: expected another \"");
    refuses("/srv/../etc *", "expected a directory without");
    refuses("/srv 10.1.0.0/33", "expected a network such as");
    refuses("/srv 10.1.0.0/255.0.255.0", "expected a network such as");
    refuses("/srv 10.1.0(rw)", "exports:1:6: \"10.1.0\": expected an IPv4 or IPv6 address");
    refuses("/srv ho$t", "expected a host");
    refuses("/srv *(sec=tls)", "expected flavours such as sys");
    refuses("/@4711 *", "does not begin with /@");
    refuses("/\\377 *", "expected text in UTF-8");
  }

  @Test
  void tooManyExceptionsAreRefused() {
    StringBuilder content = new StringBuilder("/srv *(rw)");
    for (int host = 0; host < 4_000; host++) {
      content.append(" 10.").append(host % 250).append('.').append(host / 250).append(".1(ro)");
    }
    refuses(content.toString(), "exports:1:6: \"*\": its options differ");
  }

  /**
   * Whatever is written: it is read, or refused with a place; and what is read, a gateway takes.
   */
  @Test
  void nothingElseComesOfAnyText() {
    String letters = "/srv *(),-=\\\"#\n\t01239.:abcdrowsync@[é";
    int[] taken = new int[1];
    SeededCases.forAll(
        3_000,
        random -> {
          StringBuilder text = new StringBuilder("/a");
          for (int left = random.nextInt(40); left > 0; left--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
          }
          try {
            read(imported(text.toString()));
            taken[0]++;
          } catch (DocumentException e) {
            assertThat(e).hasMessageMatching("exports:\\d+:\\d+: .*");
          }
        });
    if (Long.getLong("sluice.seed") == null) {
      assertThat(taken[0]).isBetween(100, 2_900);
    }
  }

  /** A client that was drawn, and what the kernel's server would let it do. */
  private record Drawn(String text, int rank, List<Network> networks, String rights) {}

  private static Drawn drawn(RandomGenerator random) {
    int a = random.nextInt(4);
    int b = random.nextInt(4);
    String client;
    int rank;
    Network network;
    switch (random.nextInt(4)) {
      case 0 -> {
        client = "10.0." + a + "." + b;
        rank = 0;
        network = Network.parse(client);
      }
      case 1 -> {
        client = "10.0." + a + ".0/24";
        rank = 1;
        network = Network.parse(client);
      }
      case 2 -> {
        client = "10.0." + a + "." + (b & 2) + "/255.255.255.254";
        rank = 1;
        network = Network.parse("10.0." + a + "." + (b & 2) + "/31");
      }
      default -> {
        client = "*";
        rank = 4;
        network = Network.parse("::/0");
      }
    }
    boolean writes = random.nextBoolean();
    String squash = List.of("root_squash", "no_root_squash", "all_squash").get(random.nextInt(3));
    String rights =
        (writes ? "rw " : "ro ")
            + switch (squash) {
              case "no_root_squash" -> "none";
              case "all_squash" -> "all";
              default -> "root";
            };
    return new Drawn(
        client + "(" + (writes ? "rw," : "") + squash + ",sync)", rank, List.of(network), rights);
  }

  /** Every address has the rights under one path that the kernel's server would give it. */
  @Test
  void everyAddressHasWhatItHadAndOnlyThat() {
    SeededCases.forAll(
        500,
        random -> {
          List<Drawn> drawn = new ArrayList<>();
          for (int left = random.nextInt(1, 7); left > 0; left--) {
            drawn.add(drawn(random));
          }
          StringBuilder content = new StringBuilder("/srv");
          drawn.forEach(one -> content.append(' ').append(one.text));
          List<ExportConfiguration> exports = read(imported(content.toString()));
          List<String> asked = new ArrayList<>(List.of("fd00::1", "10.1.0.0", "127.0.0.1"));
          for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 5; b++) {
              asked.add("10.0." + a + "." + b);
            }
          }
          for (String address : asked) {
            ClientAddress client = ClientAddress.parse(address);
            List<String> given =
                exports.stream()
                    .filter(export -> export.clients().stream().anyMatch(n -> n.contains(client)))
                    .map(ExportsImportTest::rights)
                    .toList();
            List<String> before =
                drawn.stream()
                    .filter(one -> one.networks.getFirst().contains(client))
                    .sorted(Comparator.comparingInt(Drawn::rank))
                    .map(Drawn::rights)
                    .limit(1)
                    .toList();
            assertThat(given).as(address + " by " + content).isEqualTo(before);
          }
        });
  }

  private static String rights(ExportConfiguration export) {
    return (export.readOnly() ? "ro " : "rw ") + export.squash().name().toLowerCase(Locale.ROOT);
  }
}
