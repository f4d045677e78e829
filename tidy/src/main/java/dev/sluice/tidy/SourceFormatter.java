package dev.sluice.tidy;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Brings the Java sources of a tree into the form that google-java-format gives them. */
public final class SourceFormatter {
  private final Formatter formatter = new Formatter();

  /** The text as it should be: laid out anew, imports in order and none of them unused. */
  public String formatted(String source) throws FormatterException {
    return formatter.formatSourceAndFixImports(source);
  }

  /** The sources that are not as they should be. */
  public List<Path> unformatted(SourceTree tree) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : tree.javaSources()) {
      String source = Files.readString(file);
      if (!source.equals(formatted(file, source))) {
        found.add(file);
      }
    }
    return found;
  }

  /** Rewrites the sources that are not as they should be, and says which. */
  public List<Path> rewrite(SourceTree tree) throws IOException {
    List<Path> rewritten = unformatted(tree);
    for (Path file : rewritten) {
      Files.writeString(file, formatted(file, Files.readString(file)));
    }
    return rewritten;
  }

  private String formatted(Path file, String source) throws IOException {
    try {
      return formatted(source);
    } catch (FormatterException e) {
      throw new IOException(file + " cannot be parsed: " + e.getMessage(), e);
    }
  }

  /** Rewrites the working copy around the directory that is named. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("expected one argument, a directory of the working copy");
      System.exit(2);
    }
    SourceTree tree = SourceTree.around(Path.of(arguments[0]));
    try {
      List<Path> rewritten = new SourceFormatter().rewrite(tree);
      rewritten.forEach(file -> System.out.println(tree.root().relativize(file)));
      System.out.println(rewritten.size() + " of " + tree.javaSources().size() + " rewritten");
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
