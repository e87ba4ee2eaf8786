package dev.discreet.core.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folders that had to be made for one of them to be there.
 *
 * @param paths innermost first; empty where the folder was there already
 */
public record MadeFolders(List<Path> paths) {
  /** Copies the list. */
  public MadeFolders {
    paths = List.copyOf(paths);
  }

  /** Makes the folder and those around it that are missing. */
  public static MadeFolders upTo(Path folder) throws IOException {
    List<Path> missing = new ArrayList<>();
    Path each = folder.toAbsolutePath().normalize();
    for (; each != null && !Files.exists(each); each = each.getParent()) {
      missing.add(each);
    }
    Files.createDirectories(folder);
    return new MadeFolders(missing);
  }

  /** Deletes them again. One that is not empty is refused. */
  public void delete() throws IOException {
    for (Path each : paths) {
      Files.deleteIfExists(each);
    }
  }
}
