/** ONC RPC version 2, RFC 5531: what stands around every call and reply. */
@NullMarked
package dev.sluice.nfs.rpc;

import org.jspecify.annotations.NullMarked;
