package dev.discreet.data.named;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Gets a public file from the first mirror that has the right one. What arrives goes to a {@code
 * .part} file, is taken up where it was cut, and becomes the file in one step once its hash is
 * right.
 */
final class FileFetcher {
  /** The two ways out where there is no network. */
  static final String WAYS_OUT =
      "Give a local copy with --data-dir DIR or DISCREET_DATA=DIR, or connect to a network.";

  private static final int ATTEMPTS = 5;

  private final Download download;
  private final Consumer<String> progress;

  /**
   * @param patience how long to wait for a connection, an answer or further bytes
   */
  FileFetcher(Consumer<String> progress, Duration patience) {
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    this.download = new Download(client, progress, patience);
    this.progress = progress;
  }

  /** The file in the folder, which is made where it is missing. */
  Path fetch(PublicFile file, Path folder) throws IOException {
    if (file.mirrors().isEmpty()) {
      throw new IOException(
          file.fetchedName()
              + " is not here, and we know no place that serves it. Put a copy into DIR/"
              + folder.getFileName()
              + " and give --data-dir DIR or DISCREET_DATA=DIR.");
    }
    Path whole = folder.resolve(file.fetchedName());
    try {
      Files.createDirectories(whole.getParent());
    } catch (IOException e) {
      throw new IOException(
          whole.getParent() + " must be a folder that can be written to: " + reason(e) + ".", e);
    }
    List<String> failures = new ArrayList<>();
    for (URI mirror : file.mirrors()) {
      // A mirror's part is its own: two gzip files of one content cannot be pieced together.
      Path part =
          whole.resolveSibling(
              whole.getFileName()
                  + "."
                  + Integer.toHexString(mirror.toString().hashCode())
                  + ".part");
      progress.accept("fetching " + file.fetchedName() + " from " + mirror.getHost());
      try {
        if (whole(file, mirror, part)) {
          Files.move(
              part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
          forget(whole);
          return whole;
        }
        failures.add(mirror.getHost() + ": wrong SHA-256");
      } catch (IOException e) {
        failures.add(mirror.getHost() + ": " + reason(e));
        if (size(part) == 0) {
          Files.deleteIfExists(part);
        }
      }
    }
    throw new IOException(
        file.fetchedName()
            + " could not be fetched ("
            + String.join("; ", failures)
            + "). "
            + WAYS_OUT);
  }

  /** Whether the mirror's file is the right one; if not, nothing of it is kept. */
  private boolean whole(PublicFile file, URI mirror, Path part) throws IOException {
    boolean resumed = Files.exists(part);
    complete(mirror, part);
    if (file.isGenuine(part)) {
      return true;
    }
    Files.delete(part);
    if (!resumed) {
      return false;
    }
    // The mirror's file may have changed since the first half came.
    complete(mirror, part);
    boolean genuine = file.isGenuine(part);
    if (!genuine) {
      Files.delete(part);
    }
    return genuine;
  }

  /** Goes on after a cut, as long as each attempt brings something. */
  private void complete(URI mirror, Path part) throws IOException {
    for (int attempt = 1; ; attempt++) {
      long before = size(part);
      try {
        download.resume(mirror, part);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS || size(part) <= before || e instanceof Download.Refused) {
          throw e;
        }
      }
    }
  }

  private static long size(Path part) throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  /** Parts of this file from mirrors that gave up earlier. */
  private static void forget(Path whole) throws IOException {
    String start = whole.getFileName() + ".";
    try (Stream<Path> siblings = Files.list(whole.getParent())) {
      for (Path path : siblings.toList()) {
        String name = path.getFileName().toString();
        if (name.startsWith(start) && name.endsWith(".part")) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  private static String reason(IOException e) {
    if (e instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    if (e instanceof ConnectException) {
      return "no connection";
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.lines().findFirst().orElse("");
  }
}
