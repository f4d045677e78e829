package dev.sluice.app.serve;

import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a gateway read its configuration again. */
@Command(
    name = "reload",
    description = {
      "Have a gateway that runs read its configuration again, now.",
      "",
      "It does so by itself within two seconds of a change; this command tells at once",
      "whether the new file is good, and what it changed. A bad one changes nothing.",
      ""
    },
    mixinStandardHelpOptions = true)
public final class ReloadCommand implements Runnable {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    DocumentMap answer = gateway.answer("reload", _ -> {});
    List<DocumentNode> changes = answer.required("changes").list();
    changes.forEach(change -> out.println(change.text()));
    DocumentNode earlier = answer.optional("earlier");
    if (changes.isEmpty()) {
      out.println(earlier == null ? "nothing changed" : "nothing new; " + words(earlier.openMap()));
    }
  }

  /** The gateway notices a change by itself, and often before somebody has typed this command. */
  private static String words(DocumentMap earlier) {
    long agoMillis = earlier.required("ago_ms").whole(0, Long.MAX_VALUE / NANOS_PER_MILLI);
    return "it was read "
        + Quantities.formatDuration(agoMillis * NANOS_PER_MILLI)
        + " ago: "
        + earlier.required("changes").list().stream()
            .map(DocumentNode::text)
            .collect(Collectors.joining(", "));
  }
}
