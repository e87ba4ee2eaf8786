package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.files.JsonFields;
import dev.discreet.core.privacy.PrivacyPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand in {@code run.json} beside what a result says of itself. */
class ResultFieldsTest {
  private static final Result UNPROTECTED =
      Trainer.nonPrivate(Problems.LINEAR, PrivacyPlan.nonPrivate().lotSize(20).steps(1).build())
          .learningRate(1)
          .train(Problems.classes(40, 1));

  @TempDir Path place;

  /** The last four are no field of this result, and would read as promises in its file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "privacy",
        "steps",
        "configuration",
        "epsilon",
        "delta",
        "accountant",
        "heldOutAccuracy"
      })
  void noOtherFieldTakesTheNameOfOneOfItsOwn(String name) {
    Path folder = place.resolve("run");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> UNPROTECTED.save(folder, Map.of(name, 1)));
    assertEquals(
        "field of run.json must be none of the result's own. Provided value: " + name,
        refused.getMessage());
    assertTrue(Files.notExists(folder));
  }

  @Test
  void otherFieldsAreWrittenAfterItsOwn() throws IOException {
    UNPROTECTED.save(place, Map.of("data", "digits"));
    String json = Files.readString(place.resolve("run.json"));
    assertEquals("digits", JsonFields.parse("run.json", json).text("data"));
    assertTrue(json.indexOf("evaluations") < json.indexOf("\"data\""), json);
  }
}
