package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.files.Safetensors;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtectedPeopleTest {
  private static final Layout LAYOUT = Network.parse("dense(1)").on(Shape.vector(1));

  @TempDir Path folder;

  /** The verdicts of the version that had the line alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EVERYONE| Private: epsilon <= 2.9 at delta 1e-06",
        "EVERYONE| Private: epsilon <= 1. Layers 0 began as those of a model of data declared"
            + " public (rings).",
        "EVERYONE| Private: epsilon <= 1. Layers 0 began as those of a model that says of itself:"
            + " Private: epsilon <= 2",
        "SOME| Private: epsilon <= 1. Layers 0 began as those of a model that says of itself: NOT"
            + " PRIVATE: by request",
        "SOME| Private: epsilon <= 1. Layers 0 began as those of a model that says of itself:"
            + " Nothing is known.",
        "SOME| Private: epsilon <= Infinity at delta 1e-06",
        "SOME| Private: epsilon <= 1; but its length was chosen with un-noised values in view, and"
            + " is outside the guarantee",
        "SOME| NOT PRIVATE: by request. Layers 0 began as those of a model that says of itself:"
            + " Private: epsilon <= 2",
        "NO_ONE| NOT PRIVATE: this run was non-private by request",
        "NO_ONE| INSECURE: lots and noise came from a seed that anyone can guess",
        "NO_ONE| Nothing is known of the data that it was trained on."
      })
  void aLineOfAnOlderVersionHasTheVerdictThatItHad(ProtectedPeople verdict, String line)
      throws IOException {
    assertEquals(verdict, ModelPrivacy.ofOldLine(line).protection());
    new Model(LAYOUT, new float[2], ModelPrivacy.ofOldLine(line)).save(folder);
    older();
    Model old = Model.load(folder);
    assertEquals(line, old.privacy());
    assertEquals(verdict, old.promise().protection());
  }

  /** Takes out what older versions did not write. */
  private void older() throws IOException {
    Path weights = folder.resolve("model.safetensors");
    Safetensors file = Safetensors.read(weights);
    Map<String, String> metadata = new LinkedHashMap<>(file.metadata());
    metadata.remove("protects");
    new Safetensors(file.tensors(), metadata).write(weights);
    Path json = folder.resolve("model.json");
    Files.writeString(
        json, Files.readString(json).replaceAll("\"protects\" : \"[a-z ]+\",\\s*", ""));
  }

  @Test
  void theFieldDecidesAndNotTheWords() throws IOException {
    String line = "Private: so it says, but nobody promised";
    new Model(LAYOUT, new float[2], new ModelPrivacy(line, ProtectedPeople.NO_ONE)).save(folder);
    assertEquals(ProtectedPeople.NO_ONE, Model.load(folder).promise().protection());
  }

  @Test
  void aFieldThatTheWeightsDoNotHaveIsRefused() throws IOException {
    new Model(LAYOUT, new float[2], ModelPrivacy.none("Unknown.")).save(folder);
    Path json = folder.resolve("model.json");
    Files.writeString(json, Files.readString(json).replace("no one", "everyone"));
    assertThrows(IllegalArgumentException.class, () -> Model.load(folder));
  }

  @Test
  void partsThatProtectDifferentlyProtectSome() {
    assertEquals(ProtectedPeople.EVERYONE, ProtectedPeople.EVERYONE.and(ProtectedPeople.EVERYONE));
    assertEquals(ProtectedPeople.SOME, ProtectedPeople.EVERYONE.and(ProtectedPeople.NO_ONE));
    assertEquals(ProtectedPeople.SOME, ProtectedPeople.NO_ONE.and(ProtectedPeople.SOME));
    assertEquals(ProtectedPeople.NO_ONE, ProtectedPeople.NO_ONE.and(ProtectedPeople.NO_ONE));
  }
}
