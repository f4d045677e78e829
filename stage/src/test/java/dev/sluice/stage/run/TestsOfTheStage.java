package dev.sluice.stage.run;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs all tests of the stage but the one that starts this, wherever it is started. */
final class TestsOfTheStage {
  private TestsOfTheStage() {}

  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage("dev.sluice.stage"))
            .filters(
                includeClassNamePatterns(".*Test"),
                excludeClassNamePatterns(EverybodyTest.class.getName().replace(".", "\\.")))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, listener);

    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 20);
    System.out.printf(
        "%d succeeded, %d failed, %d skipped%n",
        summary.getTestsSucceededCount(),
        summary.getTotalFailureCount(),
        summary.getTestsAbortedCount() + summary.getTestsSkippedCount());
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
