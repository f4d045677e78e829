package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A small NFSv3 and MOUNT server in memory that can be told to misbehave: to cut connections, to
 * cut replies into fragments, to lose what is unstable, to answer late, wrongly or not at all.
 */
public final class TestNfsServer implements AutoCloseable {
  private static final int REPLY_BYTES_MAX = 2 << 20;

  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Map<Long, Node> nodes = new HashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Node root = new Node(2, true);
  private long nextNode = 3;
  private long verifier = 1;

  /** How long each fragment of a reply is. */
  public volatile int fragmentBytes = Integer.MAX_VALUE;

  /** Every so many calls, the connection is cut: before the call is served, or after. */
  public volatile int cutEvery = Integer.MAX_VALUE;

  public volatile boolean cutAfterServing;

  /** Every so many calls the server restarts and loses what is unstable. */
  public volatile int restartEvery = Integer.MAX_VALUE;

  /** Of each write no more than this is taken, of each read no more given. */
  public volatile int transferBytesMax = 1 << 20;

  public volatile long delayMillis;

  /** So many calls of users with these numbers are told to come later. */
  public final AtomicInteger callsToComeLater = new AtomicInteger();

  public volatile int uidToComeLater = -1;

  /** So many calls are taken in and never answered. */
  public final AtomicInteger callsToForget = new AtomicInteger();

  /** The users who called, and the ports they called from. */
  public final Set<Integer> uids = ConcurrentHashMap.newKeySet();

  public final Set<Integer> ports = ConcurrentHashMap.newKeySet();

  /** The numbers of all calls in the order in which they came. */
  public final List<Integer> xids = new CopyOnWriteArrayList<>();

  /** Sent in place of the first reply. */
  public volatile byte @Nullable [] garbage;

  /** Paths that were mounted. */
  public final Set<String> mounted = ConcurrentHashMap.newKeySet();

  private final Map<Nfs3Procedure, AtomicInteger> called = new ConcurrentHashMap<>();

  private static final class Node {
    final long id;
    final boolean directory;
    final Map<String, Node> children = new TreeMap<>();
    byte[] stable = new byte[0];
    byte[] seen = new byte[0];

    Node(long id, boolean directory) {
      this.id = id;
      this.directory = directory;
    }
  }

  public TestNfsServer() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    nodes.put(root.id, root);
    Thread.startVirtualThread(this::accept);
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** How often a procedure was called. */
  public int calls(Nfs3Procedure procedure) {
    AtomicInteger count = called.get(procedure);
    return count == null ? 0 : count.get();
  }

  /** Whether nothing is left. */
  public synchronized boolean isEmpty() {
    return root.children.isEmpty();
  }

  /** Changes a byte of every file that is long enough. */
  public synchronized void corrupt(int offset) {
    for (Node node : nodes.values()) {
      if (node.seen.length > offset) {
        node.seen[offset] ^= 1;
      }
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        if (listener.isClosed()) {
          // It came while the listener was being closed, and was not seen when all were cut.
          socket.close();
        }
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      socket.setTcpNoDelay(true);
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      ByteBuffer reply = ByteBuffer.allocate(REPLY_BYTES_MAX);
      while (true) {
        int mark = in.readInt();
        byte[] record = in.readNBytes(RecordMark.length(mark));
        int number = calls.incrementAndGet();
        boolean cut = number % cutEvery == 0;
        if (cut && !cutAfterServing) {
          return;
        }
        if (number % restartEvery == 0) {
          restart();
          return;
        }
        ports.add(socket.getPort());
        answer(new XdrReader(ByteBuffer.wrap(record)), new XdrWriter(reply.clear()));
        if (callsToForget.get() > 0) {
          callsToForget.decrementAndGet();
          continue;
        }
        if (cut) {
          return;
        }
        if (delayMillis > 0) {
          TimePasses.forMillis(delayMillis);
        }
        send(reply.flip(), out);
      }
    } catch (IOException | InterruptedException e) {
      // The client is gone.
    } finally {
      sockets.remove(socket);
    }
  }

