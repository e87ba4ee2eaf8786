package dev.discreet.recipe;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.RunFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A folder that is there whole or not at all: it is written under another name beside its place,
 * and then renamed.
 *
 * @param replace whether it may replace the folder of an earlier run; no other folder is replaced
 */
public record OutFolder(Path path, boolean replace) {
  public interface Body {
    void writeTo(Path folder) throws IOException;
  }

  public OutFolder {
    Check.that(place(path).getFileName() != null, "out", "a folder with a name", path);
  }

  private static Path place(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private Path place() {
    return place(path);
  }

  /** The path relative to the working folder, where it lies in it. */
  public static Path shown(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return path.startsWith(here) ? here.relativize(path) : path;
  }

  /** The same error with the path that was typed, and not that of the draft. */
  private IOException told(IOException e) {
    String why = e.getMessage();
    if (e instanceof AccessDeniedException) {
      why = "no permission";
    } else if (e instanceof NoSuchFileException) {
      why = "the folder that it belongs in cannot be written to";
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      why = file.getReason();
    }
    IOException told = new IOException(path + " could not be written: " + why);
    told.addSuppressed(e);
    return told;
  }

  /** Refuses, before anything is spent, a folder that could not be written afterwards. */
  public OutFolder checked() throws IOException {
    if (Files.exists(path)) {
      Check.that(Files.isDirectory(path), "out", "a folder", path);
      List<String> inside = names();
      boolean empty = inside.isEmpty();
      Check.that(
          empty || replace, "out", "a new folder (or --force replaces an earlier run)", path);
      Check.that(
          empty || inside.contains(RunFiles.RESULT),
          "out",
          "a new folder, or that of an earlier run: this one has no " + RunFiles.RESULT,
          path);
      Check.that(
          RunFiles.ALL.containsAll(inside),
          "out",
          "a new folder, or one that holds an earlier run only: --force would delete "
              + inside.stream().filter(name -> !RunFiles.ALL.contains(name)).findFirst().orElse(""),
          path);
    }
    Path near = path;
    while (near != null && !Files.exists(near)) {
      near = near.getParent();
    }
    Check.that(
        near == null || Files.isDirectory(near), "out", "in a folder; " + near + " is none", path);
    try {
      write(folder -> {}, false);
    } catch (IOException e) {
      throw told(e);
    }
    return this;
  }

  /** Refuses a path inside this folder, which would be deleted when the folder is replaced. */
  public OutFolder apartFrom(String name, Path other) {
    Check.that(
        !place(other).startsWith(place()),
        name,
        "outside of --out, which is replaced whole",
        other);
    return this;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> inside = Files.list(path)) {
      return inside.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  /**
   * Writes the folder and returns where it is: under a longer name if another run took the place
   * meanwhile, since neither of the two may be lost.
   */
  public Path write(Body body) throws IOException {
    try {
      return write(body, true);
    } catch (IOException e) {
      throw told(e);
    }
  }

  private Path write(Body body, boolean keep) throws IOException {
    List<Path> made = new ArrayList<>();
    Path path = place();
    Path parent = path.getParent();
    boolean done = false;
    try {
      for (Path each = parent; !Files.exists(each); each = each.getParent()) {
        made.add(each);
      }
      Files.createDirectories(parent);
      String id = UUID.randomUUID().toString();
      Path draft = parent.resolve("." + path.getFileName() + "." + id + ".draft");
      try {
        Files.createDirectory(draft);
        body.writeTo(draft);
        Path place = keep ? move(draft, id) : path;
        done = keep;
        return place;
      } finally {
        delete(draft);
      }
    } finally {
      if (!done) {
        for (Path each : made) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  /** The old folder goes last, and comes back if the new one cannot take its place. */
  private Path move(Path draft, String id) throws IOException {
    Path path = place();
    boolean before = Files.exists(path);
    if (before && !replace && !names().isEmpty()) {
      Path beside = path.resolveSibling(path.getFileName() + "-" + id);
      return Files.move(draft, beside, StandardCopyOption.ATOMIC_MOVE);
    }
    Path aside = path.resolveSibling("." + path.getFileName() + "." + id + ".old");
    if (before) {
      Files.move(path, aside, StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      if (before) {
        Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
      }
      throw e;
    }
    delete(aside);
    return path;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path inner, IOException e) throws IOException {
            Files.delete(inner);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
