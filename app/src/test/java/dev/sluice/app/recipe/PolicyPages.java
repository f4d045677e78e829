package dev.sluice.app.recipe;

import dev.sluice.core.policy.PolicyInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages about policies, each about one or several. */
record PolicyPages(List<String> pages) {
  static PolicyPages in(Path directory) throws IOException {
    List<String> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        pages.add(Files.readString(file));
      }
    }
    return new PolicyPages(pages);
  }

  /** Whether the title of a page names the policy, and the page each of its parameters. */
  boolean describe(PolicyInfo policy) {
    return describe(
        policy.name(), policy.parameters().stream().map(PolicyInfo.Parameter::name).toList());
  }

  boolean describe(String policy, List<String> parameters) {
    Pattern name = Pattern.compile("\\b" + Pattern.quote(policy.replace("-", "")) + "\\b");
    return pages.stream()
        .anyMatch(page ->
            name.matcher(title(page)).find()
                && parameters.stream().allMatch(parameter -> page.contains("`" + parameter + "`")));
  }

  /** As the command line would spell it: IO-Sets is iosets there. */
  private static String title(String page) {
    return page.lines().findFirst().orElse("").toLowerCase(Locale.ROOT).replace("-", "");
  }
}
