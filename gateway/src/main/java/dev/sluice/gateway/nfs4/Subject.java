package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileTree.Space;

/**
 * Whose attributes are told.
 *
 * @param fileSystem the number of the export, or 0 for the directories above exports
 * @param mountedOn the number of the directory that the root of an export hides; the file's own
 *     everywhere else
 */
record Subject(
    FileHandle handle, Attributes attributes, int fileSystem, long mountedOn, SpaceSource space) {
  /** Asked only where a client wants to know. */
  @FunctionalInterface
  interface SpaceSource {
    Space space() throws FileException;
  }
}
