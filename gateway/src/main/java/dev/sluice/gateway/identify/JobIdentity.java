package dev.sluice.gateway.identify;

import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.rpc.Admission;
import dev.sluice.gateway.rpc.Admissions;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.nfs.rpc.Credential;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Says which job a call is charged to. In this order: the job that the mount path claims, if the
 * directory knows the client as one of its nodes (or claims are trusted); the job that the
 * directory has for this address and user; the user; the address. The rules have the last word.
 *
 * <p>The answer is the same for all calls of one user from one address to one export, so it is kept
 * in a table of fixed size, in which a search takes no lock and leaves no garbage. What was kept
 * before the directory or anything else changed is not used again, nor is what was worked out with
 * a number for a name once the name is there.
 */
public final class JobIdentity implements Admissions {
  /** Room for 10,000 jobs of several users each; what does not fit is worked out anew. */
  private static final int SLOTS = 1 << 16;

  /** How many slots an answer may be in, so that two who share a place do not evict each other. */
  private static final int WAYS = 4;

  private final AtomicReferenceArray<@Nullable Answer> table = new AtomicReferenceArray<>(SLOTS);
  private volatile Basis basis;

  /** Whose turn it is to go; a race for it does no harm. */
  private int evictions;

  /**
   * What answers follow from, besides the call.
   *
   * @param trustsClaims whether a claimed job is believed whoever claims it
   */
  public record Basis(
      JobDirectory directory,
      UserNames names,
      RuleSet rules,
      ExportPlacements exports,
      boolean trustsClaims) {}

  public JobIdentity(Basis basis) {
    this.basis = basis;
  }

  /** Answers by this from now on. */
  public void use(Basis changed) {
    basis = changed;
  }

  /** What it answers by. */
  public Basis basis() {
    return basis;
  }

  @Override
  public Admission admit(RpcCall call, FileHandle handle, Operation operation) {
    Basis current = basis;
    // Asked before the directory itself, so that what is kept is never older than it says.
    long version = current.directory.version();
    ClientAddress client = call.client();
    Credential.@Nullable Sys user = call.credential() instanceof Credential.Sys sys ? sys : null;
    int uid = user == null ? -1 : user.uid();
    int gid = user == null ? -1 : user.gid();
    int first = firstSlot(client, uid, gid, handle);
    for (int slot = first; slot < first + WAYS; slot++) {
      Answer kept = table.getAcquire(slot);
      if (kept != null && kept.isFor(current, version, client, user != null, uid, gid, handle)) {
        return kept.admission(operation);
      }
    }
    Answer answer = new Answer(current, version, client, user, handle);
    table.setRelease(first + freeWay(first, current, version), answer);
    return answer.admission(operation);
  }

  private static int firstSlot(ClientAddress client, int uid, int gid, FileHandle handle) {
    JobId claim = handle.claimedJob();
    long mixed = client.high() * 31 + client.low();
    mixed = mixed * 31 + uid;
    mixed = mixed * 31 + gid;
    mixed = mixed * 31 + handle.exportId();
    mixed = (mixed * 31 + (claim == null ? 0 : claim.hashCode())) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 48) & (SLOTS - WAYS);
  }

  /** One that is empty or out of date; else one by turns. */
  private int freeWay(int first, Basis current, long version) {
    for (int way = 0; way < WAYS; way++) {
      Answer kept = table.getAcquire(first + way);
      if (kept == null || !kept.isOf(current, version)) {
        return way;
      }
    }
    return evictions++ & (WAYS - 1);
  }

  /** What was found out about all calls of one user from one address to one export. */
  private static final class Answer {
    private final Basis basis;
    private final long directoryVersion;
    private final long nameArrivals;
    private final long nameChanges;
    private final boolean hasAllNames;
    private final ClientAddress client;
    private final boolean hasUser;
    private final int uid;
    private final int gid;
    private final int exportId;
    private final @Nullable JobId claim;
    private final EnumMap<Operation, Admission> admissions = new EnumMap<>(Operation.class);

    Answer(
        Basis basis,
        long directoryVersion,
        ClientAddress client,
        Credential.@Nullable Sys user,
        FileHandle handle) {
      this.basis = basis;
      this.directoryVersion = directoryVersion;
      // Asked before the names themselves, so that none that comes meanwhile is missed.
      this.nameArrivals = basis.names.arrivals();
      this.nameChanges = basis.names.changes();
      this.client = client;
      this.hasUser = user != null;
      this.uid = user == null ? -1 : user.uid();
      this.gid = user == null ? -1 : user.gid();
      this.exportId = handle.exportId();
      this.claim = handle.claimedJob();
      ExportPlacements.Placement place = basis.exports.placement(exportId);
      String userName = hasUser ? basis.names.userIfKnown(uid) : "";
      String groupName = hasUser ? basis.names.groupIfKnown(gid) : "";
      this.hasAllNames = userName != null && groupName != null;
      Flow flow =
          flow(
              place,
              userName == null ? Integer.toUnsignedString(uid) : userName,
              groupName == null ? Integer.toUnsignedString(gid) : groupName);
      // Rules may tell operations apart; few do, so most share one answer.
      Map<Flow, Admission> distinct = new HashMap<>();
      for (Operation operation : Operation.values()) {
        Flow charged = basis.rules.classify(flow, operation).flow();
        admissions.put(
            operation, distinct.computeIfAbsent(charged, f -> new Admission(f, place.target())));
      }
    }

    boolean isOf(Basis current, long version) {
      return sameObject(basis, current)
          && directoryVersion == version
          && nameChanges == current.names.changes()
          && (hasAllNames || nameArrivals == current.names.arrivals());
    }

    boolean isFor(
        Basis current,
        long version,
        ClientAddress fromClient,
        boolean fromUser,
        int fromUid,
        int fromGid,
        FileHandle handle) {
      JobId claimed = handle.claimedJob();
      return isOf(current, version)
          && uid == fromUid
          && gid == fromGid
          && hasUser == fromUser
          && exportId == handle.exportId()
          && client.equals(fromClient)
          && Objects.equals(claim, claimed);
    }

    /** A basis is replaced whole, so that comparing what is in it would say no more. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameObject(Basis one, Basis other) {
      return one == other;
    }

    Admission admission(Operation operation) {
      Admission admission = admissions.get(operation);
      if (admission == null) {
        throw new IllegalStateException("no answer for " + operation.text());
      }
      return admission;
    }

    private Flow flow(ExportPlacements.Placement place, String user, String group) {
      Job known = known();
      boolean isItsUser =
          known != null
              && hasUser
              && !known.user().isEmpty()
              && (known.uid().isEmpty() || known.uid().getAsInt() == uid);
      return new Flow(
          known != null ? known.id() : unlisted(),
          known != null && isItsUser ? known.user() : user,
          group,
          client,
          place.export(),
          place.targetName());
    }

    /** The job in the directory that is behind the call, claimed or found. */
    private @Nullable Job known() {
      if (claim != null && (basis.trustsClaims || basis.directory.runsAt(claim, client))) {
        return basis.directory.job(claim);
      }
      return hasUser ? basis.directory.behind(client, uid) : null;
    }

    /** The job of a call that the directory knows nothing about. */
    private JobId unlisted() {
      if (claim != null && basis.trustsClaims) {
        return claim;
      }
      return JobId.of(hasUser ? "user-" + Integer.toUnsignedString(uid) : "client-" + client);
    }
  }
}
