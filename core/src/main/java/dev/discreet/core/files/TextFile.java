package dev.discreet.core.files;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of text in UTF-8. */
public final class TextFile {
  private static final long MOST_BYTES = 1 << 28;

  private TextFile() {}

  /**
   * Reads all of it; refuses by its name a file of other bytes, a very large one, and what has no
   * end, such as a pipe.
   */
  public static String read(Path path) throws IOException {
    if (Files.exists(path)) {
      boolean regular = Files.isRegularFile(path);
      Check.that(regular, path.toString(), "a file", "a folder, a pipe or a device");
      long size = Files.size(path);
      Check.that(size <= MOST_BYTES, path.toString(), "at most " + MOST_BYTES + " bytes", size);
    }
    try {
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          Check.line(path + " must be text in UTF-8. Provided value: other bytes"), e);
    }
  }
}
