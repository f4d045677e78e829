package dev.sluice.control.loop;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.ResourceLeakDetector;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The thread that also moves the bytes: a report is read, counted and answered without waking
 * another.
 */
public final class NettyLoop implements Loop, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NettyLoop.class.getName());
  private static final long CLOSE_SECONDS = 5;

  static {
    // Looks for buffers that Netty itself forgets; what it wraps them in for that costs every
    // message more than reading it does.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  private final EventLoopGroup group;
  private final EventLoop loop;

  public NettyLoop(String name) {
    ThreadFactory threads = new DefaultThreadFactory(name, true);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            threads,
            Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    this.loop = group.next();
  }

  /** The group of this one thread, for servers and channels. */
  public EventLoopGroup group() {
    return group;
  }

  public Class<? extends Channel> channelType() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  public Class<? extends ServerChannel> serverChannelType() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public void execute(Runnable task) {
    try {
      loop.execute(() -> run(task));
    } catch (RejectedExecutionException e) {
      // It ends, and with it all that could have been done.
      LOG.log(System.Logger.Level.DEBUG, "not done, because the loop has ended", e);
    }
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    if (delayNanos <= 0) {
      // A timer of nothing would still be a timer, and rounds may follow each other at once.
      Timed timed = new Timed(task);
      execute(timed);
      return timed;
    }
    Future<?> future = loop.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** One task that fails must not end the thread that all others need. */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a task failed, and the others go on", e);
    }
  }

  private static final class Timed implements Runnable, Timer {
    private final Runnable task;
    private volatile boolean cancelled;

    Timed(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (!cancelled) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  @Override
  public void close() {
    Future<?> _ = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
