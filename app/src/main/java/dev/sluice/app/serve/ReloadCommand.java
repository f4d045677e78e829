package dev.sluice.app.serve;

import dev.sluice.document.DocumentNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
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
      "whether the new file is good. A bad one changes nothing.",
      ""
    },
    mixinStandardHelpOptions = true)
public final class ReloadCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    List<DocumentNode> changes = gateway.answer("reload", _ -> {}).required("changes").list();
    changes.forEach(change -> out.println(change.text()));
    if (changes.isEmpty()) {
      out.println("nothing changed");
    }
  }
}