  private void send(ByteBuffer reply, DataOutputStream out) throws IOException {
    byte[] wrong = garbage;
    if (wrong != null) {
      garbage = null;
      out.write(wrong);
      out.flush();
      return;
    }
    while (reply.hasRemaining()) {
      int length = Math.min(fragmentBytes, reply.remaining());
      boolean last = length == reply.remaining();
      out.writeInt(last ? RecordMark.last(length) : RecordMark.more(length));
      byte[] fragment = new byte[length];
      reply.get(fragment);
      out.write(fragment);
    }
    out.flush();
  }

  /** What was not committed is gone. */
  private synchronized void restart() {
    verifier++;
    for (Node node : nodes.values()) {
      node.seen = node.stable.clone();
    }
  }

  private synchronized void answer(XdrReader in, XdrWriter out) {
    int xid = in.readInt();
    xids.add(xid);
    in.skip(8);
    int program = in.readInt();
    in.skip(4);
    int procedure = in.readInt();
    in.skip(4);
    int uid = uid(in.readOpaque(400));
    in.skip(4);
    in.skipOpaque(400);
    ReplyHeader.encodeSuccess(xid, out);
    if (program == MountProcedure.PROGRAM) {
      mount(procedure, in, out);
    } else {
      uids.add(uid);
      if (uid == uidToComeLater && callsToComeLater.get() > 0) {
        callsToComeLater.decrementAndGet();
        out.writeInt(Nfs3Status.JUKEBOX.code()).writeInt(0);
        return;
      }
      nfs(Objects.requireNonNull(Nfs3Procedure.of(procedure)), in, out);
    }
  }

  private static int uid(byte[] credential) {
    XdrReader in = new XdrReader(ByteBuffer.wrap(credential));
    in.skip(4);
    in.skipOpaque(255);
    return in.readInt();
  }

  private void mount(int procedure, XdrReader in, XdrWriter out) {
    if (procedure == MountProcedure.MNT.number()) {
      String path = new String(in.readOpaque(1_024), StandardCharsets.UTF_8);
      if (path.contains("forbidden")) {
        out.writeInt(Nfs3Status.ACCES.code());
        return;
      }
      mounted.add(path);
      out.writeInt(0);
      writeHandle(root, out);
      out.writeInt(0);
    }
  }

  private void nfs(Nfs3Procedure procedure, XdrReader in, XdrWriter out) {
    called.computeIfAbsent(procedure, _ -> new AtomicInteger()).incrementAndGet();
    if (procedure == Nfs3Procedure.NULL) {
      return;
    }
    Node node = nodes.get(ByteBuffer.wrap(in.readOpaque(64)).getLong());
    if (node == null) {
      out.writeInt(Nfs3Status.STALE.code());
      return;
    }
    switch (procedure) {
      case GETATTR -> writeAttributes(node, out.writeInt(0));
      case SETATTR, FSSTAT -> out.writeInt(0);
      case ACCESS -> out.writeInt(0).writeInt(0).writeInt(in.readInt());
      case READLINK -> out.writeInt(0).writeInt(0).writeOpaque(new byte[] {'x'});
      case LOOKUP -> {
        Node child = node.children.get(name(in));
        if (child == null) {
          out.writeInt(Nfs3Status.NOENT.code()).writeInt(0);
        } else {
          writeHandle(child, out.writeInt(0));
        }
      }
      case CREATE, MKNOD, SYMLINK -> make(node, name(in), false, out);
      case MKDIR -> make(node, name(in), true, out);
      case LINK -> {
        Node directory = nodes.get(ByteBuffer.wrap(in.readOpaque(64)).getLong());
        Objects.requireNonNull(directory).children.put(name(in), node);
        out.writeInt(0);
      }
      case REMOVE, RMDIR -> {
        Node gone = node.children.remove(name(in));
        out.writeInt(gone == null ? Nfs3Status.NOENT.code() : 0);
      }
      case RENAME -> {
        Node moved = node.children.remove(name(in));
        in.skipOpaque(64);
        if (moved == null) {
          out.writeInt(Nfs3Status.NOENT.code());
        } else {
          node.children.put(name(in), moved);
          out.writeInt(0);
        }
      }
      case READDIR, READDIRPLUS -> list(node, procedure, out);
      case FSINFO -> {
        out.writeInt(0).writeInt(0);
        for (int i = 0; i < 6; i++) {
          out.writeInt(1 << 20);
        }
      }
      case READ -> read(node, in, out);
      case WRITE -> write(node, in, out);
      case COMMIT -> {
        node.stable = node.seen.clone();
        out.writeInt(0).writeInt(0).writeInt(0).writeLong(verifier);
      }
      case NULL, PATHCONF -> out.writeInt(Nfs3Status.NOTSUPP.code());
    }
  }

