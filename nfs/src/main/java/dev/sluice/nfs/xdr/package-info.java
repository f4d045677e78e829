/** External Data Representation, RFC 4506: how numbers and bytes stand in messages. */
@NullMarked
package dev.sluice.nfs.xdr;

import org.jspecify.annotations.NullMarked;
