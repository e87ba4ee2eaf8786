package dev.discreet.data.named;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Folders that hold named sets, each in a folder of its own.
 *
 * @param roots where to look, in this order
 * @param target where to put what is fetched
 */
record DataFolders(List<Path> roots, Path target) {
  DataFolders {
    roots = List.copyOf(roots);
  }

  static DataFolders of(DataOptions options) {
    return of(options.dataDir(), System::getenv, Path.of(System.getProperty("user.home", ".")));
  }

  /** The folder that was given, that of DISCREET_DATA, and the cache. */
  static DataFolders of(Optional<Path> dataDir, UnaryOperator<String> environment, Path home) {
    List<Path> roots = new ArrayList<>();
    dataDir.ifPresent(path -> roots.add(folder("data dir", path)));
    String shared = environment.apply("DISCREET_DATA");
    if (shared != null && !shared.isBlank()) {
      roots.add(folder("DISCREET_DATA", Path.of(shared)));
    }
    Path cache = cache(environment, home);
    roots.add(cache);
    return new DataFolders(roots, dataDir.orElse(cache));
  }

  private static Path folder(String name, Path path) {
    Check.that(Files.isDirectory(path), name, "a folder that exists", path);
    return path;
  }

  private static Path cache(UnaryOperator<String> environment, Path home) {
    for (String variable : List.of("XDG_CACHE_HOME", "LOCALAPPDATA")) {
      String value = environment.apply(variable);
      if (value != null && !value.isBlank() && Path.of(value).isAbsolute()) {
        return Path.of(value, "discreet");
      }
    }
    return home.resolve(".cache").resolve("discreet");
  }
}
