package dev.discreet.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Gives 20,000 inputs to all readers together; {@code -Dinputs=1000000} gives more of them, and
 * {@code -Dseed=2} gives others.
 */
class HostileInputTest {
  // Of CPU time, in nanoseconds.
  private static final long SHORT = 200_000_000;

  private static final long SEED = Long.getLong("seed", 1);

  @Test
  void readersReadOrRefuseAndDoNothingElse() throws IOException {
    long inputs = Long.getLong("inputs", 20_000);
    List<HostileParser> parsers = HostileInputs.all();
    try (HostileRun run = new HostileRun()) {
      for (int i = 0; i < parsers.size(); i++) {
        run.run(parsers.get(i), SEED, 0, HostileInputs.share(inputs, parsers.size(), i), 1);
      }
      if (Long.getLong("inputs") != null) {
        System.err.print(HostileRun.table(run.tallies()));
      }
      assertEquals(List.of(), run.faults(), () -> told(run));
      assertEquals(inputs, run.tallies().values().stream().mapToLong(each -> each.inputs).sum());
      run.tallies()
          .forEach(
              (name, tally) -> {
                // Inputs that are all refused at the door test nothing behind it.
                assertTrue(tally.accepted > 0, name + " reads none");
                // An image that cannot be read is no reason to refuse a folder: it counts as zero.
                boolean refuses = tally.accepted < tally.inputs || name.equals("image-folder");
                assertTrue(refuses, name + " refuses none");
              });
    }
  }

  private static String told(HostileRun run) {
    return String.join("\n", run.faults().stream().map(Object::toString).toList());
  }

  @Test
  void anInputFollowsFromItsNumbers() {
    for (HostileParser parser : HostileInputs.all()) {
      String one = HostileRun.input(parser, 7, 3).encoded();
      assertEquals(one, HostileRun.input(parser, 7, 3).encoded(), parser.name());
      assertEquals(one, HostileFiles.parse(one).encoded(), parser.name());
    }
  }

  /** Readers that do what none may do: each of them must be found. */
  @Test
  void badReadersAreFound() throws IOException {
    List<byte[]> kept = new ArrayList<>();
    Object[] nothing = new Object[1];
    finds("throws java.lang.NullPointerException", (folder, files) -> nothing[0].hashCode());
    finds("throws java.lang.NumberFormatException", (folder, files) -> Integer.parseInt("x"));
    finds("throws java.lang.StackOverflowError", (folder, files) -> deep(0));
    finds("throws java.lang.AssertionError", (folder, files) -> TableParsers.same(1, 2));
    finds("takes too much memory", (folder, files) -> kept.add(new byte[100 << 20]));
    finds(
        "takes too much memory",
        (folder, files) ->
            Stream.of(1, 2, 3, 4).parallel().forEach(i -> kept.add(new byte[20 << 20])));
    finds("takes too long", SHORT, (folder, files) -> spin());
    finds(
        "writes elsewhere",
        (folder, files) -> Files.writeString(folder.resolve("../../unpacked"), "x"));
    finds(
        "asks another machine",
        (folder, files) -> {
          try (Socket socket = new Socket("127.0.0.1", 9)) {
            socket.getPort();
          } catch (IOException e) {
            // Nobody is there, which is not the point.
          }
        });
    finds("says nothing", (folder, files) -> refuse(null));
    finds("says several lines", (folder, files) -> refuse("a\nb"));
    finds(
        "says several lines",
        (folder, files) -> {
          throw new IOException("a\nb");
        });
    finds("says too much", (folder, files) -> refuse("a".repeat(100_000)));
    finds(
        "reads outside",
        (folder, files) -> refuse(Files.readString(folder.resolve("../outside.png"))));
  }

  @Test
  void aClassThatAnInputNamesIsNoticed() throws IOException {
    try {
      finds("loads a class", (folder, files) -> Class.forName("dev.discreet.fuzz.LoadedByAFile"));
    } finally {
      System.clearProperty(LoadedByAFile.MARK);
    }
  }

  private static void refuse(String message) {
    throw new IllegalArgumentException(message);
  }

  private static int deep(int level) {
    return deep(level + 1) + 1;
  }

  private static void spin() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    while (threads.getCurrentThreadCpuTime() < start + 2 * SHORT) {}
  }

  private static void finds(String what, HostileParser.Reading reading) throws IOException {
    finds(what, HostileRun.MOST_CPU_NANOS, reading);
  }

  private static void finds(String what, long mostNanos, HostileParser.Reading reading)
      throws IOException {
    HostileParser bad =
        HostileParser.ofFiles("bad", random -> HostileFiles.of("x", "abc"), reading);
    try (HostileRun run = new HostileRun(mostNanos)) {
      run.run(bad, 1, 0, 1, 1);
      assertEquals(1, run.faults().size(), what);
      assertTrue(run.faults().get(0).toString().contains(what), told(run));
    }
  }
}
