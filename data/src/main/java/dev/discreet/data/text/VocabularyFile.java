package dev.discreet.data.text;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.TokenText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Declarations of tokens that name a file in place of their vocabulary: one word on each line. The
 * file is public, like every declaration; its words go into models and run files.
 */
public final class VocabularyFile {
  private VocabularyFile() {}

  /**
   * Declarations with the words of the files that they name; others stay as they are.
   *
   * @param check refuses a file that is not public, before it is read
   */
  public static List<String> expanded(List<String> declarations, Consumer<Path> check)
      throws IOException {
    try {
      return declarations.stream()
          .map(each -> ColumnSyntax.withVocabulary(each, file -> words(file, check)))
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static List<String> words(String file, Consumer<Path> check) {
    Path path = Path.of(file);
    Check.that(Files.exists(path), "vocabulary", "a file that exists, or words between |", file);
    check.accept(path);
    try {
      List<String> words = new ArrayList<>();
      List<String> lines = TextFile.read(path).replaceFirst("^\uFEFF", "").lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        if (!line.isEmpty()) {
          // Not shown: it may be another file than its owner thinks.
          Check.that(
              TokenText.isWord(line),
              file + ", line " + (i + 1),
              "one word of letters and digits alone, in lower case",
              "another text");
          words.add(line);
        }
      }
      Check.that(words.size() >= 2, "vocabulary " + file, "two words or more", words.size());
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
