package dev.sluice.control.settings;

import dev.sluice.store.documents.PresentJob;
import java.util.Collection;

/**
 * Knows what is in force. Asked once a cycle on the controller's thread, so that it must answer at
 * once, from what it knows.
 */
@FunctionalInterface
public interface SettingsSource {
  /**
   * What is in force now.
   *
   * @param present the jobs that are there, whom limits with patterns may be about
   */
  ControlSettings inForce(Collection<PresentJob> present);
}
