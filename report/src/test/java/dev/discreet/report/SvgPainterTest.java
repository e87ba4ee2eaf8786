package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SvgPainterTest {
  private static final String DRAWING =
      "<svg width='9' height='9' font-size='8' fill='#000000'><text x='1' y='8'>%s</text></svg>";

  private static void paint(String text) throws IOException {
    new SvgPainter(text).write(new ByteArrayOutputStream());
  }

  /** A document type may name files to read, and words that grow without end. */
  @Test
  void aDocumentTypeIsRefused(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    paint(DRAWING.formatted("words"));
    for (String type :
        List.of(
            "<!DOCTYPE svg>",
            "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>",
            "<!DOCTYPE svg [<!ENTITY a SYSTEM '" + secret.toUri() + "'>]>",
            "<!DOCTYPE svg SYSTEM '" + secret.toUri() + "'>")) {
      for (String words : List.of("words", "&a;")) {
        String message =
            assertThrows(IOException.class, () -> paint(type + DRAWING.formatted(words)))
                .getMessage();
        assertTrue(message.startsWith("a plot is no XML: DOCTYPE is disallowed"), message);
      }
    }
  }
}
