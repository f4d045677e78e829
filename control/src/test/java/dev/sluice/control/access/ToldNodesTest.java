package dev.sluice.control.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.v1.NodeRoster;
import dev.sluice.control.v1.NodeToken;
import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.AccessList;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.NodeNames;
import dev.sluice.store.keys.SecretToken;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a controller tells an aggregator of its nodes, and what comes of it. */
class ToldNodesTest {
  @TempDir private Path directory;

  private static Credentials by(
      String name, List<String> certificate, @Nullable SecretToken token) {
    return new Credentials(name, "here", certificate, token == null ? null : token.reveal());
  }

  @Test
  void anAggregatorKnowsItsNodesByWhatItsControllerTells() {
    KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
    keys.make(List.of());
    keys.assign("rack", new AccessList.Assignment.Aggregator(NodeNames.parse("n[1-4]")));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    SecretToken own = keys.addToken("n1", null, Duration.ofHours(1), now);
    SecretToken over = keys.addToken("n2", null, Duration.ofHours(1), now.minusSeconds(7_200));
    keys.addToken("n5", null, null, now);
    keys.addToken("n4", null, null, now);
    keys.revoke("n4");
    NodeRoster roster =
        Objects.requireNonNull(new ListedMembers(new AccessFile(keys.accessFile())).roster("rack"));

    assertThat(roster.getNodesList()).containsExactly("n1", "n2", "n3", "n4");
    assertThat(roster.getRevokedList()).containsExactly("n4");
    assertThat(roster.getTokensList()).extracting(NodeToken::getNode).containsExactly("n1", "n2");
    assertThat(new ListedMembers(new AccessFile(keys.accessFile())).roster("n1")).isNull();

    // Without a list beside its keys, and before it was told, certificates count.
    ToldNodes told = KeyFiles.ofAggregator(directory, "rack");
    assertThat(told.identify(by("n9", List.of("n9"), null)))
        .isEqualTo(new Identity.Known("n9", Mandate.AGENT, null));
    assertThat(told.identify(by("n1", List.of(), own))).isInstanceOf(Identity.Unknown.class);
    long version = told.version();
    told.told(roster);
    assertThat(told.version()).isGreaterThan(version);

    assertThat(told.identify(by("n9", List.of("n9"), null)))
        .isEqualTo(new Identity.Unknown("n9 is not one of the nodes of rack"));
    assertThat(told.identify(by("n4", List.of("n4"), null)))
        .isEqualTo(new Identity.Unknown("n4 was revoked"));
    assertThat(told.identify(by("n3", List.of("n3"), null)))
        .isEqualTo(new Identity.Known("n3", Mandate.AGENT, null));
    assertThat(told.identify(by("n1", List.of(), own)))
        .isEqualTo(new Identity.Known("n1", Mandate.AGENT, now.plusSeconds(3_600)));
    assertThat(told.identify(by("n3", List.of(), own))).isInstanceOf(Identity.Unknown.class);
    assertThat(told.identify(by("n1", List.of("n3"), own))).isInstanceOf(Identity.Unknown.class);
    assertThat(told.identify(by("n2", List.of(), over)))
        .isEqualTo(new Identity.Unknown("its token ended at " + now.minusSeconds(3_600)));
  }
}
