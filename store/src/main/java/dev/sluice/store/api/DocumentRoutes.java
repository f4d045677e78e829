package dev.sluice.store.api;

import dev.sluice.access.Audit;
import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.store.StoreException;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentChanges;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.DocumentHistory.Outcome;
import dev.sluice.store.documents.DocumentHistory.Wish;
import dev.sluice.store.documents.DocumentVersion;
import dev.sluice.store.documents.PolicyDocument;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The document in force, its history, and how to change it; docs/openapi.yaml describes all. */
public final class DocumentRoutes {
  private static final System.Logger LOG = System.getLogger(DocumentRoutes.class.getName());
  private static final int VERSIONS_SHOWN = 20;

  private final DocumentHistory history;
  private final CurrentDocument current;
  private final Supplier<List<PresentJob>> present;
  private final Supplier<PromiseKeepers> keepers;
  private final Audit audit;
  private final InstantSource clock;

  /**
   * Routes to a history.
   *
   * @param present the jobs that are there now, to say what a change means for them
   * @param keepers whose promises must fit
   * @param audit told who changed what
   */
  public DocumentRoutes(
      DocumentHistory history,
      CurrentDocument current,
      Supplier<List<PresentJob>> present,
      Supplier<PromiseKeepers> keepers,
      Audit audit,
      InstantSource clock) {
    this.history = history;
    this.current = current;
    this.present = present;
    this.keepers = keepers;
    this.audit = audit;
    this.clock = clock;
  }

