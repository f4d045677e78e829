package dev.sluice.control.access;

import dev.sluice.control.v1.NodeRoster;
import dev.sluice.control.v1.NodeToken;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.SecretToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows the agents of an aggregator by what its controller tells it of them: who they are, who was
 * revoked, and what their tokens are. What it knows by itself, from certificates and from a list of
 * its own, counts besides. Until it was told, nobody else is refused than by what it knows itself.
 * Safe for many threads.
 */
public final class ToldNodes implements MemberAuthenticator {
  private final String aggregator;
  private final MemberAuthenticator own;
  private volatile Told told = new Told(null, Set.of(), Map.of(), 0);

  /** What was told, so that it can be asked quickly; no nodes at all where nothing was told. */
  private record Told(
      @Nullable Set<String> nodes,
      Set<String> revoked,
      Map<String, List<NodeToken>> tokens,
      long version) {}

  ToldNodes(String aggregator, MemberAuthenticator own) {
    this.aggregator = aggregator;
    this.own = own;
  }

  /** Goes by this from now on, also for those who are connected. */
  public void told(NodeRoster roster) {
    Map<String, List<NodeToken>> tokens = new HashMap<>();
    roster
        .getTokensList()
        .forEach(
            token -> tokens.computeIfAbsent(token.getNode(), _ -> new ArrayList<>()).add(token));
    told =
        new Told(
            Set.copyOf(roster.getNodesList()),
            Set.copyOf(roster.getRevokedList()),
            tokens,
            told.version + 1);
  }

  @Override
  public long version() {
    // Both only ever go up.
    return own.version() + told.version;
  }

  @Override
  public Identity identify(Credentials offered) {
    Told now = told;
    String claimed = offered.claimedName();
    if (now.nodes != null && !now.nodes.contains(claimed)) {
      return new Identity.Unknown(claimed + " is not one of the nodes of " + aggregator);
    }
    if (now.revoked.contains(claimed)) {
      return new Identity.Unknown(claimed + " was revoked");
    }
    Identity byItself = own.identify(offered);
    String token = offered.token();
    return token != null
            && byItself instanceof Identity.Unknown
            && offered.certificateNames().isEmpty()
        ? byToken(claimed, SecretToken.shown(token), now, byItself)
        : byItself;
  }

  private static Identity byToken(String claimed, SecretToken token, Told now, Identity otherwise) {
    for (NodeToken known : now.tokens.getOrDefault(claimed, List.of())) {
      if (isOf(token, known)) {
        Instant until =
            known.getUntilSeconds() == 0 ? null : Instant.ofEpochSecond(known.getUntilSeconds());
        return until != null && !Instant.now().isBefore(until)
            ? new Identity.Unknown("its token ended at " + until)
            : new Identity.Known(claimed, Mandate.AGENT, until);
      }
    }
    return otherwise;
  }

  private static boolean isOf(SecretToken token, NodeToken known) {
    try {
      return token.hasDigest(known.getSha256());
    } catch (IllegalArgumentException e) {
      // No digest, then, and nobody's.
      return false;
    }
  }
}
