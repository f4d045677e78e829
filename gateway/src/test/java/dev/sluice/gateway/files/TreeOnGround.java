package dev.sluice.gateway.files;

import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A tree over a temporary directory, with short ways to say what tests say often. */
final class TreeOnGround implements AutoCloseable {
  static final int EXPORT = 7;
  static final int DESCRIPTORS_MAX = 64;

  private final Ground ground;
  private final Path top;
  private final int descriptorsMax;
  private PosixTree tree;

  TreeOnGround(Ground ground) throws IOException {
    this(ground, DESCRIPTORS_MAX);
  }

  TreeOnGround(Ground ground, int descriptorsMax) throws IOException {
    this.ground = ground;
    this.descriptorsMax = descriptorsMax;
    this.top = ground.makeDirectory();
    Files.createDirectory(exported());
    Files.createDirectory(state());
    this.tree = openTree();
  }

  /** What clients see. */
  Path exported() {
    return top.resolve("exported");
  }

  Path state() {
    return top.resolve("state");
  }

  PosixTree tree() {
    return tree;
  }

  /** As after the end of the process. */
  void restart() throws IOException {
    tree.close();
    tree = openTree();
  }

  FileNode open(FileHandle handle) throws FileException {
    return tree.open(handle);
  }

  FileNode root() throws FileException {
    return tree.open(tree.root());
  }

  FileHandle create(FileHandle directory, String name) throws FileException {
    try (FileNode node = open(directory)) {
      Creation how = new Creation.Guarded(mode(0644));
      return tree.create(node, bytes(name), how, Caller.ROOT).handle();
    }
  }

  FileHandle makeDirectory(FileHandle directory, String name) throws FileException {
    try (FileNode node = open(directory)) {
      return tree.makeDirectory(node, bytes(name), mode(0755), Caller.ROOT).handle();
    }
  }

  Child lookup(FileHandle directory, String name) throws FileException {
    return lookup(directory, name, Caller.ROOT);
  }

  Child lookup(FileHandle directory, String name, Caller caller) throws FileException {
    try (FileNode node = open(directory)) {
      return tree.lookup(node, bytes(name), caller);
    }
  }

  void remove(FileHandle directory, String name) throws FileException {
    try (FileNode node = open(directory)) {
      tree.remove(node, bytes(name), Caller.ROOT);
    }
  }

  void removeDirectory(FileHandle directory, String name) throws FileException {
    try (FileNode node = open(directory)) {
      tree.removeDirectory(node, bytes(name), Caller.ROOT);
    }
  }

  void rename(FileHandle from, String name, FileHandle to, String newName) throws FileException {
    try (FileNode source = open(from);
        FileNode target = open(to)) {
      tree.rename(source, bytes(name), target, bytes(newName), Caller.ROOT);
    }
  }

  void write(FileHandle file, long offset, byte[] content) throws FileException {
    write(file, offset, content, Stability.UNSTABLE, Caller.ROOT);
  }

  void write(FileHandle file, long offset, byte[] content, Stability stability, Caller caller)
      throws FileException {
    try (FileNode node = open(file)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(content.length).put(content).flip();
      tree.write(node, offset, buffer, stability, caller);
    }
  }

  byte[] read(FileHandle file, long offset, int length) throws FileException {
    return read(file, offset, length, Caller.ROOT);
  }

  byte[] read(FileHandle file, long offset, int length, Caller caller) throws FileException {
    try (FileNode node = open(file)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length);
      byte[] content = new byte[tree.read(node, offset, buffer, caller)];
      buffer.get(0, content);
      return content;
    }
  }

  Attributes attributes(FileHandle file) throws FileException {
    try (FileNode node = open(file)) {
      return tree.attributes(node);
    }
  }

  void setAttributes(FileHandle file, AttributeChange change, Caller caller) throws FileException {
    try (FileNode node = open(file)) {
      tree.setAttributes(node, change, caller);
    }
  }

  /** All names in a directory, asked for so many at a time. */
  List<String> names(FileHandle directory, int pageSize) throws FileException {
    List<String> names = new ArrayList<>();
    long[] cookie = {0};
    boolean end = false;
    while (!end) {
      int[] room = {pageSize};
      try (FileNode node = open(directory)) {
        end =
            tree.readDirectory(
                node,
                cookie[0],
                (_, name, next) -> {
                  if (room[0]-- == 0) {
                    return false;
                  }
                  names.add(new String(name, StandardCharsets.UTF_8));
                  cookie[0] = next;
                  return true;
                },
                Caller.ROOT);
      }
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    tree.close();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private PosixTree openTree() throws IOException {
    return PosixTree.open(EXPORT, exported(), state(), descriptorsMax, ground.identification());
  }

  /** Something that a tree may refuse. */
  @FunctionalInterface
  interface Operation {
    void run() throws FileException;
  }

  /** How it ended. */
  static Nfs3Status statusOf(Operation operation) {
    try {
      operation.run();
      return Nfs3Status.OK;
    } catch (FileException e) {
      return e.status();
    }
  }

  static AttributeChange mode(int mode) {
    return new AttributeChange(mode, null, null, null, null, null);
  }

  static AttributeChange size(long size) {
    return new AttributeChange(null, null, null, size, null, null);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** How many descriptors the process has open. */
  static int openDescriptors() {
    return Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
  }
}
