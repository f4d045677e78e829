package dev.sluice.app.keys;

import dev.sluice.app.BadInputException;
import dev.sluice.app.Table;
import dev.sluice.core.text.Suggestion;
import dev.sluice.store.keys.AccessList;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.NodeNames;
import dev.sluice.store.keys.SecretToken;
import dev.sluice.store.keys.TargetNames;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes and revokes keys. */
@Command(
    name = "keys",
    description = {
      "Make the keys by which a controller, its nodes and those who operate it know each other.",
      "",
      "Whatever is not on loopback is authenticated: nodes show a certificate or a token of their",
      "own and can speak for nobody else; people show a token that has a role. What is made here",
      "is a working set; no other program is needed.",
      "",
      "  read      look at status, limits, history, explanations",
      "  operate   change what is decided: policy, weights, limits of single jobs",
      "  admin     change documents and what the program reads",
      ""
    },
    subcommands = {
      KeysCommand.Init.class,
      KeysCommand.Node.class,
      KeysCommand.Assign.class,
      KeysCommand.Token.class,
      KeysCommand.Show.class,
      KeysCommand.Revoke.class
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice keys init --host controller.example.org",
      "          ./sluice keys node n001 n002",
      "          ./sluice keys node gate1 --gateway",
      "          ./sluice keys token admin anna",
      "          ./sluice keys list",
      "          ./sluice keys revoke n001"
    })
