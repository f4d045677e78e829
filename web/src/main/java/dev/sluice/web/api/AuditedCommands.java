package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.Documents;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives commands and notes down those that changed something, by whom, and how to take them back.
 * One command that changes something is carried out at a time, so that what was before it is known.
 */
public final class AuditedCommands {
  private static final String ERROR = "{\"error\":";
  private static final List<String> CHANGING =
      List.of("policy", "job", "observe", "rules", "reload");

  private final RequestHandler commands;
  private final InstantSource clock;
  private final AuditTrail trail = new AuditTrail();

  public AuditedCommands(RequestHandler commands, InstantSource clock) {
    this.commands = commands;
    this.clock = clock;
  }

  /** Who changed what. */
  public AuditTrail trail() {
    return trail;
  }

  /** The same commands for somebody whose changes are noted down under this name. */
  public RequestHandler by(String who) {
    return new RequestHandler() {
      @Override
      public Reply reply(String request) {
        return answer(request, who);
      }

      @Override
      public Reply reply(String request, String asker) {
        return answer(request, asker + ", " + who);
      }
    };
  }

  private RequestHandler.Reply answer(String request, String who) {
    DocumentMap asked = changing(request);
    return asked == null ? commands.reply(request, who) : change(request, asked, who);
  }

  /** Gives a command in somebody's name, and gives the answer. */
  String obey(String request, String who) {
    return by(who).reply(request).line();
  }

  /** The request taken apart if it may change something; what is malformed changes nothing. */
  private static @Nullable DocumentMap changing(String request) {
    try {
      DocumentMap map = Documents.parse("request", request).openMap();
      return CHANGING.contains(map.required("command").text()) ? map : null;
    } catch (DocumentException e) {
      return null;
    }
  }

  private synchronized RequestHandler.Reply change(String request, DocumentMap asked, String who) {
    Situation before = Situation.of(commands);
    ChangeWords change = ChangeWords.of(asked, before);
    RequestHandler.Reply reply = commands.reply(request, who);
    if (change != null && !reply.line().startsWith(ERROR)) {
      trail.add(who, change.words(), change.undo(), clock.instant());
    }
    return reply;
  }

  /** Takes a change back, which is a change like any other but cannot itself be taken back. */
  synchronized String undo(long id, String who) {
    Optional<AuditTrail.Change> taken = trail.takeUndo(id);
    if (taken.isEmpty()) {
      return JsonLine.error("there is no such change, or it cannot be taken back (any more)");
    }
    String answer = "";
    for (String line : taken.get().undo()) {
      answer = commands.reply(line, who).line();
      if (answer.startsWith(ERROR)) {
        return answer;
      }
    }
    trail.add(who, "took back: " + taken.get().what(), List.of(), clock.instant());
    return answer;
  }
}
