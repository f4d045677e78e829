package dev.sluice.gateway.knfsd;

import dev.sluice.core.text.Suggestion;
import dev.sluice.document.DocumentException;
import dev.sluice.gateway.knfsd.KernelExport.Option;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes a gateway's settings of the options that hold for one client, in the order in which they
 * are written; later ones win. After {@code sec=}, what some options say holds for those flavours
 * alone.
 */
final class OptionsReader {
  private static final long UID_MAX = 0xffff_fffeL;

  /** Options that a gateway knows no other way than to obey, or that say nothing here. */
  private static final List<String> NOTHING_TO_SAY =
      List.of(
          "sync",
          "no_subtree_check",
          "hide",
          "nocrossmnt",
          "wdelay",
          "acl",
          "secure_locks",
          "auth_nlm",
          "no_pnfs");

  private static final Map<String, String> NO_COUNTERPART =
      Map.ofEntries(
          Map.entry("async", "a write that a client wants on disk is answered when it is there"),
          Map.entry("subtree_check", "handles are signed and cannot be made up, which is safer"),
          Map.entry("no_wdelay", "writes never wait for others to come"),
          Map.entry("nohide", "what is mounted below needs an export of its own"),
          Map.entry("crossmnt", "what is mounted below needs an export of its own"),
          Map.entry("no_acl", "clients of version 3 see access control lists"),
          Map.entry("mp", "nobody looks whether something is mounted there"),
          Map.entry("mountpoint", "nobody looks whether something is mounted there"),
          Map.entry("refer", "there are no referrals: clients mount the other server"),
          Map.entry("replicas", "there are no referrals: clients mount the other server"),
          Map.entry("nordirplus", "READDIRPLUS is served; clients can mount with nordirplus"),
          Map.entry("insecure_locks", "locks of version 3 are denied, those of 4 are by user"),
          Map.entry("no_auth_nlm", "locks of version 3 are denied, those of 4 are by user"),
          Map.entry("pnfs", "there is no pNFS"),
          Map.entry("security_label", "there are no security labels"),
          Map.entry("reexport", "exports have numbers of their own, kept in the state directory"),
          Map.entry("squash_uids", "only root or everybody can be squashed"),
          Map.entry("squash_gids", "only root or everybody can be squashed"));

  private static final List<String> READ_HERE =
      List.of(
          "ro",
          "rw",
          "root_squash",
          "no_root_squash",
          "all_squash",
          "no_all_squash",
          "secure",
          "insecure",
          "anonuid",
          "anongid",
          "sec",
          "fsid",
          "xprtsec");

  private static final List<String> KERBEROS =
      List.of(
          "krb5",
          "krb5i",
          "krb5p",
          "gss/krb5",
          "gss/krb5i",
          "gss/krb5p",
          "lipkey",
          "lipkey-i",
          "lipkey-p",
          "spkm3",
          "spkm3i",
          "spkm3p");

  /** What can be said for each flavour of security. */
  private static final class Flags {
    private boolean writable;
    private boolean squashesRoot = true;
    private boolean squashesAll;

    private Flags copy() {
      Flags copy = new Flags();
      copy.writable = writable;
      copy.squashesRoot = squashesRoot;
      copy.squashesAll = squashesAll;
      return copy;
    }
  }

  /** What a client's options come to. */
  record Result(@Nullable Settings settings, List<String> notes) {}

  private final Flags general = new Flags();
  private final Map<String, Flags> byFlavour = new LinkedHashMap<>();
  private List<Flags> meant = List.of(general);
  private final List<String> notes = new ArrayList<>();
  private long anonymousUid = Settings.NOBODY;
  private long anonymousGid = Settings.NOBODY;
  private boolean privilegedPorts = true;
  private boolean needsTls;

  private OptionsReader() {}

  /**
   * The settings, and what is to be said about options that have no counterpart; no settings where
   * the client could not use the export as it is to be used.
   */
  static Result read(List<Option> options) {
    OptionsReader reader = new OptionsReader();
    options.forEach(reader::take);
    return reader.result();
  }

