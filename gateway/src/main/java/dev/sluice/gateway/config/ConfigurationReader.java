package dev.sluice.gateway.config;

import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.classify.RuleSyntaxException;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.LimitsReader;
import dev.sluice.document.PromisesReader;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.memory.BufferMemory;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.web.WebSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code sluice.yaml}; docs/gateway.md describes it. Whatever is wrong is a {@link
 * DocumentException} that names its place, and the files it names are read with it.
 */
public final class ConfigurationReader {
  public static final int NFS_PORT = 2049;
  public static final int MOUNT_PORT = 20048;

  /** The name of the control socket in the state directory. */
  public static final String CONTROL_SOCKET = "control.sock";

  /** Below the file's directory, for a gateway that is nobody's system service. */
  private static final String STATE = "sluice-state";

  /** The name of the ledger in the state directory. */
  public static final String LEDGER = "coupons.db";

  private static final Path STATE_OF_ROOT = Path.of("/var/lib/sluice");

  private static final int PORT_MAX = 65_535;
  private static final long MEMORY_BYTES = 1L << 30;
  private static final long MEMORY_BYTES_MIN = 64L << 20;
  private static final long MEMORY_BYTES_MAX = 1L << 40;

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private final DocumentMap map;
  private final Path directory;
  private final PolicyRegistry policies;

  private ConfigurationReader(DocumentNode root, Path directory, PolicyRegistry policies) {
    this.map =
        root.map(
            "listen",
            "nfs-port",
            "mount-port",
            "nfs4",
            "portmapper",
            // The older form of portmapper, for one release.
            "rpcbind",
            "state",
            "control-socket",
            "ledger",
            "policy",
            "observe-only",
            "jobs",
            "trust-claimed-jobs",
            "rules",
            "targets",
            "exports",
            "shares",
            "limits",
            "guarantees",
            "goals",
            "dashboard",
            "memory",
            "transfer-max",
            "connections",
            "controller",
            "failover",
            // Read by whoever keeps history of a gateway.
            "history",
            "alerts");
    this.directory = directory;
    this.policies = policies;
  }

  /** Reads a file that may name one of these policies. */
  public static GatewayConfiguration read(Path file, PolicyRegistry policies) {
    DocumentNode root = Documents.read(file.toString(), InputStream.nullInputStream());
    Path parent = file.toAbsolutePath().getParent();
    return new ConfigurationReader(root, parent == null ? Path.of("/") : parent, policies)
        .configuration();
  }

  /**
   * Reads a text.
   *
   * @param name what errors call it
   * @param directory where the files and directories are that it names without a slash in front
   */
  public static GatewayConfiguration parse(String name, String text, Path directory) {
    return new ConfigurationReader(
            Documents.parse(name, text), directory, PolicyRegistry.standard())
        .configuration();
  }

  /** The state directory of a gateway whose configuration in this directory names none. */
  public static Path defaultState(Path directory) {
    boolean root = "root".equals(System.getProperty("user.name"));
    return root ? STATE_OF_ROOT : directory.resolve(STATE);
  }

  private GatewayConfiguration configuration() {
    List<TargetConfiguration> targets = TargetsReader.read(map.required("targets"));
    Path state = pathOr(map.optional("state"), defaultState(directory));
    DocumentNode rules = map.optional("rules");
    JobSource jobs = jobs(map.optional("jobs"));
    List<ExportConfiguration> exports =
        ExportsReader.read(map.required("exports"), directory, targets);
    return new GatewayConfiguration(
        listen(map.optional("listen")),
        port(map.optional("nfs-port"), NFS_PORT),
        port(map.optional("mount-port"), MOUNT_PORT),
        Nfs4Choice.read(map.optional("nfs4")),
        PortmapperChoice.read(map.optional("portmapper"), map.optional("rpcbind")),
        state,
        pathOr(map.optional("control-socket"), state.resolve(CONTROL_SOCKET)),
        ledger(map.optional("ledger"), state),
        policy(map.optional("policy"), targets),
        flag(map.optional("observe-only"), false),
        jobs,
        flag(map.optional("trust-claimed-jobs"), false),
        optionalPath(rules),
        rules == null ? RuleSet.parse("") : rules(rules),
        targets,
        exports,
        ShareChoice.read(map.optional("shares"), jobs),
        LimitsReader.read(map.optional("limits")),
        PromisesReader.read(map, told(targets)),
        WebSettings.read(map.optional("dashboard"), directory),
        memory(map.optional("memory")),
        transfers(map.optional("transfer-max")),
        ConnectionBounds.read(map.optional("connections")),
        ControllerChoice.read(
            map.optional("controller"), map.optional("policy") != null, directory),
        FailoverChoice.read(map.optional("failover"), directory, exports));
  }

