package dev.discreet.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives inputs to readers and finds out which of them do something that no reader may do. An input
 * follows from the reader's name, the seed and its index alone.
 */
final class HostileRun implements AutoCloseable {
  /** What any input may cost, and what it may cost for each of its bytes. */
  static final long FREE_BYTES = 24 << 20;

  static final long BYTES_A_BYTE = 400;

  static final long MOST_CPU_NANOS = 3_000_000_000L;
  private static final long MOST_WAIT_SECONDS = 120;
  private static final int LONGEST_MESSAGE = 20_000;
  private static final int MOST_FAULTS = 40;
  private static final int TRIES = 400;
  private static final String SLOW = "takes too long";
  private static final String OUTSIDE = "this stands outside of what was given";

  /** A name in hostile archives. */
  private static final Path ABSOLUTE = Path.of("/tmp/outside.png");

  private static final Recorder RECORDER = new Recorder();

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * @param what the kind of fault, the same for inputs that have the same cause
   */
  record Fault(String parser, String what, long seed, long index, HostileFiles files) {
    @Override
    public String toString() {
      return "%s: %s%n  again by: --parser %s --seed %d --index %d%n  or: --parser %s --input %s"
          .formatted(parser, what, parser, seed, index, parser, files.encoded());
    }
  }

  /** What became of the inputs of one reader. */
  static final class Tally {
    long inputs;
    long accepted;
    long bytes;
    long mostAllocated;
    long mostNanos;
    long nanos;
    long faults;

    void add(Tally other) {
      inputs += other.inputs;
      accepted += other.accepted;
      bytes += other.bytes;
      mostAllocated = Math.max(mostAllocated, other.mostAllocated);
      mostNanos = Math.max(mostNanos, other.mostNanos);
      nanos += other.nanos;
      faults += other.faults;
    }
  }

  private final long mostNanos;
  private final Path work;
  private final Path folder;
  private final Map<String, Fault> faults = new TreeMap<>();
  private final Map<String, Tally> tallies = new TreeMap<>();
  // One thread, so that all that a reader allocates is allocated by it, also in parallel streams.
  private final ForkJoinPool pool = new ForkJoinPool(1);
  private final ProxySelector before;
  private final boolean absolute;
  private Set<String> given = Set.of();
  private volatile String now = "";
  private volatile Thread worker;

  HostileRun() throws IOException {
    this(MOST_CPU_NANOS);
  }

  /**
   * @param mostNanos of CPU time for one input
   */
  HostileRun(long mostNanos) throws IOException {
    this.mostNanos = mostNanos;
    work = Files.createTempDirectory("hostile").toRealPath();
    folder = Files.createDirectories(work.resolve("in").resolve("given"));
    Files.writeString(work.resolve("outside.png"), OUTSIDE);
    Files.writeString(folder.resolveSibling("outside.png"), OUTSIDE);
    absolute = Files.exists(ABSOLUTE);
    before = ProxySelector.getDefault();
    ProxySelector.setDefault(RECORDER);
  }

  /**
   * Sockets and URLs ask it before they connect, in the thread of their caller; channels ask no
   * one. It serves all runs, for there is one for the whole program.
   */
  private static final class Recorder extends ProxySelector {
    private final Map<Thread, URI> asked = new ConcurrentHashMap<>();

    @Override
    public List<Proxy> select(URI uri) {
      asked.put(Thread.currentThread(), uri);
      return List.of(Proxy.NO_PROXY);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException e) {}
  }

  List<Fault> faults() {
    return List.copyOf(faults.values());
  }

  Map<String, Tally> tallies() {
    return tallies;
  }

  /** Inputs {@code from}, {@code from + step} and so on, below {@code to}. */
  void run(HostileParser parser, long seed, long from, long to, long step) {
    await(
        pool.submit(
            () -> {
              worker = Thread.currentThread();
              for (long i = from; i < to && faults.size() < MOST_FAULTS; i += step) {
                now = parser.name() + " " + seed + " " + i;
                one(parser, seed, i, input(parser, seed, i));
              }
              now = "";
            }));
    checkFolders(parser.name());
  }

