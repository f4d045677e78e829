package dev.sluice.command;

/** Answers the lines that come in on a command socket. Called by several threads at once. */
public interface RequestHandler {
  /** The answer to a request, whatever it holds. */
  Reply reply(String request);

  /**
   * The answer to a request of somebody.
   *
   * @param who asks, in words for a journal
   */
  default Reply reply(String request, String who) {
    return reply(request);
  }

  /**
   * What is sent back, on one line.
   *
   * @param afterwards what must wait until the answer is out, such as closing this very connection
   */
  record Reply(String line, Runnable afterwards) {
    public static Reply of(String line) {
      return new Reply(line, () -> {});
    }
  }
}
