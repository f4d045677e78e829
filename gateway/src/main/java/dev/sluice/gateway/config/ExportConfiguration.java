package dev.sluice.gateway.config;

import dev.sluice.core.model.Network;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory tree that clients may mount.
 *
 * @param path as clients name it
 * @param target the name of the target that serves it
 * @param anonymousUid whom squashed callers are taken for
 * @param anonymousGid whom squashed callers are taken for
 * @param clients the networks that may mount it
 * @param privilegedPorts whether only calls from ports below 1024 are served
 * @param managesGroups whether this machine's name service says which groups callers are in
 */
public record ExportConfiguration(
    String path,
    Path directory,
    String target,
    boolean readOnly,
    Squash squash,
    int anonymousUid,
    int anonymousGid,
    List<Network> clients,
    boolean privilegedPorts,
    boolean managesGroups) {
  public ExportConfiguration {
    clients = List.copyOf(clients);
  }

  /** Whose word about their user is not taken. */
  public enum Squash {
    /** That of root. */
    ROOT,
    /** Everybody's. */
    ALL,
    /** Nobody's. */
    NONE
  }
}
