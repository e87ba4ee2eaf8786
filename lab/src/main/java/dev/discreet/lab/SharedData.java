package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.named.NamedSets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The data that trials share. Each set is read once, and one that cannot be had is tried once. */
final class SharedData {
  private final DataOptions options;
  private final Map<String, Found> sets = new ConcurrentHashMap<>();
  private final Map<Object, Object[]> shared = new ConcurrentHashMap<>();

  /**
   * @param set null where it could not be had
   */
  private record Found(DataSet set, Exception why) {}

  /** A set that cannot be had. */
  @SuppressWarnings("serial")
  static final class Absent extends IOException {
    private final String name;

    private Absent(String name, Exception why) {
      super(name + ": " + Laboratory.words(why), why);
      this.name = name;
    }

    String name() {
      return name;
    }
  }

  SharedData(DataOptions options) {
    this.options = options;
  }

  DataSet take(String name) throws IOException {
    Found found = sets.computeIfAbsent(name, this::open);
    if (found.set == null) {
      throw new Absent(name, found.why);
    }
    return found.set;
  }

  /** What several trials need and takes long to make: made once for all of them. */
  <T> T once(Object what, Workshop.Making<T> making) throws IOException {
    Object[] made = shared.computeIfAbsent(what, key -> new Object[1]);
    // A lock for each: whoever needs another thing need not wait.
    synchronized (made) {
      if (made[0] == null) {
        made[0] = making.make();
      }
      @SuppressWarnings("unchecked")
      T same = (T) made[0];
      return same;
    }
  }

  /** Whether the files of a set that are here are copies, and not the official ones. */
  boolean isCopied(String name) {
    return NamedSets.isCopied(name, options);
  }

  /** Where the files of a named set are. */
  Path folder(String name) throws IOException {
    try {
      return NamedSets.fetch(name, options);
    } catch (IOException | RuntimeException e) {
      throw new Absent(name, e);
    }
  }

  private Found open(String name) {
    try {
      return new Found(
          DataSets.open(name, DataOptions.named(options.dataDir(), 0, options.progress())), null);
    } catch (IOException | RuntimeException e) {
      return new Found(null, e);
    }
  }
}
