package dev.sluice.web.server;

/** The methods that routes are made for. {@code HEAD} is answered as {@code GET} without a body. */
public enum HttpMethod {
  GET,
  POST,
  PUT,
  DELETE
}