public final class KeysCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  /** Without a command, the help is the answer. */
  @Override
  public void run() {
    CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
    commandLine.usage(commandLine.getOut());
  }

  /** {@code keys init}. */
  @Command(
      name = "init",
      description = {
        "Make an authority, a certificate for the controller, a token for the administrator.",
        "",
        "authority.key signs certificates: keep it where ./sluice keys runs, and nowhere else.",
        ""
      },
      mixinStandardHelpOptions = true)
  static final class Init implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @Option(
        names = "--host",
        paramLabel = "NAME",
        description =
            "A name or an address under which the controller is called; may come several times."
                + " localhost always is one.")
    List<String> hosts = new ArrayList<>();

    @Option(
        names = "--authority",
        paramLabel = "FILE",
        description =
            "Go by an authority of the site's own, whose certificate is in FILE, and make none.")
    @Nullable String authority;

    @Override
    public void run() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      String given = authority;
      if (given != null && !hosts.isEmpty()) {
        throw new BadInputException(
            "--host: expected none with --authority, which names the controller itself");
      }
      SecretToken token =
          keys.change(
              given == null ? "made an authority" : "goes by the authority in " + given,
              directory -> {
                if (given == null) {
                  directory.make(hosts);
                } else {
                  directory.makeFor(Path.of(given));
                }
                return directory.addToken("administrator", "admin", null, Instant.now());
              });
      keys.with(directory -> {
        out.println("authority    " + directory.authority() + ": give it to every node");
        out.println(
            "controller   "
                + directory.certificate(KeyDirectory.CONTROLLER)
                + (given == null ? "" : ": put its certificate there, and those behind it"));
        out.println(
            "             "
                + directory.key(KeyDirectory.CONTROLLER)
                + (given == null ? "" : ": and its key, as PKCS #8"));
        out.println("tokens       " + directory.accessFile() + ": their digests");
        out.println("administrator's token, shown only now:");
        out.println(token.reveal());
        return directory;
      });
    }
  }

  /** {@code keys node}. */
  @Command(
      name = "node",
      description = {
        "Make a certificate for each node, aggregator or gateway; or a token with --token.",
        "",
        "Whoever is said to be nothing else is the agent of one node, and cannot pass for a",
        "gateway or for an aggregator of others.",
        "",
        "Copy NAME.crt, NAME.key and authority.crt to the node. One that was made before is",
        "replaced; both are accepted until the name is revoked or they expire.",
        ""
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Examples: ./sluice keys node n001 n002",
        "          ./sluice keys node gate1 --serves disk=1GB/s",
        "          ./sluice keys node rack7 --host rack7.example.org --aggregates n[001-040]",
        "          ./sluice keys node n003 --token"
      })
  static final class Node implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @Option(
        names = "--host",
        paramLabel = "NAME",
        description = "A further name or address under which it is called, for one that is.")
    List<String> hosts = new ArrayList<>();

    @Option(names = "--token", description = "Make a token instead, and print it.")
    boolean token;

    @Mixin LifetimeOption lifetime = new LifetimeOption();

    @ArgGroup @Nullable KindOption kind;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "What the node calls itself.")
    List<String> names = new ArrayList<>();

    @Override
    public void run() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      Duration time = lifetime.lifetime();
      if (time != null && !token) {
        throw new BadInputException("--for: expected with --token; certificates last 825 days");
      }
      for (String name : names) {
        String made =
            keys.change(
                (token ? "token of node " : "certificate of ")
                    + name
                    + (time == null ? "" : " for " + lifetime.time)
                    + (kind == null ? "" : ", " + kind.words()),
                directory -> {
                  if (kind != null) {
                    directory.assign(name, kind.assignment());
                  }
                  if (token) {
                    return directory.addToken(name, null, time, Instant.now()).reveal();
                  }
                  directory.addNode(name, hosts);
                  return directory.certificate(name) + " " + directory.key(name);
                });
        out.println(name + " " + made);
      }
    }
  }

  /** What somebody with a key may be. */
  static final class KindOption {
    @Option(names = "--agent", description = "It is the agent of one node, as without a word.")
    boolean agent;

    @Option(names = "--gateway", description = "It is a gateway.")
    boolean gateway;

    @Option(
        names = "--serves",
        paramLabel = "TARGETS",
        description = {
          "It is a gateway with these targets, and no others, such as"
              + " disk=1GB/s,meta=20kops/s,old:",
          "what they can serve is then not for the gateway to say, but of those without a rate."
        })
    @Nullable String serves;

    @Option(
        names = "--aggregates",
        paramLabel = "NODES",
        description = "It is the aggregator of these nodes, such as n[001-040],n077.")
    @Nullable String aggregates;

    AccessList.@Nullable Assignment assignment() {
      if (aggregates != null) {
        return new AccessList.Assignment.Aggregator(NodeNames.parse(aggregates));
      }
      if (serves != null) {
        return new AccessList.Assignment.Gateway(TargetNames.parse(serves));
      }
      return gateway ? new AccessList.Assignment.Gateway(null) : null;
    }

    String words() {
      AccessList.Assignment assignment = assignment();
      return assignment == null ? "agent" : assignment.words();
    }
  }

  /** {@code keys assign}. */
  @Command(
      name = "assign",
      description = {
        "Say what whoever has a key with this name may be, whoever made the key: a certificate of",
        "an authority of the site's own, for example.",
        "",
        "A controller that runs knows it within two seconds, and has whoever is connected call",
        "again; an aggregator hears of its nodes from the controller.",
        ""
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Examples: ./sluice keys assign gate1 --gateway",
        "          ./sluice keys assign rack7 --aggregates n[001-040]"
      })
  static final class Assign implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @ArgGroup(multiplicity = "1")
    KindOption kind = new KindOption();

    @Parameters(paramLabel = "NAME", description = "Whose key.")
    String name = "";

    @Override
    public void run() {
      String is = name + " is " + kind.words();
      keys.change(
          is,
          directory -> {
            directory.assign(name, kind.assignment());
            return directory;
          });
      Objects.requireNonNull(spec).commandLine().getOut().println(is);
    }
  }

  /** {@code keys token}. */
  @Command(
      name = "token",
      description = {
        "Make a token for a person or a program, and print it. Only its digest is kept, so",
        "that nobody can look it up later. An older token of the same name is refused from then",
        "on, unless both end by themselves. A controller that runs knows it within two seconds.",
        ""
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Examples: ./sluice keys token operate anna > ~/.sluice-token",
        "          ./sluice keys token admin bert --for 8h"
      })
  static final class Token implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @Mixin LifetimeOption lifetime = new LifetimeOption();

    @Parameters(index = "0", paramLabel = "ROLE", description = "read, operate or admin.")
    String role = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Who holds it.")
    String name = "";

    @Override
    public void run() {
      List<String> roles = AccessList.roleNames();
      if (!roles.contains(role)) {
        throw new BadInputException(
            "\""
                + role
                + "\": expected one of "
                + String.join(", ", roles)
                + Suggestion.of(role, roles));
      }
      Duration time = lifetime.lifetime();
      String made =
          keys.change(
              "token of " + name + " to " + role + (time == null ? "" : " for " + lifetime.time),
              directory -> directory.addToken(name, role, time, Instant.now()).reveal());
      Objects.requireNonNull(spec).commandLine().getOut().println(made);
    }
  }

  /** {@code keys list}. */
  @Command(
      name = "list",
      description = "Show who has a certificate or a token, and who was revoked.",
      mixinStandardHelpOptions = true)
  static final class Show implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @Override
    public void run() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      Instant now = Instant.now();
      Table table = new Table(List.of("name", "what", "since", "state"));
      keys.with(directory -> {
        AccessList list = directory.list();
        for (String name : directory.certificates()) {
          table.row(List.of(name, "certificate" + kind(name, list), "", state(name, list)));
        }
        for (AccessList.Holder holder : list.holders()) {
          table.row(
              List.of(
                  holder.name(),
                  "token: " + holder.kind() + kind(holder.name(), list),
                  holder.since().toString(),
                  holder.until() == null
                      ? state(holder.name(), list)
                      : (holder.isOver(now) ? "ended " : "counts until ") + holder.until()));
        }
        for (String name : list.revoked().stream().sorted().toList()) {
          if (!directory.certificates().contains(name)) {
            table.row(List.of(name, "token", "", "revoked"));
          }
        }
        return list;
      });
      table.lines().forEach(out::println);
    }

    private static String kind(String name, AccessList list) {
      AccessList.Assignment assignment = list.assigned().get(name);
      return assignment == null ? "" : ", " + assignment.words();
    }

    private static String state(String name, AccessList list) {
      return list.revoked().contains(name) ? "revoked" : "counts";
    }
  }

  /** {@code keys revoke}. */
  @Command(
      name = "revoke",
      description = {
        "Have the certificate and the token of this name refused from now on, for good.",
        "",
        "A controller that runs knows it within two seconds, and ends calls that are open; its",
        "aggregators hear of it with their next orders.",
        ""
      },
      mixinStandardHelpOptions = true)
  static final class Revoke implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin KeysOption keys = new KeysOption();

    @Parameters(paramLabel = "NAME", description = "Whose.")
    String name = "";

    @Override
    public void run() {
      keys.change(
          "revoked " + name,
          directory -> {
            directory.revoke(name);
            return directory;
          });
      Objects.requireNonNull(spec).commandLine().getOut().println(name + " is refused from now on");
    }
  }
}
