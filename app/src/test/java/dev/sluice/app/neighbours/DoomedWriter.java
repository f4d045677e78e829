package dev.sluice.app.neighbours;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client that is killed over and over with writes under way, begins anew each time, and knows
 * what its file may hold.
 *
 * <p>Every write has a number, which stands all over its block. Writes are stable, so one that was
 * answered is kept: a block must never be older than the last answered one, also when others were
 * under way when their client died. What those did may be there or not, until something else has
 * been written over it and answered; from then on they must be gone for good.
 */
final class DoomedWriter implements Runnable {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int PAGE_BYTES = 4 << 10;
  private static final int BLOCKS = 48;
  private static final int WINDOW = 24;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int JUKEBOX = 10_008;

  private final GatewayProcess gateway;
  private final Credential.Sys throttled;
  private final Credential.Sys free;
  private final byte[] file;
  private final RandomGenerator random;

  /** Of each block: the last write that was answered, and the last that was sent. */
  private final int[] kept = new int[BLOCKS];

  private final int[] sent = new int[BLOCKS];

  /** Which block each write without an answer is for. */
  private final Map<Integer, Integer> underWay = new HashMap<>();

  private int writes;
  private int reads;

  /** Who it is in this life. */
  private Credential.Sys caller;

  private final AtomicInteger lives = new AtomicInteger();
  private volatile @Nullable RawClient client;
  private volatile boolean stopped;

  /**
   * A writer.
   *
   * @param throttled whom it is in every other life, with writes that wait
   * @param free whom it is in those after them, which would overtake what is left of a dead one
   */
  DoomedWriter(
      GatewayProcess gateway,
      Credential.Sys throttled,
      Credential.Sys free,
      byte[] file,
      RandomGenerator random) {
    this.gateway = gateway;
    this.throttled = throttled;
    this.free = free;
    this.caller = free;
    this.file = file.clone();
    this.random = random;
  }

  /** Kills it: its connection is reset whatever is under way on it. */
  void kill() throws IOException {
    RawClient living = client;
    if (living != null) {
      living.reset();
    }
  }

  void stop() {
    stopped = true;
  }

  /** How many times it has begun and got something done. */
  int lives() {
    return lives.get();
  }

  @Override
  public void run() {
    while (!stopped) {
      try (RawClient living = RawClient.connect(gateway.nfsAddress(), "127.0.0.1")) {
        client = living;
        caller = caller.equals(free) ? throttled : free;
        live(living);
      } catch (IOException e) {
        // Killed, or the gateway was: begin anew.
        GatewayProcess.pauseMillis(2);
      }
    }
  }

  /** Writes over all that its predecessor left in doubt, then goes on with anything. */
  private void live(RawClient living) throws IOException {
    underWay.clear();
    for (int block = 0; block < BLOCKS; block++) {
      if (sent[block] > kept[block]) {
        write(living, block);
      }
    }
    awaitAtMost(living, 0);
    for (int block = 0; block < BLOCKS; block++) {
      verify(read(living, block), block);
    }
    lives.incrementAndGet();
    while (!stopped) {
      int block = random.nextInt(BLOCKS);
      if (!underWay.containsValue(block)) {
        write(living, block);
      }
      if (random.nextInt(40) == 0) {
        awaitAtMost(living, 0);
        int checked = random.nextInt(BLOCKS);
        verify(read(living, checked), checked);
      }
      awaitAtMost(living, WINDOW - 1);
    }
    awaitAtMost(living, 0);
  }

  private void write(RawClient living, int block) throws IOException {
    int number = ++writes;
    sent[block] = number;
    underWay.put(number, block);
    living.write(
        xid(number),
        caller,
        file,
        (long) block * BLOCK_BYTES,
        contents(number),
        StableHow.FILE_SYNC);
  }

  /** No other writer's calls have these numbers. */
  private int xid(int number) {
    return throttled.uid() << 20 ^ number;
  }

  private void awaitAtMost(RawClient living, int count) throws IOException {
    while (underWay.size() > count) {
      RawClient.Reply reply = living.reply(PATIENCE);
      int number = reply.xid() ^ throttled.uid() << 20;
      Integer block = underWay.get(number);
      if (block == null) {
        throw new AssertionError("an answer to nothing: " + reply.xid());
      }
      if (reply.status() == JUKEBOX) {
        // It was not done; what comes back is another call, as with any client.
        GatewayProcess.pauseMillis(50);
        underWay.remove(number);
        write(living, block);
      } else if (reply.status() != 0) {
        throw new AssertionError("a write was refused with " + reply.status());
      } else {
        underWay.remove(number);
        kept[block] = number;
      }
    }
  }

  private byte[] read(RawClient living, int block) throws IOException {
    RawClient.Reply reply = askToRead(living, block);
    while (reply.status() == JUKEBOX) {
      GatewayProcess.pauseMillis(50);
      reply = askToRead(living, block);
    }
    if (reply.status() != 0) {
      throw new AssertionError("a read was refused with " + reply.status());
    }
    ByteBuffer results = reply.results();
    byte[] data = new byte[BLOCK_BYTES];
    // The attributes may be there or not; the data are what the record ends with.
    int hasAttributes = results.getInt(28);
    int countAt = 32 + (hasAttributes == 0 ? 0 : 84);
    int count = results.getInt(countAt);
    results.get(countAt + 12, data, 0, count);
    return data;
  }

  private RawClient.Reply askToRead(RawClient living, int block) throws IOException {
    int xid = xid(Integer.MIN_VALUE | ++reads);
    living.call(
        xid,
        Nfs3Procedure.READ,
        caller,
        out -> out.writeOpaque(file).writeLong((long) block * BLOCK_BYTES).writeInt(BLOCK_BYTES));
    return living.replyTo(xid, PATIENCE);
  }

  private static byte[] contents(int number) {
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    while (data.hasRemaining()) {
      data.putInt(number);
    }
    return data.array();
  }

  /** Whether a block holds what it must; for the test's own thread when the writer has ended. */
  void verify(byte[] data, int block) {
    ByteBuffer words = ByteBuffer.wrap(data);
    for (int at = 0; at < BLOCK_BYTES; at += PAGE_BYTES) {
      int number = words.getInt(at);
      if (number < kept[block] || number > sent[block]) {
        throw new AssertionError(
            "block "
                + block
                + " holds write "
                + number
                + ", expected "
                + kept[block]
                + " to "
                + sent[block]);
      }
      byte[] page = Arrays.copyOfRange(data, at, at + PAGE_BYTES);
      if (!Arrays.equals(page, Arrays.copyOf(contents(number), PAGE_BYTES))) {
        throw new AssertionError("block " + block + " holds a torn page of write " + number);
      }
    }
  }

  /** Holds all that is in the file, as the server's disk has it, against what must be there. */
  void verifyAll(byte[] contents) {
    byte[] whole = Arrays.copyOf(contents, BLOCKS * BLOCK_BYTES);
    for (int block = 0; block < BLOCKS; block++) {
      verify(Arrays.copyOfRange(whole, block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES), block);
    }
  }
}
