package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.core.evaluate.Evaluation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files that were made to do harm are refused in our own words. */
class JsonFieldsTest {
  @TempDir Path folder;

  /** Not by a kind of it, such as that for numbers, whose words are Java's. */
  static void refused(Executable reading) {
    Exception e = assertThrows(IllegalArgumentException.class, reading);
    assertEquals(IllegalArgumentException.class, e.getClass());
    assertTrue(Check.oneLine(e.getMessage()), e.getMessage());
  }

  @Test
  void oneValueIsAllThereIs() {
    refused(() -> JsonFields.parse("x", "{\"a\":1} {\"a\":2}"));
    refused(() -> JsonFields.parse("x", "{\"a\":1,\"a\":2}"));
    refused(() -> JsonFields.parse("x", "{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}"));
    refused(() -> JsonFields.parse("x", "{\"a\":" + "9".repeat(5000) + "}"));
    refused(() -> JsonFields.parse("x", ""));
  }

  @Test
  void numbersThatAreNoneAreRefused() {
    assertEquals(
        Double.NEGATIVE_INFINITY, JsonFields.parse("x", "{\"a\":\"-Infinity\"}").real("a"));
    refused(() -> JsonFields.parse("x", "{\"a\":\"1x\"}").real("a"));
    refused(() -> JsonFields.parse("x", "{\"a\":-1}").count("a"));
    refused(() -> JsonFields.parse("x", "{\"a\":2147483648}").count("a"));
    refused(() -> JsonFields.parse("x", "{\"a\":1}").truth("a"));
  }

  @Test
  void anEvaluationIsASquareOfCounts() {
    String start = "{\"examples\":3,\"testLoss\":0.5,\"confusion\":";
    for (String bad : new String[] {"[1]", "[[1],[2]]", "[[1,\"2\"],[3,4]]", "[[1,-2],[3,4]]"}) {
      refused(() -> Evaluation.read(JsonFields.parse("x", start + bad + "}")));
    }
    Evaluation good = Evaluation.read(JsonFields.parse("x", start + "[[1,0],[1,1]]}"));
    assertEquals(2.0 / 3, good.match(Evaluation.Classification::accuracy, each -> 0.0));
  }

  @Test
  void textOfOtherBytesIsRefusedByItsName() throws IOException {
    Path file = Files.write(folder.resolve("x"), new byte[] {(byte) 0xff});
    refused(() -> TextFile.read(file));
  }
}
