package dev.sluice.app.serve;

import dev.sluice.app.BadInputException;
import dev.sluice.gateway.knfsd.ExportsImport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a gateway's configuration of what the kernel's NFS server exports. */
@Command(
    name = "import-exports",
    description = {
      "Print a configuration for ./sluice serve that exports what the kernel's NFS server does.",
      "",
      "FILE is in the form of exports(5), such as /etc/exports; of a directory, such as",
      "/etc/exports.d, all files count that end in .exports and do not begin with a dot, in the",
      "order of their names. Without FILE: /etc/exports, and /etc/exports.d if it is there.",
      "",
      "  rw, ro, root_squash, all_squash, anonuid, anongid, secure, insecure, sec=sys|none",
      "      are said in the gateway's words; what is not written has the kernel's default",
      "      (ro, root_squash, secure)",
      "  networks, addresses",
      "      as they are; 10.1.0.0/255.255.0.0 as 10.1.0.0/16",
      "  hosts, @netgroups",
      "      the addresses that they have now, with a comment: look again when they change",
      "  *.example.org",
      "      no addresses: such clients are left out, with a comment",
      "  sec=krb5 without sys, xprtsec=tls",
      "      cannot be served: such clients are left out, with a comment",
      "  all other options",
      "      a comment each, with what a gateway does instead",
      "",
      "Where clients of one directory have different options, those of the most addresses keep",
      "its path; the others mount another, which a comment names. Nobody may do more than before:",
      "a network is written without the hosts in it that have other options. Where that cannot be",
      "told, because a client's addresses are not known, a comment says ATTENTION.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "What cannot be read is refused with its line and column, and nothing is printed.",
      "docs/gateway.md describes the whole way from the kernel's server to a gateway.",
      "",
      "Examples: ./sluice import-exports /etc/exports > sluice.yaml",
      "          ./sluice import-exports /etc/exports /etc/exports.d"
    })
public final class ImportExportsCommand implements Runnable {
  private static final Path STANDARD_FILE = Path.of("/etc/exports");
  private static final Path STANDARD_DIRECTORY = Path.of("/etc/exports.d");

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "A file in the form of exports(5), or a directory with such files.")
  List<String> files = new ArrayList<>();

  @Override
  public void run() {
    ExportsImport imported = new ExportsImport(new SystemHostNames());
    for (Path file : given()) {
      for (Path each : Files.isDirectory(file) ? within(file) : List.of(file)) {
        imported.add(each.toString(), content(each));
      }
    }
    if (imported.isEmpty()) {
      throw new BadInputException("nothing is exported there: expected a line such as /srv *(ro)");
    }
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.print(imported.text());
    out.flush();
  }

  private List<Path> given() {
    if (files.isEmpty()) {
      return Files.isDirectory(STANDARD_DIRECTORY)
          ? List.of(STANDARD_FILE, STANDARD_DIRECTORY)
          : List.of(STANDARD_FILE);
    }
    List<Path> given = new ArrayList<>();
    for (String file : files) {
      try {
        given.add(Path.of(file));
      } catch (InvalidPathException e) {
        throw new BadInputException("\"" + file + "\": expected a path", e);
      }
    }
    return given;
  }

  /** The files of a directory that the kernel's server reads. */
  private static List<Path> within(Path directory) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "*.exports")) {
      for (Path file : all) {
        if (!file.getFileName().toString().startsWith(".")) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      throw new BadInputException(directory + ": cannot be read: " + e.getMessage(), e);
    }
    found.sort(null);
    return found;
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new BadInputException(file + ": no such file", e);
    } catch (IOException e) {
      throw new BadInputException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
