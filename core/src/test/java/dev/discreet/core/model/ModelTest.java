package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Problems;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dense(3) loss=squared",
        "conv(4,3,stride=2,pad=1) groupnorm(2) relu residual(conv(4,3,pad=1) relu) flatten"
            + " dense(5)",
        "conv(4,3x2) relu maxpool(2) dense(3,bias=false) loss=huber(0.5)",
        "flatten groupnorm(2) dense(2)"
      })
  void comesBackExactly(String network) throws IOException {
    Layout layout = Network.parse(network).on(new Shape(6, 5, 2));
    Model model =
        new Model(
            layout, layout.initial(Initialiser.HE_NORMAL, 4), ModelPrivacy.ofOldLine("for a test"));
    model.save(folder);
    Model back = Model.load(folder);
    assertEquals(layout, back.layout());
    assertEquals("for a test", back.privacy());
    assertArrayEquals(model.parameters(), back.parameters());
  }

  @Test
  void hasTheShapesOfPyTorch() throws IOException {
    Layout layout = Network.parse("conv(4,3x2) flatten dense(3)").on(new Shape(6, 5, 2));
    new Model(
            layout, layout.initial(Initialiser.HE_NORMAL, 4), ModelPrivacy.ofOldLine("for a test"))
        .save(folder);
    Safetensors file = Safetensors.read(folder.resolve("model.safetensors"));
    assertEquals("pt", file.metadata().get("format"));
    assertEquals(List.of(4, 2, 3, 2), file.tensor("0.weight").shape());
    assertEquals(List.of(3, 64), file.tensor("2.weight").shape());
  }

  /** Or a class that no output is of would be looked for among the outputs. */
  @Test
  void aForgedDescriptionNamesNoOtherNumberOfClasses() throws IOException {
    Layout layout = Network.parse("dense(3)").on(Shape.vector(4));
    ModelUse use =
        new ModelUse(new RawInputs.AsTheyAre(), new Task.Classes(List.of("a", "b", "c")));
    Model model = new Model(layout, new float[15], ModelPrivacy.ofOldLine("for a test"));
    model.usedAs(use).save(folder);
    Path json = folder.resolve("model.json");
    Files.writeString(json, Files.readString(json).replaceFirst("\"c\"", "\"c\", \"d\""));
    String message =
        assertThrows(IllegalArgumentException.class, () -> Model.load(folder)).getMessage();
    assertTrue(message.contains("classes of a model must be as many"), message);
  }

  @Test
  void whatAModelSaysOfItselfSteersNoTerminal() {
    assertThrows(IllegalArgumentException.class, () -> ModelPrivacy.none("PRIVATE\u001b[2J"));
  }

  @Test
  void refusesFilesThatDoNotFitTogether() throws IOException {
    Layout layout = Network.parse("dense(3)").on(Shape.vector(4));
    new Model(layout, new float[15], ModelPrivacy.ofOldLine("for a test")).save(folder);
    Path json = folder.resolve("model.json");
    String good = Files.readString(json);
    for (String bad :
        List.of(
            "",
            "[]",
            "{}",
            good.replace("dense(3)", "dense(4)"),
            good.replace("dense(3)", "dense(100000000)"),
            good.replace("dense(3)", "layernorm dense(3,bias=false)"),
            good.replace("dense(3)", "dense(3"),
            good.replace("dense(3)", "residual(".repeat(20_000)),
            good.replace("privacy", "piracy"),
            good.replace("1, 1, 4", "1, 4"),
            good.replace("1, 1, 4", "1, 1, -4"),
            good.replace("1, 1, 4", "1, 1, 4.5"))) {
      Files.writeString(json, bad);
      assertThrows(IllegalArgumentException.class, () -> Model.load(folder), bad);
    }
  }

  /** Or weights of an insecure run would pass for private beside another run's description. */
  @Test
  void refusesWeightsWithAnotherPromise() throws IOException {
    Layout layout = Network.parse("dense(1)").on(Shape.vector(1));
    new Model(layout, new float[2], ModelPrivacy.ofOldLine("INSECURE")).save(folder);
    java.nio.file.Files.copy(
        folder.resolve("model.safetensors"), folder.resolve("insecure.safetensors"));
    new Model(layout, new float[2], ModelPrivacy.ofOldLine("Private")).save(folder);
    java.nio.file.Files.move(
        folder.resolve("insecure.safetensors"),
        folder.resolve("model.safetensors"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Model.load(folder)).getMessage();
    assertTrue(message.endsWith("Provided value: INSECURE"), message);
  }

  @Test
  void copiesItsParameters() {
    Layout layout = Network.parse("dense(1)").on(Shape.vector(1));
    float[] parameters = {1, 2};
    Model model = new Model(layout, parameters, ModelPrivacy.ofOldLine("for a test"));
    parameters[0] = 9;
    model.parameters()[1] = 9;
    assertArrayEquals(new float[] {1, 2}, model.parameters());
    assertThrows(
        IllegalArgumentException.class,
        () -> new Model(layout, new float[3], ModelPrivacy.ofOldLine("for a test")));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Model(layout, parameters, ModelPrivacy.ofOldLine(" ")));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Model(layout, parameters, ModelPrivacy.ofOldLine("a\nb")));
  }

  @Test
  void aResultsFilesSayWhatItCostAndReadBack() throws IOException {
    PrivacyPlan plan = PrivacyPlan.noise(2).lotSize(10).steps(3).clip(1).build();
    Result result =
        Trainer.of(Problems.LINEAR, plan)
            .learningRate(1)
            .delta(1e-6)
            .train(Problems.classes(100, 1), TestSet.declaredPublic(Problems.classes(20, 2)));
    result.save(folder);
    Guaranteed privacy = (Guaranteed) result.privacy();
    assertEquals(privacy.ledger(), Ledger.parse(Files.readString(folder.resolve("ledger.json"))));
    assertArrayEquals(result.model().parameters(), Model.load(folder).parameters());
    JsonFields run = JsonFields.parse("run", Files.readString(folder.resolve("run.json")));
    assertEquals(result.epsilon(), run.get("epsilon"));
    assertEquals(1e-6, run.get("delta"));
    assertEquals("pld", run.text("accountant"));
    assertEquals(1, run.list("evaluations").size());
    assertTrue(Files.readString(folder.resolve("privacy.txt")).startsWith("PRIVACY STATEMENT"));
    assertMarked("Private: " + privacy.guarantee());

    Trainer.of(Problems.LINEAR, plan)
        .learningRate(1)
        .insecureSeed(1)
        .train(Problems.classes(100, 1))
        .save(folder);
    assertMarked("INSECURE");
    assertTrue(Files.readString(folder.resolve("privacy.txt")).startsWith("INSECURE"));
    assertFalse(Files.exists(folder.resolve("ledger.json")), "a ledger alone would promise");

    PrivacyPlan none = PrivacyPlan.nonPrivate().lotSize(10).steps(3).build();
    Trainer.nonPrivate(Problems.LINEAR, none)
        .learningRate(1)
        .train(Problems.classes(100, 1))
        .save(folder);
    assertTrue(Files.readString(folder.resolve("privacy.txt")).startsWith("NOT PRIVATE"));
    assertFalse(Files.exists(folder.resolve("ledger.json")), "no ledger of another run");
    assertMarked("NOT PRIVATE");
  }

  private void assertMarked(String start) throws IOException {
    String inJson = Model.load(folder).privacy();
    assertTrue(inJson.startsWith(start), inJson);
    Safetensors weights = Safetensors.read(folder.resolve("model.safetensors"));
    assertEquals(inJson, weights.metadata().get("privacy"));
  }
}
