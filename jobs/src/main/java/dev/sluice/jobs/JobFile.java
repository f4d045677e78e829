package dev.sluice.jobs;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.ShareGroupingReader;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the jobs that run from a YAML file, for sites that have no batch system to ask:
 *
 * <pre>
 * jobs:
 *   4711: {name: lammps, user: alice, uid: 1001, nodes: 4, addresses: [10.1.0.16/28], weight: 2}
 *   4712: {user: bob, uid: 1002, account: physics, addresses: [10.1.0.4], node-names: n004}
 * </pre>
 */
public final class JobFile {
  /** The largest number of a user; the one above it means nobody. */
  private static final long UID_MAX = 0xffff_fffeL;

  private static final int ADDRESSES_MAX = 100_000;

  private JobFile() {}

  /** Reads a file; throws {@link DocumentException} for what is wrong, with its place. */
  public static List<Job> read(Path file) {
    return jobs(Documents.read(file.toString(), InputStream.nullInputStream()));
  }

  /** Reads a text; {@code name} is what errors call it. */
  public static List<Job> parse(String name, String text) {
    return jobs(Documents.parse(name, text));
  }

  private static List<Job> jobs(DocumentNode root) {
    DocumentMap written = root.map("jobs").required("jobs").openMap();
    List<Job> jobs = new ArrayList<>();
    for (Map.Entry<String, DocumentNode> entry : written.entries().entrySet()) {
      jobs.add(job(id(written, entry.getKey()), entry.getValue()));
    }
    return jobs;
  }

  private static JobId id(DocumentMap written, String key) {
    try {
      return JobId.of(key);
    } catch (IllegalArgumentException e) {
      throw written.keyError(key, String.valueOf(e.getMessage()));
    }
  }

  private static Job job(JobId id, DocumentNode node) {
    DocumentMap map =
        node.map("name", "user", "uid", "nodes", "addresses", "weight", "account", "node-names");
    DocumentNode uidNode = map.optional("uid");
    OptionalInt uid =
        uidNode == null ? OptionalInt.empty() : OptionalInt.of((int) uidNode.whole(0, UID_MAX));
    DocumentNode name = map.optional("name");
    Set<String> nodeNames = nodeNames(map.optional("node-names"));
    try {
      return new Job(
          id,
          name == null ? "" : name.text(),
          user(map, uid),
          uid,
          claim(map.optional("nodes")).orElse(Math.max(1, nodeNames.size())),
          addresses(map.optional("addresses")),
          claim(map.optional("weight")),
          ShareGroupingReader.name(map.optional("account"), ""),
          nodeNames);
    } catch (IllegalArgumentException e) {
      // Name and user together are an id, too.
      throw (name == null ? node : name).error(String.valueOf(e.getMessage()));
    }
  }

  private static Set<String> nodeNames(@Nullable DocumentNode node) {
    return node == null
        ? Set.of()
        : Set.copyOf(node.<List<String>>parsed(text -> Hostlist.expand(text, ADDRESSES_MAX)));
  }

  private static OptionalLong claim(@Nullable DocumentNode node) {
    return node == null ? OptionalLong.empty() : OptionalLong.of(node.whole(1, JobClaim.NODES_MAX));
  }

  private static String user(DocumentMap map, OptionalInt uid) {
    DocumentNode user = map.optional("user");
    if (user != null) {
      return user.text();
    }
    // Without either it is the job of everybody at its addresses.
    return uid.isEmpty() ? "" : Integer.toUnsignedString(uid.getAsInt());
  }

  private static List<Network> addresses(@Nullable DocumentNode node) {
    List<Network> networks = new ArrayList<>();
    if (node != null) {
      List<DocumentNode> items = node.list();
      if (items.size() > ADDRESSES_MAX) {
        throw node.error("expected at most " + ADDRESSES_MAX + " addresses");
      }
      items.forEach(item -> networks.add(item.parsed(Network::parse)));
    }
    return networks;
  }
}