  /** Adds all of them. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/document", Role.READ, _ -> inForce());
    routes.add(HttpMethod.POST, "/api/v1/document/check", Role.READ, request -> put(request, true));
    routes.add(HttpMethod.GET, "/api/v1/documents", Role.READ, this::list);
    routes.add(HttpMethod.POST, "/api/v1/documents", Role.ADMIN, request -> put(request, false));
    routes.add(HttpMethod.GET, "/api/v1/documents/{version}", Role.READ, this::one);
    routes.add(HttpMethod.POST, "/api/v1/documents/{version}/restore", Role.ADMIN, this::restored);
    routes.add(HttpMethod.GET, "/api/v1/limits", Role.READ, _ -> limits());
  }

  private WebAnswer inForce() {
    DocumentVersion newest = kept(history::current).orElse(DocumentJson.NOTHING);
    return WebAnswer.json(
        JsonLine.object(json -> {
          DocumentJson.version(newest, json);
          DocumentJson.document(current.held().document(), clock.instant(), json);
          DocumentJson.text("trouble", current.trouble(), json);
        }));
  }

  private WebAnswer list(WebRequest request) {
    int max = (int) request.whole("max", VERSIONS_SHOWN, 1, DocumentHistory.VERSIONS_KEPT);
    List<DocumentVersion> versions = kept(() -> history.last(max));
    return WebAnswer.json(
        JsonLine.object(json -> {
          json.writeArrayPropertyStart("versions");
          for (DocumentVersion version : versions) {
            json.writeStartObject();
            DocumentJson.entry(version, json);
            json.writeEndObject();
          }
          json.writeEndArray();
        }));
  }

  private WebAnswer one(WebRequest request) {
    long number = number(request);
    DocumentVersion version =
        kept(() -> history.version(number))
            .orElseThrow(() -> new RefusedException(404, "there is no version " + number));
    return WebAnswer.json(JsonLine.object(json -> DocumentJson.version(version, json)));
  }

  private static long number(WebRequest request) {
    try {
      return Long.parseLong(request.parameter("version"));
    } catch (NumberFormatException e) {
      throw new RefusedException(
          404, "\"" + request.parameter("version") + "\": expected the number of a version");
    }
  }

  private WebAnswer put(WebRequest request, boolean dryRun) {
    DocumentMap body = body(request, "content", "note", "on_version");
    return told(
        dryRun,
        request,
        () -> {
          String content = body.required("content").text();
          keepers.get().admit("document", content);
          return history.apply(
              new Wish(content, request.caller().who(), note(body), onVersion(body), dryRun),
              nowNanos());
        });
  }

  private WebAnswer restored(WebRequest request) {
    DocumentMap body = body(request, "note", "on_version");
    long number = number(request);
    return told(
        false,
        request,
        () -> {
          history
              .version(number)
              .ifPresent(old -> keepers.get().admit("version " + number, old.content()));
          return history.restore(
              number, request.caller().who(), note(body), onVersion(body), false, nowNanos());
        });
  }

  private static DocumentMap body(WebRequest request, String... keys) {
    try {
      return Documents.parse("request", request.body().isBlank() ? "{}" : request.body()).map(keys);
    } catch (DocumentException e) {
      throw new RefusedException(400, String.valueOf(e.getMessage()));
    }
  }

  private static String note(DocumentMap body) {
    DocumentNode note = body.optional("note");
    return note == null ? "" : note.text();
  }

  private static @Nullable Long onVersion(DocumentMap body) {
    DocumentNode version = body.optional("on_version");
    return version == null ? null : version.whole(0, Long.MAX_VALUE);
  }

  private long nowNanos() {
    return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
  }

  /** What became of a wish, for whoever has it. */
  private WebAnswer told(boolean dryRun, WebRequest request, Supplier<Outcome> doing) {
    Outcome outcome;
    try {
      outcome = kept(doing);
    } catch (DocumentException | IllegalArgumentException e) {
      throw new RefusedException(400, String.valueOf(e.getMessage()));
    }
    return switch (outcome) {
      case Outcome.Conflict(long expected, long version) ->
          throw new RefusedException(
              409,
              "version "
                  + version
                  + " is in force, not "
                  + expected
                  + ": somebody else was here; look at what has changed first");
      case Outcome.Same(long version) ->
          WebAnswer.json(outcome(version, false, dryRun, List.of(), List.of()));
      case Outcome.Changed changed -> {
        if (!dryRun) {
          LOG.log(
              System.Logger.Level.INFO,
              "version {0} of the document, by {1}: {2}",
              Long.toString(changed.version()),
              request.caller().who(),
              String.join("; ", changed.changes()));
          audit.note(
              request.caller().who(),
              "document",
              "version " + changed.version() + ": " + String.join("; ", changed.changes()));
          current.refresh();
        }
        yield WebAnswer.json(
            outcome(
                changed.version(),
                true,
                dryRun,
                changed.changes(),
                effects(changed.before(), changed.after())));
      }
    };
  }

  private List<String> effects(PolicyDocument before, PolicyDocument after) {
    return DocumentChanges.effects(before, after, present.get(), clock.instant());
  }

  private static String outcome(
      long version, boolean changed, boolean dryRun, List<String> changes, List<String> effects) {
    return JsonLine.object(json -> {
      json.writeNumberProperty("version", version);
      json.writeBooleanProperty("changed", changed);
      json.writeBooleanProperty("dry_run", dryRun);
      DocumentJson.texts("changes", changes, json);
      DocumentJson.texts("effects", effects, json);
    });
  }

  private WebAnswer limits() {
    Instant now = clock.instant();
    PolicyDocument document = current.held().document();
    List<PresentJob> jobs = present.get();
    return WebAnswer.json(
        JsonLine.object((JsonGenerator json) -> {
          json.writeNumberProperty("version", current.held().version());
          json.writeNumberProperty("at_ms", now.toEpochMilli());
          DocumentJson.limitsInForce(document, now, jobs, json);
        }));
  }

  /** A database that is away is no fault of whoever asks. */
  private static <T> T kept(Supplier<T> work) {
    try {
      return work.get();
    } catch (StoreException e) {
      throw new RefusedException(503, String.valueOf(e.getMessage()));
    }
  }
}
