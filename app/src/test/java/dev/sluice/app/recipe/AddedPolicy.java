package dev.sluice.app.recipe;

import dev.sluice.app.Cli;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * This program with one more policy: the policy's folder is put beside the others, its line goes
 * into the registry, both are compiled, and the commands run with what came of it. Nothing else of
 * the program is changed, and nothing of the working copy.
 */
final class AddedPolicy implements AutoCloseable {
  private static final String POLICIES = "core/src/main/java/dev/sluice/core/policy/";
  private static final String REGISTRY = POLICIES + "registry/PolicyRegistry.java";

  private final URLClassLoader program;

  private AddedPolicy(URLClassLoader program) {
    this.program = program;
  }

  /**
   * Adds a policy.
   *
   * @param folder its sources
   * @param factory what its line in the registry makes
   * @param directory where to work
   */
  static AddedPolicy of(Path folder, String factory, Path directory) throws IOException {
    String name = folder.getFileName().toString();
    Path added = Files.createDirectories(directory.resolve(POLICIES).resolve(name));
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> !file.toString().endsWith("Test.java")).toList()) {
        sources.add(Files.copy(file, added.resolve(file.getFileName())));
      }
    }
    Path registry = directory.resolve(REGISTRY);
    Files.createDirectories(registry.getParent());
    Files.writeString(
        registry, withLine(Files.readString(Cli.inTree(REGISTRY)), name + "." + factory, factory));
    sources.add(registry);
    Path classes = Files.createDirectories(directory.resolve("classes"));
    compile(sources, classes);
    return new AddedPolicy(programWith(classes));
  }

  /** The registry with the one line that adds a policy, and what that line needs imported. */
  private static String withLine(String registry, String imported, String factory) {
    String firstLine = "                new NoneFactory(),\n";
    String firstImport = "import dev.sluice.core.policy.baseline.NoneFactory;\n";
    if (!registry.contains(firstLine) || !registry.contains(firstImport)) {
      throw new AssertionError("the registry does not begin with NoneFactory any more");
    }
    return registry
        .replace(firstLine, firstLine + "                new " + factory + "(),\n")
        .replace(firstImport, firstImport + "import dev.sluice.core.policy." + imported + ";\n");
  }

  private static void compile(List<Path> sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new AssertionError("the tests run without a compiler: a JDK is needed");
    }
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  complaints,
                  files,
                  null,
                  List.of(
                      "-Xlint:all,-path",
                      "-Werror",
                      "-proc:none",
                      "-classpath",
                      System.getProperty("java.class.path"),
                      "-d",
                      classes.toString()),
                  null,
                  files.getJavaFileObjectsFromPaths(sources))
              .call();
      if (!compiled) {
        throw new AssertionError("what the recipe makes does not compile:\n" + complaints);
      }
    }
  }

  /** All classes anew, so that those that are changed are taken by all others. */
  private static URLClassLoader programWith(Path classes) throws MalformedURLException {
    List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Runs a command of the program that has the policy. */
  Cli run(String... args) {
    try {
      Object cli =
          program
              .loadClass(Cli.class.getName())
              .getMethod("run", String[].class)
              .invoke(null, (Object) args);
      return new Cli(
          (int) cli.getClass().getMethod("exitCode").invoke(cli),
          (String) cli.getClass().getMethod("out").invoke(cli),
          (String) cli.getClass().getMethod("err").invoke(cli));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(String.join(" ", args), e);
    }
  }

  @Override
  public void close() throws IOException {
    program.close();
  }
}
