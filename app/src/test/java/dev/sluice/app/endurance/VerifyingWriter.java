package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.Payload;
import dev.sluice.nfs.nfs3.StableHow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A client that writes a file of its own over and over, and knows what it must read back.
 *
 * <p>Each page of a block holds the number of the write that it is from. A page that is read must
 * be whole, from no write before the last that the server promised to keep, and from none that was
 * never sent. A write that was under way when the server died may have reached some pages and not
 * others; that is why pages are checked and not blocks.
 */
final class VerifyingWriter implements Runnable {
  private static final int PAGE_BYTES = 4 << 10;
  private static final int BLOCK_BYTES = 4 * PAGE_BYTES;
  private static final int BLOCKS = 64;
  private static final int PATIENCE_SECONDS = 120;

  private final NfsClient client;
  private final Handle directory;
  private final Handle file;
  private final int number;
  private final RandomGenerator random;

  /** Of each block: the last write that must not be lost, and the last that was sent. */
  private final long[] kept = new long[BLOCKS];

  private final long[] sent = new long[BLOCKS];

  /** Of each block: the last write that awaits a commit, and the verifier it was answered with. */
  private final long[] unstable = new long[BLOCKS];

  private final long[] unstableVerifier = new long[BLOCKS];

  private final List<String> made = new ArrayList<>();
  private final Set<Long> verifiers = new HashSet<>();
  private long writes;
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean stopped;

  VerifyingWriter(NfsClient client, Handle directory, int number, RandomGenerator random)
      throws Exception {
    this.client = client;
    this.directory = directory;
    this.number = number;
    this.random = random;
    this.file = answer(client.openFile(directory, "writer-" + number, 0644));
  }

  /** Works until told to stop. */
  @Override
  public void run() {
    try {
      while (!stopped) {
        step();
        steps.incrementAndGet();
      }
    } catch (Exception e) {
      throw new IllegalStateException("writer " + number + ": " + e.getMessage(), e);
    }
  }

  void stop() {
    stopped = true;
  }

  /** How much it has done; grows as long as the server answers. */
  long steps() {
    return steps.get();
  }

  /** The write verifiers it has seen: another one for each time that the server was started. */
  Set<Long> verifiers() {
    return Set.copyOf(verifiers);
  }

  private void step() throws Exception {
    int chance = random.nextInt(100);
    int block = random.nextInt(BLOCKS);
    if (chance < 40) {
      write(block, StableHow.UNSTABLE);
    } else if (chance < 60) {
      write(block, StableHow.FILE_SYNC);
    } else if (chance < 72) {
      commit();
    } else if (chance < 97) {
      verify(block);
    } else {
      make();
    }
  }

  private void write(int block, StableHow stability) throws Exception {
    long write = ++writes;
    sent[block] = write;
    NfsClient.Written written =
        answer(client.write(file, offset(block), new Block(number, block, write), stability));
    assertThat(written.count()).isEqualTo(BLOCK_BYTES);
    verifiers.add(written.verifier());
    if (written.stability() == StableHow.UNSTABLE) {
      assertThat(stability).isEqualTo(StableHow.UNSTABLE);
      unstable[block] = write;
      unstableVerifier[block] = written.verifier();
    } else {
      kept[block] = write;
      unstable[block] = 0;
    }
  }

  /** What another server has answered may be lost; a real client would send it again. */
  private void commit() throws Exception {
    long verifier = answer(client.commit(file));
    verifiers.add(verifier);
    for (int block = 0; block < BLOCKS; block++) {
      if (unstable[block] > 0 && unstableVerifier[block] == verifier) {
        kept[block] = unstable[block];
      }
      unstable[block] = 0;
    }
  }

  private void make() throws Exception {
    String name = "made-" + number + "-" + made.size();
    answer(client.create(directory, name, 0644));
    made.add(name);
  }

  /** Reads everything back. */
  void verifyAll() throws Exception {
    for (int block = 0; block < BLOCKS; block++) {
      verify(block);
    }
    for (String name : made) {
      answer(client.lookup(directory, name));
    }
  }

  private void verify(int block) throws Exception {
    // What lies behind the end of the file reads as zeros here.
    ByteBuffer read = ByteBuffer.allocate(BLOCK_BYTES);
    answer(client.read(file, offset(block), BLOCK_BYTES, read::put));
    for (int page = 0; page < BLOCK_BYTES / PAGE_BYTES; page++) {
      verifyPage(read, block, page);
    }
  }

  private void verifyPage(ByteBuffer read, int block, int page) {
    String place = "writer " + number + ", block " + block + ", page " + page;
    int start = page * PAGE_BYTES;
    long write = read.getLong(start + 2 * Long.BYTES);
    assertThat(write).as(place).isBetween(kept[block], sent[block]);
    ByteBuffer expected = ByteBuffer.allocate(PAGE_BYTES);
    if (write > 0) {
      new Block(number, block, write).writePage(page, expected);
    }
    assertThat(read.slice(start, PAGE_BYTES)).as(place).isEqualTo(expected.clear());
  }

  private static long offset(int block) {
    return (long) block * BLOCK_BYTES;
  }

  private static <T> T answer(CompletableFuture<T> pending) throws Exception {
    return pending.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** The contents of one write. */
  private record Block(int writer, int block, long write) implements Payload {
    @Override
    public int length() {
      return BLOCK_BYTES;
    }

    @Override
    public void writeTo(ByteBuffer out) {
      for (int page = 0; page < BLOCK_BYTES / PAGE_BYTES; page++) {
        writePage(page, out);
      }
    }

    void writePage(int page, ByteBuffer out) {
      int start = page * PAGE_BYTES;
      for (int i = start; i < start + PAGE_BYTES; i += 4 * Long.BYTES) {
        out.putLong(writer).putLong(block).putLong(write).putLong(i);
      }
    }
  }
}
