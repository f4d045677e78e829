package dev.sluice.app.control;

import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.List;

/** How the link of an agent or a gateway to its controller is, as text for people. */
public final class LinkText {
  private LinkText() {}

  /**
   * A line about the link; none where there is no controller.
   *
   * @param status of the agent or the gateway
   * @param lapsed what it means that no orders came for too long
   */
  public static List<String> lines(DocumentMap status, String lapsed) {
    DocumentNode node = status.optional("controller");
    if (node == null || !node.isMap()) {
      return List.of();
    }
    DocumentMap link = node.openMap();
    StringBuilder line = new StringBuilder("controller: ");
    line.append(link.required("connected").bool() ? "connected" : "not connected");
    String silent = link.required("silent_ms").text();
    if (!silent.equals("null")) {
      line.append(", orders of leader ")
          .append(link.required("epoch").text())
          .append(" came ")
          .append(Quantities.formatDuration(Long.parseLong(silent) * 1_000_000))
          .append(" ago");
    }
    if (link.required("lapsed").bool()) {
      line.append("; ").append(lapsed);
    }
    return List.of(line.toString());
  }

  /** What is wrong with the link, in words; none where nothing is. */
  public static List<String> troubles(DocumentMap status) {
    DocumentNode node = status.optional("controller");
    String trouble =
        node == null || !node.isMap() ? "null" : node.openMap().required("trouble").text();
    return trouble.equals("null") ? List.of() : List.of("note: controller: " + trouble);
  }
}
