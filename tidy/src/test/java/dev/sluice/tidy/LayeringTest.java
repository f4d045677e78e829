package dev.sluice.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LayeringTest {
  private static final LayeringRules RULES = new LayeringRules("dev.sluice");
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.sluice");

  /** The same rules over a small tree in which each of them is broken. */
  private static final LayeringRules FIXTURE_RULES = new LayeringRules("dev.sluice.tidy.fixture");

  private static final JavaClasses FIXTURES =
      new ClassFileImporter().importPackages("dev.sluice.tidy.fixture");

  /** What each rule must find in the fixtures, as parts of what it says. */
  private static final Map<String, Set<String>> EXPECTED =
      Map.ofEntries(
          Map.entry(
              "core sees only pure Java",
              Set.of(
                  "java.io.File",
                  "java.io.PrintStream",
                  "java.net.Socket",
                  "java.nio.file.Path",
                  "java.time.Clock",
                  "fixture.gateway.Server")),
          Map.entry(
              "core has no clock, thread or random source",
              Set.of(
                  "java.lang.Thread",
                  "java.util.Random",
                  "java.util.concurrent.ExecutorService",
                  "java.util.concurrent.ThreadLocalRandom",
                  "java.util.concurrent.locks.Lock",
                  "java.util.logging.Logger")),
          Map.entry(
              "core calls nothing that differs between two runs",
              Set.of(
                  "method <java.lang.System.nanoTime()>",
                  "method <java.lang.System.currentTimeMillis()>",
                  "method <java.lang.Math.random()>",
                  "method <java.util.UUID.randomUUID()>",
                  "method <java.util.Collections.shuffle(java.util.List)>",
                  "constructor <java.util.SplittableRandom.<init>()>")),
          Map.entry("model sees only what is below it", Set.of("fixture.core.classify.Rules")),
          Map.entry("fair sees only what is below it", Set.of("fixture.core.model.Impure")),
          Map.entry("text sees only what is below it", Set.of("fixture.core.model.Impure")),
          Map.entry("measure sees only what is below it", Set.of("fixture.core.model.Impure")),
          Map.entry("period sees only what is below it", Set.of("fixture.core.model.Impure")),
          Map.entry("capacity sees only what is below it", Set.of("fixture.core.schedule.Order")),
          Map.entry("linear sees only what is below it", Set.of("fixture.core.model.Impure")),
          Map.entry("classify sees only what is below it", Set.of("fixture.core.schedule.Order")),
          Map.entry("schedule sees only what is below it", Set.of("fixture.core.policy.Decision")),
          Map.entry("policy sees only what is below it", Set.of("fixture.core.classify.Rules")),
          Map.entry("no cycle in core", Set.of("Cycle detected: Slice classify")),
          Map.entry("no cycle in core.schedule", Set.of("Cycle detected: Slice one")),
          Map.entry("no cycle in core.policy", Set.of("Cycle detected: Slice one")),
          Map.entry("module core sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module document sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module lp sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module ledger sees only what is below it", Set.of("fixture.document.Tree")),
          Map.entry("module papers sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module studies sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module access sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module sim sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module nfs sees only what is below it", Set.of("fixture.document.Tree")),
          Map.entry("module command sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module stage sees only what is below it", Set.of("fixture.gateway.Server")),
          Map.entry("module jobs sees only what is below it", Set.of("fixture.nfs.Wire")),
          Map.entry("module gateway sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module store sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module web sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module history sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module lustre sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module control sees only what is below it", Set.of("fixture.app.Main")),
          Map.entry("module load sees only what is below it", Set.of("fixture.gateway.Server")));

  @Test
  void thereAreClassesToLookAt() {
    assertThat(OURS.contain("dev.sluice.core.model.Flow")).isTrue();
    assertThat(OURS.contain("dev.sluice.tidy.LayeringTest")).isFalse();
  }

  @TestFactory
  Stream<DynamicTest> everyRuleHolds() {
    return RULES.all().entrySet().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(OURS)));
  }

  @Test
  void everyPackageOfCoreHasItsLayer() {
    assertThat(RULES.coreLayersNotListed(OURS)).isEmpty();
  }

  @Test
  void everyModuleHasItsPlace() {
    assertThat(RULES.modulesNotListed(OURS)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> everyRuleCanFail() {
    return FIXTURE_RULES.all().entrySet().stream()
        .map(rule ->
            DynamicTest.dynamicTest(
                rule.getKey(),
                () ->
                    assertThat(report(rule.getValue()))
                        .contains(EXPECTED.getOrDefault(rule.getKey(), Set.of("?")))));
  }

  @Test
  void whatIsAllowedBreaksNoRule() {
    Set<String> breached = new TreeSet<>();
    FIXTURE_RULES
        .all()
        .forEach((name, rule) -> {
          if (report(rule).contains("fixture.core.model.Pure")) {
            breached.add(name);
          }
        });
    assertThat(breached).isEmpty();
  }

  @Test
  void aPackageOfCoreWithoutALayerIsFound() {
    assertThat(FIXTURE_RULES.coreLayersNotListed(FIXTURES))
        .containsExactly("dev.sluice.tidy.fixture.core.unlisted");
  }

  @Test
  void aModuleWithoutAPlaceIsFound() {
    assertThat(FIXTURE_RULES.modulesNotListed(FIXTURES))
        .containsExactly("dev.sluice.tidy.fixture", "dev.sluice.tidy.fixture.stray");
  }

  private static String report(ArchRule rule) {
    return String.join("\n", rule.evaluate(FIXTURES).getFailureReport().getDetails());
  }
}
