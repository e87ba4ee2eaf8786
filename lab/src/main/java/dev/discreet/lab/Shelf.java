package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The data that trials share, each set read once; one that is not to be had is tried once too. */
final class Shelf {
  private final DataOptions options;
  private final Map<String, Found> sets = new ConcurrentHashMap<>();

  /**
   * @param set null where it was not to be had
   */
  private record Found(DataSet set, Exception why) {}

  Shelf(DataOptions options) {
    this.options = options;
  }

  DataSet take(String name, long seed) throws IOException {
    Found found = sets.computeIfAbsent(name + " " + seed, key -> open(name, seed));
    if (found.set == null) {
      throw new IOException(name + ": " + Laboratory.words(found.why), found.why);
    }
    return found.set;
  }

  /** Where the files of a named set are. */
  Path folder(String name) throws IOException {
    return DataSets.fetch(name, options);
  }

  private Found open(String name, long seed) {
    try {
      return new Found(
          DataSets.open(
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
                  options.progress())),
          null);
    } catch (IOException | RuntimeException e) {
      return new Found(null, e);
    }
  }
}
