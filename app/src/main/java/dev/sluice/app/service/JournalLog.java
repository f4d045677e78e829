package dev.sluice.app.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is logged to systemd's journal, in fields that {@code journalctl} can select by:
 * PRIORITY, SLUICE_PROGRAM and SLUICE_LOGGER beside the message. Only where standard error is the
 * journal anyway; elsewhere the log stays as it is.
 */
public final class JournalLog extends Handler {
  private static final Path JOURNAL = Path.of("/run/systemd/journal/socket");

  /** Longer ones would have to go by a file, and nobody reads them. */
  private static final int TEXT_CHARS_MAX = 32 << 10;

  private final UnixDatagrams journal;
  private final String program;

  JournalLog(UnixDatagrams journal, String program) {
    this.journal = journal;
    this.program = program;
  }

  /**
   * From now on, all that this process logs.
   *
   * @param program which of our programs it is
   */
  public static void begin(String program) {
    if (System.getenv("JOURNAL_STREAM") == null || !Files.exists(JOURNAL)) {
      return;
    }
    Logger all = LogManager.getLogManager().getLogger("");
    for (Handler handler : all.getHandlers()) {
      all.removeHandler(handler);
    }
    all.addHandler(new JournalLog(new UnixDatagrams(JOURNAL.toString()), program));
  }

  @Override
  public void publish(LogRecord logged) {
    if (!isLoggable(logged)) {
      return;
    }
    try {
      journal.send(encoded(fields(logged)));
    } catch (IOException e) {
      reportError(e.getMessage(), e, ErrorManager.WRITE_FAILURE);
    }
  }

  private Map<String, String> fields(LogRecord logged) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("MESSAGE", message(logged));
    fields.put("PRIORITY", priority(logged.getLevel()));
    fields.put("SYSLOG_IDENTIFIER", "sluice");
    fields.put("SLUICE_PROGRAM", program);
    fields.put("SLUICE_LOGGER", String.valueOf(logged.getLoggerName()));
    return fields;
  }

  private static String message(LogRecord logged) {
    String text = new Text().formatMessage(logged);
    Throwable thrown = logged.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      text += "\n" + trace;
    }
    return text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX) + "…";
  }

  /** As syslog counts them. */
  private static String priority(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "3";
    }
    if (value >= Level.WARNING.intValue()) {
      return "4";
    }
    return value >= Level.INFO.intValue() ? "6" : "7";
  }

  /** In the journal's own form: a value with more than one line says how long it is. */
  static byte[] encoded(Map<String, String> fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    fields.forEach((name, value) -> {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
      if (value.indexOf('\n') < 0) {
        out.write('=');
      } else {
        out.write('\n');
        out.writeBytes(
            ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes.length)
                .array());
      }
      out.writeBytes(bytes);
      out.write('\n');
    });
    return out.toByteArray();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  /** Puts a message's arguments in their places. */
  private static final class Text extends java.util.logging.Formatter {
    @Override
    public String format(@Nullable LogRecord logged) {
      return logged == null ? "" : formatMessage(logged);
    }
  }
}
