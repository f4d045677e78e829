/** Alerts: when something lasts too long, somebody is told, once. */
@NullMarked
package dev.sluice.history.alert;

import org.jspecify.annotations.NullMarked;