  private Result result() {
    Flags flags = byFlavour.isEmpty() ? general : byFlavour.get("sys");
    boolean isAnonymous = flags == null && byFlavour.containsKey("none");
    if (isAnonymous) {
      flags = byFlavour.get("none");
    }
    if (flags == null) {
      notes.add("sec=" + String.join(":", byFlavour.keySet()) + ": there is no Kerberos here yet");
    } else if (byFlavour.keySet().stream().anyMatch(KERBEROS::contains)) {
      notes.add("of sec=" + String.join(":", byFlavour.keySet()) + " there is sys alone");
    }
    if (needsTls) {
      notes.add("xprtsec: there is no TLS here");
    }
    if (flags == null || needsTls) {
      return new Result(null, notes);
    }
    String squash = flags.squashesAll || isAnonymous ? "all" : flags.squashesRoot ? "root" : "none";
    return new Result(
        new Settings(!flags.writable, squash, anonymousUid, anonymousGid, privilegedPorts), notes);
  }

  private void take(Option option) {
    switch (option.name()) {
      case "ro" -> meant.forEach(flags -> flags.writable = false);
      case "rw" -> meant.forEach(flags -> flags.writable = true);
      case "root_squash" -> meant.forEach(flags -> flags.squashesRoot = true);
      case "no_root_squash" -> meant.forEach(flags -> flags.squashesRoot = false);
      case "all_squash" -> meant.forEach(flags -> flags.squashesAll = true);
      case "no_all_squash" -> meant.forEach(flags -> flags.squashesAll = false);
      case "secure" -> privilegedPorts = true;
      case "insecure" -> privilegedPorts = false;
      case "anonuid" -> anonymousUid = number(option);
      case "anongid" -> anonymousGid = number(option);
      case "sec" -> meant = flavours(option);
      case "fsid" -> notes.add(option.text() + ": " + fsid(option.value()));
      case "xprtsec" -> needsTls = !List.of(option.value().split(":", -1)).contains("none");
      default -> takeOther(option);
    }
  }

  private void takeOther(Option option) {
    String counterpart = NO_COUNTERPART.get(option.name());
    if (counterpart != null) {
      notes.add(option.text() + ": " + counterpart);
    } else if (!NOTHING_TO_SAY.contains(option.name())) {
      TreeSet<String> known = new TreeSet<>(NO_COUNTERPART.keySet());
      known.addAll(NOTHING_TO_SAY);
      known.addAll(READ_HERE);
      throw DocumentException.about(
          option.place(),
          option.name(),
          "expected an option of exports(5)" + Suggestion.of(option.name(), List.copyOf(known)));
    }
  }

  private static String fsid(String value) {
    return value.equals("0") || value.equals("root")
        ? "this is no root for version 4: its clients mount by the whole path, as with version 3"
        : "exports have numbers of their own, kept in the state directory";
  }

  private List<Flags> flavours(Option option) {
    List<Flags> named = new ArrayList<>();
    for (String word : option.value().split(":", -1)) {
      String flavour =
          switch (word) {
            case "sys", "unix" -> "sys";
            case "none", "null" -> "none";
            default -> {
              if (!KERBEROS.contains(word)) {
                throw DocumentException.about(
                    option.place(),
                    option.text(),
                    "expected flavours such as sys, none, krb5, krb5i and krb5p, with colons in"
                        + " between");
              }
              yield word;
            }
          };
      named.add(byFlavour.computeIfAbsent(flavour, _ -> general.copy()));
    }
    return named;
  }

  private static long number(Option option) {
    try {
      long written = Long.parseLong(option.value());
      // As the kernel reads it: -2 is what nobody was called once.
      long number = written < 0 && written >= Integer.MIN_VALUE ? written & 0xffff_ffffL : written;
      if (number >= 0 && number <= UID_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw DocumentException.about(
        option.place(), option.text(), "expected a number of 0 to " + UID_MAX);
  }
}
