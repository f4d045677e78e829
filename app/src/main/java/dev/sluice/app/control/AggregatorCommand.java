package dev.sluice.app.control;

import dev.sluice.app.ConfigurationFile;
import dev.sluice.app.FailedException;
import dev.sluice.app.SignalStop;
import dev.sluice.app.service.JournalLog;
import dev.sluice.app.service.ReloadSignal;
import dev.sluice.app.service.ServiceManager;
import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.control.config.AggregatorConfiguration;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.store.lease.LeaderFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs an aggregator until it is told to stop. */
@Command(
    name = "aggregator",
    description = {
      "Stand between many agents and a controller.",
      "",
      "A controller and ten thousand nodes need not all be connected to each other: agents call",
      "an aggregator as they would call a controller, and it adds up what their jobs do. FILE:",
      "  name: rack-7",
      "  listen: 127.0.0.1:7421",
      "  controllers: [127.0.0.1:7420]",
      "All keys are in docs/control.md. Where it dies, agents call the next address that they",
      "were given; without orders, their limits lapse.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice aggregator -c examples/control/aggregator.yaml"})
public final class AggregatorCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationFile file = new ConfigurationFile("aggregator.yaml");

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JournalLog.begin("aggregator");
    AggregatorConfiguration configuration = AggregatorConfiguration.read(file.path());
    try (SignalStop signal = new SignalStop(out);
        ServiceManager manager = new ServiceManager();
        Aggregator aggregator =
            new Aggregator(
                new AggregatorOptions(
                    configuration.name(),
                    LinkOptions.hostName(),
                    configuration.listen(),
                    KeyFiles.of(configuration.keys(), configuration.name()),
                    configuration.timeoutNanos(),
                    AggregatorOptions.MEMBERS_MAX),
                new ControllerLink.Addresses(
                    configuration.controllers(),
                    KeyFiles.of(configuration.keys(), configuration.name()),
                    LinkOptions.readable(configuration.tokenFile())),
                KeyFiles.ofAggregator(configuration.keys(), configuration.name()),
                new Random(),
                new LeaderFile(configuration.obeyedFile()))) {
      signal.ends(manager::close, aggregator::close);
      ReloadSignal.does(
          () -> Followed.words(configuration, AggregatorConfiguration.read(file.path())));
      out.println("listening on port " + aggregator.port());
      out.flush();
      manager.ready("listening on port " + aggregator.port(), List::of);
      // Nobody can tell it to stop but by a signal.
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw new FailedException(file + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }
}
