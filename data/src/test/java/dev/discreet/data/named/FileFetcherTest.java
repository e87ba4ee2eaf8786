package dev.discreet.data.named;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFetcherTest {
  /** Never waited for: only so long that a busy machine answers within it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;
  private final byte[] content = new byte[300_000];
  private final List<String> ranges = new CopyOnWriteArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private HttpServer server;
  private ExecutorService threads;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(content);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private URI serve(String path, HttpHandler handler) {
    server.createContext(path, handler);
    return URI.create("http://localhost:" + server.getAddress().getPort() + path);
  }

  /** Serves ranges; the first {@code cuts} answers break off after a third of what is asked. */
  private HttpHandler ranged(byte[] bytes, int cuts) {
    int[] left = {cuts};
    return exchange -> {
      String range = exchange.getRequestHeaders().getFirst("Range");
      ranges.add(String.valueOf(range));
      int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
      if (from >= bytes.length) {
        exchange.sendResponseHeaders(416, -1);
        exchange.close();
        return;
      }
      if (range != null) {
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes " + from + "-" + (bytes.length - 1) + "/" + bytes.length);
      }
      int length = bytes.length - from;
      exchange.sendResponseHeaders(range == null ? 200 : 206, length);
      boolean cut = left[0]-- > 0;
      exchange.getResponseBody().write(bytes, from, cut ? length / 3 : length);
      exchange.getResponseBody().flush();
      if (cut) {
        // Closing with bytes owed breaks the connection.
        throw new IOException("cut");
      }
      exchange.close();
    };
  }

  private static void status(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static PublicFile file(boolean packed, byte[] content, URI... mirrors) throws Exception {
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    return new PublicFile("some/file", packed, hash, List.of(mirrors));
  }

  private Path fetch(PublicFile file) throws IOException {
    return new FileFetcher(lines::add, PATIENCE).fetch(file, folder);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).map(p -> p.getFileName().toString()).toList();
    }
  }

  @Test
  void aFileArrivesWhole() throws Exception {
    Path path = fetch(file(false, content, serve("/a", ranged(content, 0))));
    assertArrayEquals(content, Files.readAllBytes(path));
    assertEquals(List.of("file"), names());
    assertEquals(List.of("fetching some/file from localhost"), lines);
  }

  @Test
  void aCutIsTakenUpWhereItWas() throws Exception {
    Path path = fetch(file(false, content, serve("/a", ranged(content, 2))));
    assertArrayEquals(content, Files.readAllBytes(path));
    assertEquals(3, ranges.size());
    assertEquals("null", ranges.get(0));
    assertEquals("bytes=100000-", ranges.get(1));
    assertEquals(List.of("file"), names());
  }

  @Test
  void aLaterRunGoesOnWithThePart() throws Exception {
    // Each answer brings less: the attempts end before the file does.
    PublicFile file = file(false, content, serve("/a", ranged(content, 6)));
    assertThrows(IOException.class, () -> fetch(file));
    assertEquals(1, names().size());
    assertTrue(names().get(0).endsWith(".part"), names().toString());
    long kept = Files.size(folder.resolve("some").resolve(names().get(0)));
    ranges.clear();
    assertArrayEquals(content, Files.readAllBytes(fetch(file)));
    assertEquals("bytes=" + kept + "-", ranges.get(0));
    assertEquals(List.of("file"), names());
  }

  @Test
  void aPartThatIsWholeNeedsNoFurtherByte() throws Exception {
    URI mirror = serve("/a", ranged(content, 0));
    Path part =
        folder.resolve("some/file." + Integer.toHexString(mirror.toString().hashCode()) + ".part");
    Files.createDirectories(part.getParent());
    Files.write(part, content);
    assertArrayEquals(content, Files.readAllBytes(fetch(file(false, content, mirror))));
    assertEquals(List.of("bytes=300000-"), ranges);
  }

  @Test
  void aPartOfAnOtherFileIsGivenUp() throws Exception {
    URI mirror = serve("/a", ranged(content, 0));
    Path part =
        folder.resolve("some/file." + Integer.toHexString(mirror.toString().hashCode()) + ".part");
    Files.createDirectories(part.getParent());
    Files.write(part, new byte[1_000]);
    assertArrayEquals(content, Files.readAllBytes(fetch(file(false, content, mirror))));
    assertEquals(List.of("bytes=1000-", "null"), ranges);
  }

  @Test
  void aServerWithoutRangesStartsAgain() throws Exception {
    int[] calls = {0};
    URI mirror =
        serve(
            "/a",
            exchange -> {
              boolean cut = calls[0]++ == 0;
              exchange.sendResponseHeaders(200, content.length);
              exchange.getResponseBody().write(content, 0, cut ? 1_000 : content.length);
              exchange.getResponseBody().flush();
              if (cut) {
                throw new IOException("cut");
              }
              exchange.close();
            });
    assertArrayEquals(content, Files.readAllBytes(fetch(file(false, content, mirror))));
    assertEquals(2, calls[0]);
  }

  @Test
  void aWrongFileLeadsToTheNextMirror() throws Exception {
    byte[] wrong = content.clone();
    wrong[5]++;
    Path path =
        fetch(
            file(
                false,
                content,
                serve("/missing", exchange -> status(exchange, 404)),
                serve("/wrong", ranged(wrong, 0)),
                serve("/right", ranged(content, 0))));
    assertArrayEquals(content, Files.readAllBytes(path));
    assertEquals(3, lines.size());
    assertEquals(List.of("file"), names());
  }

  @Test
  void whereAllFailOneLineSaysWhyAndWhatToDo() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    PublicFile file =
        file(
            false,
            content,
            URI.create("http://localhost:" + closed + "/x"),
            serve("/missing", exchange -> status(exchange, 503)),
            serve("/wrong", ranged(Arrays.copyOf(content, 70_000), 0)));
    String message = assertThrows(IOException.class, () -> fetch(file)).getMessage();
    assertEquals(
        "some/file could not be fetched (localhost: no connection; localhost: HTTP status 503;"
            + " localhost: wrong SHA-256). Give a local copy with --data-dir DIR or"
            + " DISCREET_DATA=DIR, or connect to a network.",
        message);
    assertEquals(List.of(), names());
  }

  @Test
  void aServerThatFallsSilentIsGivenUp() throws Exception {
    AtomicBoolean waited = new AtomicBoolean();
    URI silent =
        serve(
            "/silent",
            exchange -> {
              exchange.sendResponseHeaders(200, content.length);
              exchange.getResponseBody().write(content, 0, 1_000);
              exchange.getResponseBody().flush();
              try {
                Thread.sleep(60_000);
                waited.set(true);
              } catch (InterruptedException e) {
                exchange.close();
              }
            });
    PublicFile file = file(false, content, silent, serve("/a", ranged(content, 0)));
    Path path = null;
    // The one that answers has no more time than the silent one, and a busy machine needs more.
    for (Duration patience = Duration.ofMillis(200);
        path == null;
        patience = patience.plus(patience)) {
      try {
        path = new FileFetcher(lines::add, patience).fetch(file, folder);
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("no answer in time"), e.getMessage());
        assertFalse(waited.get(), e.getMessage());
      }
    }
    assertArrayEquals(content, Files.readAllBytes(path));
    assertFalse(waited.get(), "waited for the silent one to the end");
  }

  @Test
  void packedFilesAreJudgedByTheirContents() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    }
    byte[] bytes = packed.toByteArray();
    PublicFile file =
        file(
            true,
            content,
            serve("/plain", ranged(new byte[50], 0)),
            serve("/half", ranged(Arrays.copyOf(bytes, bytes.length / 2), 0)),
            serve("/right", ranged(bytes, 0)));
    Path path = fetch(file);
    assertEquals("file.gz", path.getFileName().toString());
    assertArrayEquals(bytes, Files.readAllBytes(path));
    assertEquals(path, file.checked(path));
    Path plain = Files.write(folder.resolve("file"), content);
    assertEquals(plain, file.checked(plain));
    Files.write(plain, new byte[] {1});
    String message = assertThrows(IOException.class, () -> file.checked(plain)).getMessage();
    assertTrue(message.startsWith(plain + " must be the published file"), message);
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws Exception {
    Files.write(folder.resolve("some"), new byte[1]);
    String message =
        assertThrows(
                IOException.class,
                () -> fetch(file(false, content, serve("/a", ranged(content, 0)))))
            .getMessage();
    assertTrue(message.contains("must be a folder that can be written to"), message);
  }

  @Test
  void whatIsMissingIsFetchedOnceAndFoundAfterwards() throws Exception {
    PublicFile file = file(false, content, serve("/a", ranged(content, 0)));
    NamedSet set = Catalogue.sets().get(0);
    Path other = Files.createDirectory(folder.resolve("other"));
    Path cache = folder.resolve("cache");
    LocalCopies store =
        new LocalCopies(
            new DataFolders(List.of(other, cache), cache), new FileFetcher(lines::add, PATIENCE));
    Path fetched = store.need(set, file);
    assertEquals(cache.resolve(set.folder()).resolve("some/file"), fetched);
    assertEquals(fetched, store.need(set, file));
    assertEquals(1, ranges.size());
    // A part never stands for the file.
    Files.move(fetched, fetched.resolveSibling("file.0.part"));
    assertTrue(LocalCopies.find(cache, set, file).isEmpty());
  }
}
