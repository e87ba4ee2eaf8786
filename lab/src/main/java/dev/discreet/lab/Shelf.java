package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The data that trials share, each set read once. */
final class Shelf {
  private final DataOptions options;
  private final Map<String, DataSet> sets = new ConcurrentHashMap<>();

  Shelf(DataOptions options) {
    this.options = options;
  }

  DataSet take(String name) throws IOException {
    return take(name, 0);
  }

  DataSet take(String name, long seed) throws IOException {
    try {
      return sets.computeIfAbsent(name + " " + seed, key -> open(name, seed));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private DataSet open(String name, long seed) {
    try {
      return DataSets.open(
          name,
          new DataOptions(
              options.labels(),
              options.label(),
              options.columns(),
              options.unit(),
              options.bounds(),
              options.mean(),
              options.deviation(),
              options.publicTest(),
              options.testShare(),
              options.dataDir(),
              seed,
              options.progress()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a folder of ours and all that is in it. */
  static void empty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> walk = Files.walk(folder)) {
      inside = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : inside) {
      Files.delete(each);
    }
  }
}
