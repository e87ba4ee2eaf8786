package dev.discreet.planted;

import dev.discreet.accounting.Check;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The repository with its compiled classes, and the libraries that this process has. */
record Checkout(Path root) {

  /** The one that the working directory lies in. */
  static Checkout here() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("core/src/main/java"))) {
      folder = folder.getParent();
      Check.that(folder != null, "working directory", "in the repository", Path.of(""));
    }
    return new Checkout(folder);
  }

  private List<Path> rooms() {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("target/classes")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All rooms' classes, all their tests, and the libraries. */
  List<Path> classPath() {
    List<Path> all = new ArrayList<>();
    for (String kind : List.of("target/classes", "target/test-classes")) {
      rooms().stream().map(room -> room.resolve(kind)).filter(Files::exists).forEach(all::add);
    }
    // Maven has the rooms as jars, once it has packed them.
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(each -> Path.of(each).toAbsolutePath())
        .filter(each -> each.toString().endsWith(".jar"))
        .filter(each -> !each.getFileName().toString().startsWith("discreet-"))
        .forEach(all::add);
    return all;
  }

  /** A test class, the room that it belongs to, and the methods to run; none for all of them. */
  record TestClass(Path room, String name, List<String> methods) {}

  /**
   * Refuses a name that no test class has, or that two have.
   *
   * @param test the simple name of a class, with a package before it where two share the name, and
   *     perhaps {@code #} and the name of a method
   */
  TestClass test(String test) {
    List<String> parts = List.of(test.split("#"));
    String simpleName = parts.get(0);
    List<TestClass> found = new ArrayList<>();
    for (Path room : rooms()) {
      Path tests = room.resolve("target/test-classes");
      if (!Files.exists(tests)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(tests)) {
        files
            .filter(file -> file.endsWith(simpleName.replace('.', '/') + ".class"))
            .map(file -> tests.relativize(file).toString())
            .map(file -> file.substring(0, file.length() - 6).replace(File.separatorChar, '.'))
            .forEach(name -> found.add(new TestClass(room, name, parts.subList(1, parts.size()))));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    Check.that(found.size() == 1, "test class " + simpleName, "there once", found);
    return found.get(0);
  }
}
