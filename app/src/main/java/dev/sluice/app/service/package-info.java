/**
 * What programs that run for long have to do with whoever started them, which is mostly systemd.
 */
@NullMarked
package dev.sluice.app.service;

import org.jspecify.annotations.NullMarked;
