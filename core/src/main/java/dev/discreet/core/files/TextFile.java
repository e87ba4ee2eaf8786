package dev.discreet.core.files;

import dev.discreet.accounting.Check;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of text in UTF-8. */
public final class TextFile {
  private TextFile() {}

  /** Reads all of it; refuses a file of other bytes by its name. */
  public static String read(Path path) throws IOException {
    try {
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          Check.line(path + " must be text in UTF-8. Provided value: other bytes"), e);
    }
  }
}
