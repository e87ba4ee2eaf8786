package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextColumnsTest {
  /** Published with the function (draft-eastlake-fnv). */
  @Test
  void theHashFunctionIsFnv() {
    assertEquals(0xcbf29ce484222325L, HashedText.hash(""));
    assertEquals(0xaf63dc4c8601ec8cL, HashedText.hash("a"));
    assertEquals(0x85944171f73967e8L, HashedText.hash("foobar"));
  }

  /** The numbers are from the Python of docs/data-formats.md, to the last bit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "text,hash=8,words=1..2; 'The fever, the COUGH: 38.5 degrees'; 0.17407765984535217"
            + " 0.6963106393814087 0.17407765984535217 0.17407765984535217 0 0.17407765984535217"
            + " 0.34815531969070435 0.5222329497337341",
        "text,hash=7,words=1,letters=3..4; 'Übelkeit & Fieber – naïve İstanbul e\u0301';"
            + " 0.46607258915901184 0.5019243359565735 0.143406942486763 0.46607258915901184"
            + " 0.3585173785686493 0.286813884973526 0.286813884973526",
        "text,hash=4; '!!!'; 0 0 0 0",
        "text,hash=5,words=2..3; no no no no; 0.8320503234863281 0.5547001957893372 0 0 0",
        "text,hash=6,letters=1..2; '\uD835\uDD04bc ΣΑΣ हिन्दी'; 0.32616403698921204 0"
            + " 0.5870952606201172 0.32616403698921204 0.13046561181545258 0.6523280739784241",
      })
  void pythonCountsTheSame(String declaration, String cell, String expected) {
    InputColumn column = InputColumn.parse("note=" + declaration);
    float[] inputs = new float[column.width() + 2];
    Arrays.fill(inputs, 9);
    column.write(cell, inputs, 1);
    float[] wanted = new float[inputs.length];
    wanted[0] = 9;
    wanted[inputs.length - 1] = 9;
    String[] numbers = expected.split(" ");
    for (int i = 0; i < numbers.length; i++) {
      wanted[i + 1] = Float.parseFloat(numbers[i]);
    }
    assertArrayEquals(wanted, inputs);
  }

  /** However long a text is, its row is bounded. */
  @Test
  void aRowHasNormOneOrNone() {
    SplittableRandom random = new SplittableRandom(1);
    InputColumn column = InputColumn.parse("note=text,hash=16,words=1..3,letters=1..4");
    float[] inputs = new float[16];
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder("x");
      for (int k = random.nextInt(i % 10 == 0 ? 5000 : 50); k > 0; k--) {
        text.appendCodePoint(random.nextInt(4) == 0 ? ' ' : random.nextInt(33, 0x500));
      }
      column.write(text.toString(), inputs, 0);
      double sum = 0;
      for (float each : inputs) {
        assertTrue(each >= 0);
        sum += (double) each * each;
      }
      assertEquals(1, sum, 1e-6);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "note=text",
        "note=text,hash=1",
        "note=text,hash=65537",
        "note=text,hash=-8",
        "note=text,hash=8,words=0..2",
        "note=text,hash=8,words=3..2",
        "note=text,hash=8,words=1..11",
        "note=text,hash=8,length=3",
        "note=text,hash=8,other=x",
        "note=tokens,length=4",
        "note=tokens,vocabulary=a|b",
        "note=tokens,vocabulary=a|b,length=0",
        "note=tokens,vocabulary=words.txt,length=4",
        "note=tokens,vocabulary=a|A,length=4",
        "note=tokens,vocabulary=a|b c,length=4",
        "note=tokens,vocabulary=a|a,length=4",
        "note=tokens,vocabulary=a|,length=4",
        "note=tokens,vocabulary=a|b,length=4,missing=own",
        "note=tokens,vocabulary=a|b,length=4,missing=indicator(a)",
        "note=tokens,vocabulary=a|b,length=4,hash=8",
      })
  void whatIsNotDeclaredInFullIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> InputColumn.parse(text));
  }

  @Test
  void filesOfWordsAreNamedInDeclarationsAlone() {
    assertEquals(
        "note=tokens, length=4 ,vocabulary=a|b,missing=a",
        ColumnSyntax.withVocabulary(
            "note=tokens, length=4 ,vocabulary= my words.txt ,missing=a",
            file -> List.of("a", "b", file).subList(0, 2)));
    for (String other :
        List.of("note=tokens,vocabulary=a|b,length=4", "vocabulary=a|b", "n=0..1", "n", "")) {
      assertEquals(
          other,
          ColumnSyntax.withVocabulary(
              other,
              file -> {
                throw new AssertionError(file);
              }));
    }
  }

  private static void check(String network, String... columns) {
    RawInputs.Columns inputs =
        new RawInputs.Columns(Arrays.stream(columns).map(InputColumn::parse).toList());
    int width = inputs.columns().stream().mapToInt(InputColumn::width).sum();
    inputs.check(Network.parse(network).on(Shape.vector(width)));
  }

  private static void refused(String part, String network, String... columns) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> check(network, columns)).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void tokensAreForAnEmbeddingAndItTakesNothingElse() {
    String tokens = "note=tokens,vocabulary=a|b,length=3,missing=a";
    String embedding = "embedding(4,2) flatten dense(2)";
    check(embedding, tokens);
    check(embedding, tokens, "more=tokens,vocabulary=x|y,length=1");
    refused("tokens too", embedding, tokens, "age=0..120");
    refused("at least 5", embedding, "note=tokens,vocabulary=a|b|c,length=3");
    refused("an embedding", "dense(2)", tokens);
  }
}
