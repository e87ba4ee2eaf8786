package dev.discreet.account;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a PostgreSQL server, and cuts the line at a commit when told to. */
final class LosingProxy implements AutoCloseable {
  private final ServerSocket entrance;
  private final int server;
  private final boolean commitArrives;
  private final AtomicBoolean losesNext = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /**
   * @param commitArrives whether the server hears of the commit before the line is cut
   */
  LosingProxy(String url, boolean commitArrives) throws IOException {
    this.server = URI.create(url.substring("jdbc:".length())).getPort();
    this.commitArrives = commitArrives;
    this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  String url() {
    return PostgresServer.url(entrance.getLocalPort());
  }

  void loseNext() {
    losesNext.set(true);
  }

  int lost() {
    return lost.get();
  }

  private void accept() {
    try {
      while (!entrance.isClosed()) {
        Socket client = entrance.accept();
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
        AtomicBoolean isCut = new AtomicBoolean();
        CountDownLatch answered = new CountDownLatch(1);
        start(() -> forward(client, behind, isCut, answered));
        start(() -> back(behind, client, isCut, answered));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void forward(Socket client, Socket behind, AtomicBoolean isCut, CountDownLatch answered) {
    byte[] bytes = new byte[1 << 16];
    try (client;
        behind) {
      InputStream in = client.getInputStream();
      OutputStream out = behind.getOutputStream();
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        boolean cuts =
            new String(bytes, 0, n, StandardCharsets.ISO_8859_1).contains("COMMIT")
                && losesNext.compareAndSet(true, false);
        if (cuts) {
          isCut.set(true);
          lost.incrementAndGet();
        }
        if (!cuts || commitArrives) {
          out.write(bytes, 0, n);
          out.flush();
        }
        if (cuts) {
          if (commitArrives) {
            answered.await(); // the server commits; its answer stays here
          }
          return;
        }
      }
    } catch (IOException e) {
      // One of the two has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void back(
      Socket behind, Socket client, AtomicBoolean isCut, CountDownLatch answered) {
    byte[] bytes = new byte[1 << 16];
    try {
      InputStream in = behind.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int n = in.read(bytes); n >= 0 && !isCut.get(); n = in.read(bytes)) {
        out.write(bytes, 0, n);
        out.flush();
      }
      client.shutdownOutput();
    } catch (IOException e) {
      // One of the two has gone.
    } finally {
      answered.countDown();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "losing-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