  private void make(Node directory, String name, boolean isDirectory, XdrWriter out) {
    Node made =
        directory.children.computeIfAbsent(
            name,
            _ -> {
              Node node = new Node(nextNode++, isDirectory);
              nodes.put(node.id, node);
              return node;
            });
    out.writeInt(0).writeInt(1);
    writeHandle(made, out);
    out.writeInt(0).writeInt(0).writeInt(0);
  }

  private static void list(Node directory, Nfs3Procedure procedure, XdrWriter out) {
    out.writeInt(0).writeInt(0).writeLong(0);
    long cookie = 1;
    for (Map.Entry<String, Node> child : directory.children.entrySet()) {
      out.writeBoolean(true).writeLong(child.getValue().id);
      out.writeOpaque(child.getKey().getBytes(StandardCharsets.UTF_8)).writeLong(cookie++);
      if (procedure == Nfs3Procedure.READDIRPLUS) {
        out.writeInt(0).writeInt(1);
        writeHandle(child.getValue(), out);
      }
    }
    out.writeBoolean(false).writeBoolean(true);
  }

  private void read(Node node, XdrReader in, XdrWriter out) {
    int offset = (int) in.readLong();
    int count = Math.min(in.readInt(), transferBytesMax);
    int end = Math.min(node.seen.length, offset + count);
    byte[] data = Arrays.copyOfRange(node.seen, Math.min(offset, end), end);
    out.writeInt(0).writeInt(0).writeInt(data.length);
    out.writeBoolean(end == node.seen.length).writeOpaque(data);
  }

  private void write(Node node, XdrReader in, XdrWriter out) {
    int offset = (int) in.readLong();
    in.readInt();
    StableHow stability = StableHow.read(in);
    byte[] data = in.readOpaque(1 << 20);
    int count = Math.min(data.length, transferBytesMax);
    int end = offset + count;
    if (node.seen.length < end) {
      node.seen = Arrays.copyOf(node.seen, end);
    }
    System.arraycopy(data, 0, node.seen, offset, count);
    if (stability != StableHow.UNSTABLE) {
      node.stable = node.seen.clone();
    }
    out.writeInt(0).writeInt(0).writeInt(0).writeInt(count).writeInt(stability.code());
    out.writeLong(verifier);
  }

  private static String name(XdrReader in) {
    return new String(in.readOpaque(255), StandardCharsets.UTF_8);
  }

  private static void writeHandle(Node node, XdrWriter out) {
    out.writeOpaque(ByteBuffer.allocate(Long.BYTES).putLong(node.id).array());
  }

  private static void writeAttributes(Node node, XdrWriter out) {
    out.writeInt(node.directory ? 2 : 1).writeInt(0644).writeInt(1).writeInt(0).writeInt(0);
    out.writeLong(node.seen.length).writeLong(0).writeLong(0).writeLong(0).writeLong(node.id);
    out.writeLong(0).writeLong(0).writeLong(0);
  }

  /** Cuts every connection. */
  public void cutAll() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is gone.
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cutAll();
  }
}