  static HostileFiles input(HostileParser parser, long seed, long index) {
    long start = seed * 0x9e3779b97f4a7c15L + index;
    return parser.next(new SplittableRandom(start ^ (long) parser.name().hashCode() << 32));
  }

  /** One input that somebody has at hand. */
  void run(HostileParser parser, HostileFiles files) {
    await(pool.submit(() -> one(parser, 0, -1, files)));
  }

  private void await(ForkJoinTask<?> task) {
    String before = "";
    long since = System.nanoTime();
    while (true) {
      try {
        task.get(1, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException e) {
        if (!now.equals(before)) {
          before = now;
          since = System.nanoTime();
        }
        if (System.nanoTime() - since > MOST_WAIT_SECONDS * 1_000_000_000L) {
          String where = Arrays.toString(worker.getStackTrace());
          throw new IllegalStateException("no end of parser, seed, index " + now + " at " + where);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("the harness itself failed at " + now, e.getCause());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void one(HostileParser parser, long seed, long index, HostileFiles files) {
    Tally tally = tallies.computeIfAbsent(parser.name(), each -> new Tally());
    String what = fault(parser, files, tally);
    tally.inputs++;
    tally.bytes += files.size();
    if (!what.isEmpty()) {
      tally.faults++;
      String key = parser.name() + " " + kind(what);
      if (!faults.containsKey(key)) {
        boolean slow = what.startsWith(SLOW);
        HostileFiles least = slow ? files : minimised(parser, files, kind(what));
        faults.put(key, new Fault(parser.name(), what, seed, index, least));
      }
    }
  }

  private static String kind(String what) {
    return what.lines().findFirst().orElse("").replaceAll("\\d+", "N").split(" \\| ")[0];
  }

  /** What a reader did that it must not; empty for nothing. */
  private String fault(HostileParser parser, HostileFiles files, Tally tally) {
    long id = Thread.currentThread().getId();
    Throwable thrown = null;
    long bytes;
    long nanos;
    try {
      if (parser.onDisk()) {
        files.writeTo(folder, given);
        given = files.contents().keySet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long cpu = THREADS.getCurrentThreadCpuTime();
    long before = THREADS.getThreadAllocatedBytes(id);
    try {
      parser.read(folder, files);
      tally.accepted++;
    } catch (Throwable e) {
      thrown = e;
    } finally {
      bytes = THREADS.getThreadAllocatedBytes(id) - before;
      nanos = THREADS.getCurrentThreadCpuTime() - cpu;
    }
    tally.mostAllocated = Math.max(tally.mostAllocated, bytes);
    tally.nanos += nanos;
    tally.mostNanos = Math.max(tally.mostNanos, nanos);
    if (thrown != null && !isDeclared(thrown)) {
      return undeclared(thrown);
    }
    if (bytes > FREE_BYTES + BYTES_A_BYTE * files.size()) {
      return "takes too much memory | " + bytes + " bytes for an input of " + files.size();
    }
    if (nanos > mostNanos) {
      return SLOW + " | " + nanos / 1_000_000 + " ms for an input of " + files.size();
    }
    if (System.getProperty(LoadedByAFile.MARK) != null) {
      return "loads a class that the input names";
    }
    URI asked = RECORDER.asked.remove(Thread.currentThread());
    if (asked != null) {
      return "asks another machine | " + asked;
    }
    return thrown == null ? "" : badMessage(parser, files, thrown);
  }

  /** What readers declare: refusals, failures of files, and kinds of both that are our own. */
  private static boolean isDeclared(Throwable e) {
    return e.getClass() == IllegalArgumentException.class
        || e instanceof IOException
        || e instanceof UncheckedIOException
        || e instanceof IllegalArgumentException
            && e.getClass().getName().startsWith("dev.discreet.core.");
  }

  private static String undeclared(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    String at =
        Arrays.stream(trace)
            .filter(each -> each.getClassName().startsWith("dev.discreet"))
            .findFirst()
            .map(each -> each.getClassName() + "." + each.getMethodName())
            .orElse("somewhere");
    String told = String.valueOf(e.getMessage());
    return "throws "
        + e.getClass().getName()
        + " at "
        + at
        + " | "
        + told.substring(0, Math.min(300, told.length()));
  }

  private static String badMessage(HostileParser parser, HostileFiles files, Throwable thrown) {
    String message = thrown.getMessage();
    if (message == null || message.isBlank()) {
      return "says nothing with its " + thrown.getClass().getName();
    }
    if (!dev.discreet.accounting.Check.oneLine(message)) {
      return "says several lines with its "
          + thrown.getClass().getName()
          + " at "
          + undeclared(thrown);
    }
    if (message.length() > LONGEST_MESSAGE) {
      return "says too much | " + message.length() + " characters: " + message.substring(0, 100);
    }
    if (message.contains(OUTSIDE)) {
      return "reads outside of what it was given";
    }
    try {
      parser.checkMessage(files, message);
    } catch (AssertionError e) {
      return "tells of a row | " + e.getMessage();
    }
    return "";
  }

  private HostileFiles minimised(HostileParser parser, HostileFiles files, String kind) {
    HostileFiles least = files;
    int tries = 0;
    for (String name : files.contents().keySet()) {
      for (int part = least.get(name).length / 2; part > 0; part /= 2) {
        for (int at = 0; at < least.get(name).length && tries++ < TRIES; ) {
          byte[] all = least.get(name);
          HostileFiles shorter =
              least.with(
                  name,
                  HostileFiles.joined(
                      Arrays.copyOf(all, at),
                      Arrays.copyOfRange(all, Math.min(all.length, at + part), all.length)));
          if (kind(fault(parser, shorter, new Tally())).equals(kind)) {
            least = shorter;
          } else {
            at += part;
          }
        }
      }
    }
    return least;
  }

  /** Nobody may have written anywhere else than to the place that readers are given for it. */
  private void checkFolders(String parser) {
    try {
      List<String> others = new ArrayList<>(HostileFiles.names(work));
      others.removeIf(name -> name.startsWith("in/given/") || name.startsWith("in/scratch/"));
      boolean same =
          others.equals(List.of("in/outside.png", "outside.png"))
              && Files.exists(ABSOLUTE) == absolute
              && Files.readString(work.resolve("outside.png")).equals(OUTSIDE)
              && Files.readString(folder.resolveSibling("outside.png")).equals(OUTSIDE);
      if (!same) {
        faults.put(
            parser + " writes",
            new Fault(parser, "writes elsewhere: " + others, 0, -1, HostileFiles.of("x", "")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String table(Map<String, Tally> tallies) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| reader | inputs | read | refused | bytes | most memory, MB | most time, ms | time in all, ms |\n");
    text.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    Tally all = new Tally();
    for (Map.Entry<String, Tally> each : tallies.entrySet()) {
      all.add(each.getValue());
      text.append(line(each.getKey(), each.getValue()));
    }
    return text + line("all", all);
  }

  private static String line(String name, Tally tally) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %,d | %.1f | %d | %d |%n",
        name,
        tally.inputs,
        tally.accepted,
        tally.inputs - tally.accepted - tally.faults,
        tally.bytes,
        tally.mostAllocated / 1e6,
        tally.mostNanos / 1_000_000,
        tally.nanos / 1_000_000);
  }

  @Override
  public void close() throws IOException {
    ProxySelector.setDefault(before);
    pool.shutdownNow();
    HostileFiles.delete(work);
  }
}
