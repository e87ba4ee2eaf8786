package dev.discreet.cli.load;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A process that trains, asks and audits on an account, over and over, until a byte comes on its
 * standard input; it dies with whoever holds the other end. After each round it tells {@code
 * account FILE}, where it begins a new one, and {@code round HEAP THREADS HANDLES}: what it holds
 * when there is nothing to do.
 */
final class SteadyWork {
  /** So many rounds, then a new account: long ones would be read for longer and longer. */
  private static final int ROUNDS_AN_ACCOUNT = 20;

  private static final String LEARN = " --label sick=no|yes --column age=0..100";
  private static final int ROWS = 600;

  private SteadyWork() {}

  /**
   * @param args an empty folder
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path own = folder;
    AtomicBoolean asked = new AtomicBoolean();
    Thread listener = new Thread(() -> listen(asked));
    listener.setDaemon(true);
    listener.start();
    for (int round = 0; !asked.get(); round++) {
      if (round % ROUNDS_AN_ACCOUNT == 0) {
        own = begin(folder.resolve("of-" + round));
      }
      work(own, round % ROUNDS_AN_ACCOUNT);
      System.gc();
      System.out.println("round " + Holdings.now());
    }
  }

  private static void listen(AtomicBoolean asked) {
    try {
      if (System.in.read() < 0) {
        Runtime.getRuntime().halt(1);
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
    asked.set(true);
  }

  /** What a process holds. */
  record Holdings(long heap, long threads, long handles) {
    static Holdings now() {
      var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Holdings(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          system.getOpenFileDescriptorCount());
    }

    static Holdings parse(String line) {
      String[] words = line.split(" ");
      return new Holdings(
          Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }

    @Override
    public String toString() {
      return heap + " " + threads + " " + handles;
    }
  }

  private static Path begin(Path folder) throws IOException {
    Files.createDirectory(folder);
    StringBuilder rows = new StringBuilder("age,sick\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append(i % 90).append(i % 90 > 50 ? ",yes\n" : ",no\n");
    }
    Path table = folder.resolve("patients.csv");
    Files.writeString(table, rows);
    done("account open " + table + " --epsilon 1000 --delta 1e-6 --unit person --one-row-each");
    System.out.println("account " + table + ".account");
    return folder;
  }

  private static void work(Path folder, int round) throws IOException {
    Path table = folder.resolve("patients.csv");
    Path run = folder.resolve("run-" + round);
    done(
        "train --model logistic --steps 30 --lot-size 50 --noise-multiplier 4 --held-out none"
            + " --quiet --out "
            + run
            + LEARN
            + " --data "
            + table);
    done("predict --run " + run + " --data " + table);
    done("query count --column age --epsilon 0.1 --data " + table);
    done("regress --epsilon 0.5 --data " + table + LEARN);
    done("audit mechanism gaussian --trials 400");
    done("account verify " + table + " --against " + run);
    try (Stream<Path> files = Files.walk(run)) {
      List<Path> inner = files.sorted((a, b) -> b.compareTo(a)).toList();
      for (Path each : inner) {
        Files.delete(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void done(String command) {
    Run run = Run.of(command);
    if (run.code() != 0) {
      throw new IllegalStateException(command + "\n" + run.out() + run.err());
    }
  }
}
