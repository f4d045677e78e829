package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.TestHandles;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A program to test servers with: it moves bytes, counts, waits and fails as it is told. */
final class ToyProgram implements RpcProgram {
  static final int PROGRAM = 400_000;
  static final int VERSION = 7;

  /** Nothing, and at once. */
  static final int NULL = 0;

  /** Answers with its argument, an opaque. */
  static final int ECHO = 1;

  /** Answers with so many bytes, each the low byte of its place. */
  static final int READ = 2;

  /** Takes an opaque and answers with its {@link #sample}. */
  static final int WRITE = 3;

  /** Answers with how often it was called; repeated calls are answered from memory. */
  static final int COUNT = 4;

  /** Throws. */
  static final int FAIL = 5;

  /** Takes so many microseconds and answers with its argument, an int. */
  static final int SLEEP = 6;

  /** Writes more results than it announced. */
  static final int OVERFLOW = 7;

  /** What whoever is to come later is answered. */
  static final int LATER = -10_008;

  private static final int DATA_BYTES_MAX = 1 << 20;

  private static final ByteBuffer PATTERN = pattern();

  final AtomicInteger counted = new AtomicInteger();
  final AtomicLong served = new AtomicLong();

  /** The largest number of calls of {@link #SLEEP} that were served at the same time. */
  final AtomicInteger mostSleeping = new AtomicInteger();

  /** What calls have slots of; null where they need none. */
  volatile @Nullable Slots slots;

  private final AtomicInteger sleeping = new AtomicInteger();
  private final FileHandle handle = TestHandles.any();

  @Override
  public int program() {
    return PROGRAM;
  }

  @Override
  public int version() {
    return VERSION;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return procedure >= NULL && procedure <= OVERFLOW;
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    return switch (call.procedure()) {
      case NULL -> new Work(null, null, 0, 0, false);
      case ECHO -> {
        int length = length(arguments);
        yield new Work(handle, Operation.GETATTR, 0, 4 + XdrReader.padded(length), false);
      }
      case READ -> {
        int length = length(arguments);
        yield new Work(handle, Operation.READ, length, 4 + XdrReader.padded(length), false);
      }
      case WRITE -> new Work(handle, Operation.WRITE, length(arguments), 4, false);
      case COUNT -> new Work(handle, Operation.CREATE, 0, 4, true);
      case SLEEP -> new Work(handle, Operation.COMMIT, 0, 4, false);
      default -> new Work(handle, Operation.SETATTR, 0, 4, false);
    };
  }

  @Override
  public @Nullable Slots slots(Work work) {
    return slots;
  }

  private static ByteBuffer pattern() {
    ByteBuffer pattern = ByteBuffer.allocateDirect(DATA_BYTES_MAX);
    for (int i = 0; i < DATA_BYTES_MAX; i++) {
      pattern.put((byte) i);
    }
    return pattern.flip().asReadOnlyBuffer();
  }

  /** The sum of some bytes and the length, which is enough to notice bytes at the wrong place. */
  static int sample(ByteBuffer bytes) {
    int sum = bytes.remaining();
    for (int i = 0; i < bytes.remaining(); i += 1_021) {
      sum = 31 * sum + bytes.get(bytes.position() + i);
    }
    return sum;
  }

  private static int length(XdrReader arguments) {
    int length = arguments.readInt();
    if (length < 0 || length > DATA_BYTES_MAX) {
      throw new XdrException("too much");
    }
    return length;
  }

  @Override
  public void postpone(RpcCall call, Work work, XdrWriter results) {
    results.writeInt(LATER);
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    if (!(call.credential() instanceof Credential.Sys)) {
      throw new XdrException("the tests call as somebody");
    }
    served.incrementAndGet();
    return switch (call.procedure()) {
      case NULL -> Served.ONE;
      case ECHO -> {
        ByteBuffer bytes = arguments.readOpaqueInPlace(DATA_BYTES_MAX);
        int length = bytes.remaining();
        results.writeInt(length).buffer().put(bytes);
        results.writePadding(length);
        yield Served.ONE;
      }
      case READ -> {
        int length = arguments.readInt();
        results.writeInt(length).buffer().put(PATTERN.slice(0, length));
        results.writePadding(length);
        yield Served.moved(length);
      }
      case WRITE -> {
        ByteBuffer bytes = arguments.readOpaqueInPlace(DATA_BYTES_MAX);
        int length = bytes.remaining();
        results.writeInt(sample(bytes));
        yield Served.moved(length);
      }
      case COUNT -> {
        results.writeInt(counted.incrementAndGet());
        yield Served.ONE;
      }
      case SLEEP -> {
        int micros = arguments.readInt();
        if (micros < 0 || micros > 1_000_000) {
          throw new XdrException("too long");
        }
        mostSleeping.accumulateAndGet(sleeping.incrementAndGet(), Math::max);
        LockSupport.parkNanos(micros * 1_000L);
        sleeping.decrementAndGet();
        results.writeInt(micros);
        yield Served.ONE;
      }
      case OVERFLOW -> {
        results.writeOpaque(new byte[1_000]);
        yield Served.ONE;
      }
      default -> throw new IllegalStateException("as it was told");
    };
  }
}
