package dev.sluice.tidy;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who may see whom.
 *
 * @param top the package that holds all modules; another one than ours in the tests of these rules
 */
record LayeringRules(String top) {
  /** The packages of core, and what else of core each may see. A new package is entered here. */
  private static final Map<String, Set<String>> CORE_LAYERS =
      Map.of(
          "model", Set.of(),
          "fair", Set.of(),
          "text", Set.of(),
          "measure", Set.of(),
          "period", Set.of(),
          "capacity", Set.of("model"),
          "linear", Set.of("text"),
          "classify", Set.of("model", "text"),
          "schedule", Set.of("model", "classify"),
          "policy", Set.of("model", "schedule", "fair", "text", "linear", "period"));

  /**
   * The parts, and which others each may see: the simulator no data plane, the load generator no
   * server. Most are modules; a few share one with a neighbour, and keep their own rules ({@code
   * command} and {@code access} in document, {@code ledger} in store, {@code lp} in app). A new
   * part is entered here.
   */
  private static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          Map.entry("core", Set.of()),
          Map.entry("document", Set.of("core")),
          Map.entry("access", Set.of("document")),
          Map.entry("lp", Set.of("core")),
          Map.entry("ledger", Set.of("core")),
          Map.entry("sim", Set.of("core", "document")),
          Map.entry("papers", Set.of("core", "document", "sim")),
          Map.entry("studies", Set.of("core", "document", "sim", "papers", "history", "stage")),
          Map.entry("nfs", Set.of("core")),
          Map.entry("command", Set.of("document")),
          Map.entry("stage", Set.of("core", "document", "command", "access")),
          Map.entry("jobs", Set.of("core", "document")),
          Map.entry(
              "gateway",
              Set.of(
                  "core",
                  "document",
                  "command",
                  "nfs",
                  "jobs",
                  "ledger",
                  "store",
                  "web",
                  "access")),
          Map.entry("store", Set.of("core", "document", "command", "ledger", "web", "access")),
          Map.entry("web", Set.of("core", "document", "command", "access")),
          Map.entry("history", Set.of("core", "document", "command", "web", "access")),
          Map.entry(
              "lustre", Set.of("core", "document", "command", "jobs", "web", "access", "history")),
          Map.entry(
              "control",
              Set.of(
                  "core",
                  "document",
                  "command",
                  "jobs",
                  "ledger",
                  "store",
                  "stage",
                  "gateway",
                  "history",
                  "web",
                  "access")),
          Map.entry("load", Set.of("core", "document", "nfs", "sim")));

  /** What is above all others, and may see them. */
  private static final Set<String> MODULES_THAT_SEE_ALL = Set.of("app", "bench", "tidy");

  /** What core may see besides itself, before the impure is taken away again. */
  private static final List<String> PURE_PACKAGES =
      List.of("java.lang..", "java.util..", "java.math..", "org.jspecify..");

  private static final Set<String> PURE_CLASSES =
      Set.of("java.nio.ByteBuffer", "java.net.InetAddress");

  private static final List<String> IMPURE_PACKAGES =
      List.of(
          "java.lang.foreign..",
          "java.util.concurrent..",
          "java.util.jar..",
          "java.util.logging..",
          "java.util.prefs..",
          "java.util.zip..");

  private static final Set<String> IMPURE_CLASSES =
      Set.of(
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.lang.ScopedValue",
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.util.Calendar",
          "java.util.Date",
          "java.util.GregorianCalendar",
          "java.util.Random",
          "java.util.Timer",
          "java.util.TimerTask");

  /** {@code System} is a clock, a console and an environment; these two only move bits. */
  private static final Set<String> PURE_SYSTEM_METHODS = Set.of("arraycopy", "identityHashCode");

  /** Methods that draw from a random source that nobody seeded. */
  private static final Set<String> UNSEEDED =
      Set.of(
          "java.lang.Math.random()",
          "java.lang.StrictMath.random()",
          "java.util.Collections.shuffle(java.util.List)",
          "java.util.SplittableRandom.<init>()",
          "java.util.UUID.randomUUID()",
          "java.util.random.RandomGenerator.getDefault()",
          "java.util.random.RandomGenerator.of(java.lang.String)");

  /** Every rule, by a name of its own. */
  Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new TreeMap<>();
    rules.put("core sees only pure Java", coreSeesOnlyPureJava());
    rules.put("core has no clock, thread or random source", coreHasNoClockThreadOrRandomSource());
    rules.put("core calls nothing that differs between two runs", coreCallsNothingImpure());
    for (String layer : CORE_LAYERS.keySet()) {
      rules.put(layer + " sees only what is below it", coreLayerHolds(layer));
    }
    for (String parent : List.of("core", "core.policy", "core.schedule")) {
      rules.put("no cycle in " + parent, noCycleIn(parent));
    }
    for (String module : MODULES.keySet()) {
      rules.put("module " + module + " sees only what is below it", moduleHolds(module));
    }
    return rules;
  }

  /** The packages of core for which nobody has said what they may see. */
  Set<String> coreLayersNotListed(JavaClasses seen) {
    Set<String> unlisted = new TreeSet<>();
    for (JavaClass type : seen) {
      if (isIn("core", type)
          && CORE_LAYERS.keySet().stream().noneMatch(layer -> isIn("core." + layer, type))) {
        unlisted.add(type.getPackageName());
      }
    }
    return unlisted;
  }

  private ArchRule coreSeesOnlyPureJava() {
    return classes()
        .that()
        .resideInAPackage(in("core"))
        .should()
        .onlyDependOnClassesThat(
            describe(
                "are core's own or pure Java",
                seen -> {
                  JavaClass type = seen.getBaseComponentType();
                  return type.isPrimitive()
                      || isIn("core", type)
                      || isInAny(PURE_PACKAGES, type)
                      || PURE_CLASSES.contains(type.getName());
                }));
  }

  private ArchRule coreHasNoClockThreadOrRandomSource() {
    return noClasses()
        .that()
        .resideInAPackage(in("core"))
        .should()
        .dependOnClassesThat(
            describe(
                "bring a clock, a thread, a log or a random source",
                seen -> isInAny(IMPURE_PACKAGES, seen) || IMPURE_CLASSES.contains(seen.getName())));
  }

  private ArchRule coreCallsNothingImpure() {
    DescribedPredicate<JavaAccess<?>> impure =
        describe(
            "read the clock, the environment or an unseeded random source",
            access -> {
              boolean system = access.getTargetOwner().getName().equals("java.lang.System");
              return UNSEEDED.contains(access.getTarget().getFullName())
                  || (system && !PURE_SYSTEM_METHODS.contains(access.getTarget().getName()));
            });
    return noClasses().that().resideInAPackage(in("core")).should().accessTargetWhere(impure);
  }

  private ArchRule coreLayerHolds(String layer) {
    Set<String> below = CORE_LAYERS.getOrDefault(layer, Set.of());
    return noClasses()
        .that()
        .resideInAPackage(in("core." + layer))
        .should()
        .dependOnClassesThat(
            describe(
                "are core's and not in " + below,
                seen ->
                    isIn("core", seen)
                        && !isIn("core." + layer, seen)
                        && below.stream().noneMatch(name -> isIn("core." + name, seen))))
        .allowEmptyShould(true);
  }

  private ArchRule noCycleIn(String parent) {
    return slices()
        .matching(top + "." + parent + ".(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  private ArchRule moduleHolds(String module) {
    Set<String> below = MODULES.getOrDefault(module, Set.of());
    return noClasses()
        .that()
        .resideInAPackage(in(module))
        .should()
        .dependOnClassesThat(
            describe(
                "are ours and not in " + below,
                seen ->
                    isInAny(List.of(top + ".."), seen)
                        && !isIn(module, seen)
                        && below.stream().noneMatch(name -> isIn(name, seen))));
  }

  /** The modules for which nobody has said what they may see. */
  Set<String> modulesNotListed(JavaClasses seen) {
    Set<String> unlisted = new TreeSet<>();
    for (JavaClass type : seen) {
      if (isInAny(List.of(top + ".."), type)
          && MODULES_THAT_SEE_ALL.stream().noneMatch(module -> isIn(module, type))
          && MODULES.keySet().stream().noneMatch(module -> isIn(module, type))) {
        unlisted.add(type.getPackageName());
      }
    }
    return unlisted;
  }

  private String in(String module) {
    return top + "." + module + "..";
  }

  private boolean isIn(String module, JavaClass type) {
    return isInAny(List.of(in(module)), type);
  }

  private static boolean isInAny(List<String> packages, JavaClass type) {
    String name = type.getPackageName();
    return packages.stream().anyMatch(pattern -> PackageMatcher.of(pattern).matches(name));
  }
}
