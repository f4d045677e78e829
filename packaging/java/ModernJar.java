import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Writes a jar again with classes of a version that the virtual machine can keep in its cache: it
 * keeps none that were compiled for Java 5 or older, and to check those at each start takes longer
 * than most commands. What the classes do stays as it was.
 *
 * <p>{@code java ModernJar.java IN OUT}
 */
final class ModernJar {
  /** From this version on, classes say what is on the stack, and are kept. */
  private static final int KEPT_FROM = ClassFile.JAVA_7_VERSION;

  private ModernJar() {}

  public static void main(String[] args) throws IOException {
    Path from = Path.of(args[0]);
    URL[] jar = {from.toUri().toURL()};
    try (JarFile in = new JarFile(from.toFile());
        URLClassLoader beside = new URLClassLoader(jar);
        OutputStream file = Files.newOutputStream(Path.of(args[1]));
        JarOutputStream out = new JarOutputStream(file)) {
      ClassFile form =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(beside)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      List<JarEntry> entries = Collections.list(in.entries());
      entries.sort(Comparator.comparing(JarEntry::getName));
      for (JarEntry entry : entries) {
        write(entry, content(in, entry, form), out);
      }
    }
  }

  private static byte[] content(JarFile in, JarEntry entry, ClassFile form) throws IOException {
    try (InputStream read = in.getInputStream(entry)) {
      byte[] bytes = read.readAllBytes();
      return entry.getName().endsWith(".class") ? modern(bytes, form) : bytes;
    }
  }

  private static byte[] modern(byte[] bytes, ClassFile form) {
    ClassModel old = form.parse(bytes);
    if (old.majorVersion() >= KEPT_FROM) {
      return bytes;
    }
    return form.build(
        old.thisClass().asSymbol(),
        made -> {
          for (var element : old) {
            switch (element) {
              case ClassFileVersion _ -> made.withVersion(KEPT_FROM, 0);
              // Its code is built anew, and what is on the stack is worked out.
              case MethodModel method ->
                  made.transformMethod(
                      method, MethodTransform.transformingCode((code, each) -> code.with(each)));
              default -> made.with(element);
            }
          }
        });
  }

  /** At a time that is always the same, so that two builds give the same bytes. */
  private static void write(JarEntry old, byte[] content, JarOutputStream out) throws IOException {
    JarEntry entry = new JarEntry(old.getName());
    entry.setTimeLocal(java.time.LocalDateTime.of(2026, 1, 1, 0, 0));
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }
}
