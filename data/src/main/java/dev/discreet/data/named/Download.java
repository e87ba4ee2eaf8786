package dev.discreet.data.named;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One HTTP request that goes on where a part file ends. */
record Download(HttpClient client, Consumer<String> progress, Duration patience) {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);
  // No file of ours is near it; a server that never ends must not fill the disk.
  private static final long MOST_BYTES = 1L << 30;

  /** What asking once more would not change. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** Makes the part whole, or leaves what arrived in it and says why it stopped. */
  void resume(URI from, Path part) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (!locked(channel)) {
        throw new Refused("another download of " + part + " is under way");
      }
      long have = channel.size();
      HttpRequest.Builder request = HttpRequest.newBuilder(from).timeout(patience);
      if (have > 0) {
        request.header("Range", "bytes=" + have + "-");
      }
      AtomicLong at = new AtomicLong(have);
      AtomicLong total = new AtomicLong(-1);
      int status =
          await(
                  client.sendAsync(request.build(), info -> body(info, channel, have, at, total)),
                  part,
                  at,
                  total)
              .statusCode();
      // 416: there is nothing after what we have. Whether that is the file, its hash will tell.
      if (status != 200 && status != 206 && !(status == 416 && have > 0)) {
        throw new Refused("HTTP status " + status);
      }
      channel.force(true);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static BodySubscriber<Void> body(
      HttpResponse.ResponseInfo info,
      FileChannel channel,
      long have,
      AtomicLong at,
      AtomicLong total) {
    boolean rest =
        info.statusCode() == 206
            && info.headers()
                .firstValue("Content-Range")
                .filter(range -> range.startsWith("bytes " + have + "-"))
                .isPresent();
    if (!rest && info.statusCode() == 206) {
      throw new UncheckedIOException(new Refused("answered with another range than was asked for"));
    }
    if (!rest && info.statusCode() != 200) {
      return BodySubscribers.discarding();
    }
    try {
      if (!rest) {
        channel.truncate(0);
      }
      long start = rest ? have : 0;
      channel.position(start);
      at.set(start);
      info.headers()
          .firstValueAsLong("Content-Length")
          .ifPresent(length -> total.set(start + length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return BodySubscribers.ofByteArrayConsumer(
        bytes -> bytes.ifPresent(some -> at.addAndGet(write(channel, some))));
  }

  private static long write(FileChannel channel, byte[] bytes) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (channel.position() > MOST_BYTES) {
        throw new Refused("more than " + MOST_BYTES + " bytes");
      }
      return bytes.length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client's own timeout ends with the headers: a body that stops coming is noticed here. */
  private HttpResponse<Void> await(
      CompletableFuture<HttpResponse<Void>> answer, Path part, AtomicLong at, AtomicLong total)
      throws IOException {
    long seen = at.get();
    long moved = System.nanoTime();
    long told = moved;
    while (true) {
      try {
        return answer.get(100, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = System.nanoTime();
        if (at.get() != seen) {
          seen = at.get();
          moved = now;
        } else if (now - moved > 2 * patience.toNanos()) {
          answer.cancel(true);
          throw new HttpTimeoutException("stalled");
        }
        if (now - told > BETWEEN_LINES.toNanos() && seen > 0) {
          told = now;
          progress.accept(line(part, seen, total.get()));
        }
      } catch (InterruptedException e) {
        answer.cancel(true);
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      } catch (ExecutionException e) {
        throw cause(e.getCause());
      }
    }
  }

  private static String line(Path part, long bytes, long total) {
    String name = part.getFileName().toString().replaceAll("\\.[0-9a-f]+\\.part$", "");
    return total > 0
        ? String.format(Locale.ROOT, "%s: %.1f of %.1f MB", name, bytes / 1e6, total / 1e6)
        : String.format(Locale.ROOT, "%s: %.1f MB", name, bytes / 1e6);
  }

  private static IOException cause(Throwable e) {
    for (Throwable inner = e; inner != null; inner = inner.getCause()) {
      if (inner instanceof Refused refused) {
        return refused;
      }
    }
    if (e instanceof UncheckedIOException unchecked) {
      return unchecked.getCause();
    }
    return e instanceof IOException io ? io : new IOException(e.toString(), e);
  }
}
