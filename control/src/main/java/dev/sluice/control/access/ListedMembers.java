package dev.sluice.control.access;

import dev.sluice.control.v1.NodeRoster;
import dev.sluice.control.v1.NodeToken;
import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.AccessList;
import dev.sluice.store.keys.Mandate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows members by their certificates, and by a list that is read again when it changes. */
final class ListedMembers implements MemberAuthenticator {
  private final AccessFile access;

  ListedMembers(AccessFile access) {
    this.access = access;
  }

  @Override
  public Identity identify(Credentials offered) {
    return switch (access.node(
        offered.claimedName(), offered.certificateNames(), offered.token())) {
      case AccessFile.Verdict.Node(var name, var mandate, var until) ->
          new Identity.Known(name, mandate, until);
      case AccessFile.Verdict.Refused(var reason) -> new Identity.Unknown(reason);
    };
  }

  @Override
  public long version() {
    return access.version();
  }

  @Override
  public @Nullable NodeRoster roster(String aggregator) {
    AccessList list = access.current();
    Mandate mandate = list.mandate(aggregator);
    if (!mandate.kinds().contains(Mandate.Kind.AGGREGATOR)) {
      return null;
    }
    Set<String> nodes = mandate.nodes();
    NodeRoster.Builder roster = NodeRoster.newBuilder();
    nodes.stream().sorted().forEach(roster::addNodes);
    list.revoked().stream().filter(nodes::contains).sorted().forEach(roster::addRevoked);
    for (AccessList.Holder holder : list.holders()) {
      if (holder.role() == null && nodes.contains(holder.name())) {
        roster.addTokens(
            NodeToken.newBuilder()
                .setNode(holder.name())
                .setSha256(holder.digestHex())
                .setUntilSeconds(holder.until() == null ? 0 : holder.until().getEpochSecond()));
      }
    }
    return roster.build();
  }
}
