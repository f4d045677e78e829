package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;

/** Finds out who is behind a call. Asked once per call, by many threads. */
public interface Admissions {
  /** Who is charged for an operation on this file, and at which target it waits. */
  Admission admit(RpcCall call, FileHandle handle, Operation operation);
}
