/**
 * The server's side of NLM, the lock manager beside NFS version 3 (X/Open XNFS, chapter 10): there
 * are no locks between clients, and whoever asks for one is told so instead of waiting for ever.
 */
@NullMarked
package dev.sluice.gateway.nlm;

import org.jspecify.annotations.NullMarked;
