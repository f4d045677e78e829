package dev.sluice.control.access;

import java.nio.file.Path;

/**
 * Where the keys are with which one side of a connection shows who it is, all in PEM.
 *
 * @param certificate our own, followed by those between it and the authority's
 * @param key the private key to it, as PKCS #8
 * @param authority who must have signed the other side's certificate
 */
public record TlsFiles(Path certificate, Path key, Path authority) {}