  /** Checks a name of the writer's choosing that is a key. */
  static void checkName(DocumentMap map, String key) {
    if (!key.matches(NAME)) {
      throw map.keyError(
          key, "expected a name of 1 to 64 letters, digits, dots, dashes and underscores");
    }
  }

  static boolean flag(@Nullable DocumentNode node, boolean defaultValue) {
    return node == null ? defaultValue : node.bool();
  }

  static Path path(DocumentNode node, Path directory) {
    String text = node.text();
    if (text.isEmpty()) {
      throw node.error("expected a path");
    }
    try {
      return directory.resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw node.error("expected a path without a zero byte");
    }
  }

  private Path pathOr(@Nullable DocumentNode node, Path defaultValue) {
    return node == null ? defaultValue : path(node, directory);
  }

  private @Nullable Path optionalPath(@Nullable DocumentNode node) {
    return node == null ? null : path(node, directory);
  }

  private @Nullable JobSource jobs(@Nullable DocumentNode node) {
    return node == null ? null : JobSource.read(node, directory);
  }

  private static InetAddress listen(@Nullable DocumentNode node) {
    return node == null
        ? InetAddress.getLoopbackAddress()
        : node.parsed(ConfigurationReader::literalAddress);
  }

  /** Never asks a name service, which may be down when storage must come up. */
  private static InetAddress literalAddress(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected an address of this machine such as 10.1.0.1, or 0.0.0.0 for all of them", e);
    }
  }

  /** 0 stands for any free port, which tests want. */
  private static int port(@Nullable DocumentNode node, int defaultValue) {
    return node == null ? defaultValue : (int) node.whole(0, PORT_MAX);
  }

  private static long memory(@Nullable DocumentNode node) {
    if (node == null) {
      return BufferMemory.usual(MEMORY_BYTES, MEMORY_BYTES_MIN);
    }
    long bytes = node.bytes(MEMORY_BYTES_MIN, MEMORY_BYTES_MAX);
    String problem = BufferMemory.problem(bytes);
    if (problem != null) {
      throw node.error(problem);
    }
    return bytes;
  }

  private static TransferSize transfers(@Nullable DocumentNode node) {
    if (node == null) {
      return TransferSize.USUAL;
    }
    long bytes = node.bytes(TransferSize.BYTES_MIN, Nfs3Sizes.TRANSFER_BYTES_MAX);
    if (bytes % TransferSize.MULTIPLE_BYTES != 0) {
      throw node.error("expected a multiple of 4 KiB, such as 1 MiB or 4 MiB");
    }
    return new TransferSize((int) bytes);
  }

  private LedgerLocation ledger(@Nullable DocumentNode node, Path state) {
    return node == null
        ? new LedgerLocation.SqliteFile(state.resolve(LEDGER))
        : node.parsed(text -> LedgerLocation.parse(text, directory));
  }

  private PolicyChoice policy(@Nullable DocumentNode node, List<TargetConfiguration> targets) {
    if (node == null) {
      return PolicyChoice.of(policies, PolicyRegistry.WHERE_NONE_IS_NAMED, Map.of());
    }
    PolicyChoice choice;
    if (node.isMap()) {
      Map<String, String> given = new LinkedHashMap<>();
      DocumentMap written = node.openMap();
      String name = written.required("name").text();
      written.entries().forEach((key, value) -> given.put(key, value.text()));
      given.remove("name");
      choice = checked(node, name, given);
    } else {
      choice = checked(node, node.text(), Map.of());
    }
    String problem = CapacityNeed.problem(choice, targets);
    if (problem != null) {
      throw node.error(problem);
    }
    return choice;
  }

  private PolicyChoice checked(DocumentNode node, String name, Map<String, String> given) {
    try {
      return PolicyChoice.of(policies, name, given);
    } catch (IllegalArgumentException e) {
      throw node.error(String.valueOf(e.getMessage()));
    }
  }

  private RuleSet rules(DocumentNode node) {
    Path file = path(node, directory);
    try {
      return readRules(file);
    } catch (NoSuchFileException e) {
      throw node.error("expected a file with rules; there is no such file");
    } catch (IOException e) {
      throw node.error("expected a file with rules; it cannot be read: " + e.getMessage());
    } catch (RuleSyntaxException e) {
      throw node.error(String.valueOf(e.getMessage()));
    }
  }

  /** Reads rules in the format of docs/rules.md. */
  public static RuleSet readRules(Path file) throws IOException {
    if (Files.size(file) > 4L * RuleSet.TEXT_LENGTH_MAX) {
      throw new IOException("larger than rules may be");
    }
    return RuleSet.parse(Files.readString(file));
  }

  /** Those whose capacity is written. */
  private static List<Target> told(List<TargetConfiguration> targets) {
    return targets.stream()
        .filter(target -> target.found() == null)
        .map(TargetConfiguration::target)
        .toList();
  }
}
