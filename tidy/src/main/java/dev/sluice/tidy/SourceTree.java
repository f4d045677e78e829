package dev.sluice.tidy;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The files that people wrote, below the top of a working copy; nothing that a tool made. */
public record SourceTree(Path root) {
  private static final Set<String> NOT_OURS =
      Set.of(".git", ".idea", ".vscode", ".settings", "node_modules");

  /** The working copy around a directory, whichever module the directory is in. */
  public static SourceTree around(Path directory) {
    for (Path at = directory.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve(".mvn"))) {
        return new SourceTree(at);
      }
    }
    throw new IllegalArgumentException(
        directory.toAbsolutePath() + " is not in a working copy: no directory above it has a .mvn");
  }

  /** All files, in the order of their names so that two runs say the same. */
  public List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            Path name = directory.getFileName();
            boolean skipped =
                directory.equals(root.resolve("out"))
                    || (!directory.equals(root)
                        && name != null
                        && (NOT_OURS.contains(name.toString()) || isBuildOutput(directory)));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(files);
    return files;
  }

  /** Below a source directory, target is the name of a package. */
  private boolean isBuildOutput(Path directory) {
    Path below = root.relativize(directory);
    return below.endsWith("target")
        && StreamSupport.stream(below.spliterator(), false).noneMatch(Path.of("src")::equals);
  }

  /** The Java sources among them, of all modules, tests too. */
  public List<Path> javaSources() throws IOException {
    return files().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }
}
