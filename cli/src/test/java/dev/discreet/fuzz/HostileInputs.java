package dev.discreet.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All readers, and a program that gives them inputs without a test runner.
 *
 * <pre>
 * java -cp … dev.discreet.fuzz.HostileInputs --inputs 1000000 --seed 1 --workers 16
 * java -cp … dev.discreet.fuzz.HostileInputs --parser csv --seed 1 --index 42
 * java -cp … dev.discreet.fuzz.HostileInputs --parser csv --input table.csv:YWdlCg==
 * </pre>
 */
public final class HostileInputs {
  private HostileInputs() {}

  static List<HostileParser> all() {
    return Stream.of(
            TableParsers.all(),
            DeclarationParsers.all(),
            ArrayParsers.all(),
            ImageParsers.all(),
            ModelParsers.all(),
            LedgerParsers.all(),
            AccountParsers.all(),
            RecipeParsers.all())
        .flatMap(List::stream)
        .toList();
  }

  /** How many of so many inputs a reader gets: each the same, the first ones those left over. */
  static long share(long inputs, int readers, int reader) {
    return inputs / readers + (reader < inputs % readers ? 1 : 0);
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new TreeMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    String only = options.getOrDefault("--parser", "");
    List<HostileParser> parsers =
        all().stream().filter(each -> only.isEmpty() || each.name().equals(only)).toList();
    long inputs = Long.parseLong(options.getOrDefault("--inputs", "20000"));
    long seed = Long.parseLong(options.getOrDefault("--seed", "1"));
    int workers = Integer.parseInt(options.getOrDefault("--workers", "1"));
    long start = System.nanoTime();
    List<HostileRun> runs = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      runs.add(new HostileRun());
    }
    if (options.containsKey("--input")) {
      runs.get(0).run(parsers.get(0), HostileFiles.parse(options.get("--input")));
    } else if (options.containsKey("--index")) {
      long index = Long.parseLong(options.get("--index"));
      runs.get(0).run(parsers.get(0), seed, index, index + 1, 1);
    } else {
      List<Thread> threads = new ArrayList<>();
      for (int w = 0; w < workers; w++) {
        int worker = w;
        Thread thread =
            new Thread(
                () -> {
                  for (int p = 0; p < parsers.size(); p++) {
                    long share = share(inputs, parsers.size(), p);
                    runs.get(worker).run(parsers.get(p), seed, worker, share, workers);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    boolean clean = report(runs);
    System.err.println((System.nanoTime() - start) / 1_000_000_000 + " s");
    System.exit(clean ? 0 : 1);
  }

  private static boolean report(List<HostileRun> runs) throws IOException {
    Map<String, HostileRun.Tally> tallies = new TreeMap<>();
    boolean clean = true;
    for (HostileRun run : runs) {
      run.tallies()
          .forEach(
              (name, tally) ->
                  tallies.computeIfAbsent(name, each -> new HostileRun.Tally()).add(tally));
      for (HostileRun.Fault fault : run.faults()) {
        System.err.println(fault);
        clean = false;
      }
      run.close();
    }
    System.err.print(HostileRun.table(tallies));
    return clean;
  }
}
