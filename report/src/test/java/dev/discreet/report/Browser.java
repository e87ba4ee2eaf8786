package dev.discreet.report;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by its own debugging protocol. */
final class Browser {
  private static final long SECONDS = 60;
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final BlockingQueue<Map<String, Object>> received = new LinkedBlockingQueue<>();
  private final List<Map<String, Object>> events = new ArrayList<>();
  private int calls;

  /** The program of the environment variable CHROMIUM, or one on the path. */
  static Optional<Path> installed() {
    String given = System.getenv("CHROMIUM");
    Stream<Path> onPath =
        NAMES.stream()
            .flatMap(
                name ->
                    Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)));
    return (given == null ? onPath : Stream.of(Path.of(given)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  Browser(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("chromium.log").toFile())
            .start();
    socket = connect(profile.resolve("DevToolsActivePort"));
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
  }

  private WebSocket connect(Path portFile) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end && process.isAlive()) {
      // The file appears when the port is open; the page may take a moment longer.
      if (Files.exists(portFile) && Files.size(portFile) > 0) {
        URI list =
            URI.create("http://127.0.0.1:" + Files.readAllLines(portFile).get(0) + "/json/list");
        String answer =
            http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
        for (Object target : JSON.std.listFrom(answer)) {
          if (target instanceof Map<?, ?> page && "page".equals(page.get("type"))) {
            URI address = URI.create((String) page.get("webSocketDebuggerUrl"));
            return http.newWebSocketBuilder().buildAsync(address, new Inbox()).join();
          }
        }
      }
      Thread.sleep(50);
    }
    process.destroyForcibly();
    throw new IOException("the browser did not open its debugging port");
  }

  private final class Inbox implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        try {
          received.add(JSON.std.mapFrom(message.toString()));
        } catch (IOException e) {
          received.add(Map.of("method", "unreadable", "params", Map.of("text", e.toString())));
        }
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private Map<String, Object> next() throws Exception {
    Map<String, Object> message = received.poll(SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new IOException("the browser said nothing for " + SECONDS + " s");
    }
    if (message.containsKey("method")) {
      events.add(message);
    }
    return message;
  }

  Map<?, ?> call(String method, Map<String, ?> parameters) throws Exception {
    int id = ++calls;
    String text = JSON.std.asString(Map.of("id", id, "method", method, "params", parameters));
    socket.sendText(text, true).join();
    while (true) {
      Map<String, Object> message = next();
      if (Integer.valueOf(id).equals(message.get("id"))) {
        if (message.get("error") != null) {
          throw new IOException(method + ": " + message.get("error"));
        }
        return (Map<?, ?>) message.get("result");
      }
    }
  }

  /** Opens a file in a window so wide and waits until all of it is there. */
  void open(Path page, int width, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of(scheme)));
    events.clear();
    call("Page.navigate", Map.of("url", page.toUri().toString()));
    while (events.stream().noneMatch(event -> "Page.loadEventFired".equals(event.get("method")))) {
      next();
    }
  }

  /** The value of a JavaScript expression. */
  Object evaluate(String expression) throws Exception {
    Map<?, ?> answer =
        call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (answer.get("exceptionDetails") != null) {
      throw new IOException("script failed: " + answer.get("exceptionDetails"));
    }
    return ((Map<?, ?>) answer.get("result")).get("value");
  }

  /** Addresses asked for since the page was opened, parts of the page itself left out. */
  List<String> requests() {
    return events.stream()
        .filter(event -> "Network.requestWillBeSent".equals(event.get("method")))
        .map(event -> (Map<?, ?>) ((Map<?, ?>) event.get("params")).get("request"))
        .map(request -> (String) request.get("url"))
        .filter(url -> !url.startsWith("data:"))
        .toList();
  }

  /** Errors, warnings and whatever else was written to the console since the page was opened. */
  List<String> complaints() {
    List<String> said = List.of("Runtime.consoleAPICalled", "Runtime.exceptionThrown");
    return events.stream()
        .filter(e -> said.contains(e.get("method")) || "Log.entryAdded".equals(e.get("method")))
        .map(event -> String.valueOf(event.get("params")))
        .toList();
  }

  void screenshot(Path file) throws Exception {
    Map<?, ?> answer =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.write(file, Base64.getDecoder().decode((String) answer.get("data")));
  }

  void print(Path file) throws Exception {
    Map<?, ?> answer = call("Page.printToPDF", Map.of("paperWidth", 8.27, "paperHeight", 11.69));
    Files.write(file, Base64.getDecoder().decode((String) answer.get("data")));
  }

  void close() throws Exception {
    List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
    family.add(process.toHandle());
    try {
      call("Browser.close", Map.of());
    } finally {
      // A profile that one of them still writes to cannot be deleted.
      for (ProcessHandle member : family) {
        try {
          member.onExit().get(10, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          member.destroyForcibly();
          member.onExit().get(10, TimeUnit.SECONDS);
        }
      }
    }
  }
}
