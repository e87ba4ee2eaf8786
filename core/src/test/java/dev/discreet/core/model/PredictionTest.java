package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictionTest {
  private static final ModelPrivacy NONE = ModelPrivacy.none("NOT PRIVATE: for a test");
  private static final RawInputs COLUMNS =
      new RawInputs.Columns(
          List.of(
              new InputColumn.Number("age", 20, 120),
              new InputColumn.Category("sex", List.of("female", "male"))));
  private static final ModelUse PATIENTS =
      new ModelUse(COLUMNS, new Task.Classes(List.of("well", "ill")));

  @TempDir Path folder;

  /** dense(2) with the weights of the first output, then of the second, then biases. */
  private static Model model(String network, int inputs, float... parameters) {
    Layout layout = Network.parse(network).on(Shape.vector(inputs));
    return new Model(layout, parameters, NONE);
  }

  /** The three lines of the README. */
  @Test
  void aTrainedModelIsSavedLoadedAndAsked() throws IOException {
    float[] inputs = new float[300];
    float[] labels = new float[100];
    for (int i = 0; i < 100; i++) {
      inputs[3 * i] = i / 100f;
      inputs[3 * i + 1] = 1;
      labels[i] = i < 50 ? 0 : 1;
    }
    Examples rows = Examples.of(Shape.vector(3), inputs, 1, labels);
    PrivacyPlan plan = PrivacyPlan.nonPrivate().samplingRate(1).steps(300).build();
    Trainer.nonPrivate(Network.parse("dense(2)"), plan)
        .learningRate(5)
        .use(PATIENTS)
        .train(rows)
        .save(folder);
    Model model = Model.load(folder);
    Prediction old = model.predict(List.of("110", "female"));
    Map<String, Double> young = model.probabilities(List.of("25", "female"));
    assertEquals("ill", old.label());
    assertTrue(young.get("well") > 0.9 && old.probabilities().get("ill") > 0.9, old + " " + young);
    assertEquals(1, young.get("well") + young.get("ill"), 1e-6);
    assertEquals(List.of("well", "ill"), List.copyOf(young.keySet()));
  }

  @Test
  void rawRowsAreScaledAsTheRunsOwnWere() {
    float[] inputs = COLUMNS.inputs(Shape.vector(3), List.of(" 45 ", "male"));
    assertEquals(0.25f, inputs[0]);
    assertEquals(0f, inputs[1]);
    assertEquals(1f, inputs[2]);
    assertEquals(1f, COLUMNS.inputs(Shape.vector(3), List.of("999", "male"))[0], "into bounds");
    RawInputs pixels = new RawInputs.Pixels(0, 255, List.of(0.5, 0.0), List.of(0.25, 1.0));
    float[] image = pixels.inputs(new Shape(1, 1, 2), 255, 51);
    assertEquals(2f, image[0]);
    assertEquals(0.2f, image[1]);
  }

  @Test
  void cellsThatAreNoneAreRefusedByName() {
    for (List<String> row :
        List.of(List.of("old", "male"), List.of("45", "other"), List.of("45"))) {
      assertThrows(
          IllegalArgumentException.class, () -> COLUMNS.inputs(Shape.vector(3), row), "" + row);
    }
    assertThrows(
        IllegalArgumentException.class, () -> model("dense(2)", 2, new float[6]).usedAs(PATIENTS));
    ModelUse unknown = new ModelUse(new RawInputs.Unknown(), PATIENTS.task());
    Model model = model("dense(2)", 3, new float[8]).usedAs(unknown);
    assertThrows(IllegalArgumentException.class, () -> model.predict(1, 2, 3));
  }

  @Test
  void categoriesThatAreNumbersMayBeWrittenAsOthersWriteThem() {
    InputColumn grade = new InputColumn.Category("grade", List.of("1", "2"));
    float[] inputs = new float[2];
    grade.write("2.0", inputs, 0);
    assertEquals(1f, inputs[1]);
    RawInputs columns = new RawInputs.Columns(List.of(grade));
    assertEquals(1f, columns.inputs(Shape.vector(2), 2)[1]);
    InputColumn zip = new InputColumn.Category("zip", List.of("02134", "2134"));
    zip.write(" 2134 ", inputs, 0);
    assertEquals(1f, inputs[1]);
    refused(
        "zip must be one of 02134, 2134. Provided value: 2134.0",
        () -> zip.write("2134.0", inputs, 0));
    refused(
        "categories of column zip must be distinct. Provided value: 1",
        () -> new InputColumn.Category("zip", List.of("1", "1")));
  }

  /** As the rows that it was trained on were read. */
  @ParameterizedTest
  @ValueSource(strings = {"0x1p3", "1d", "NaN", "Infinity", "1e999", "", "1,5"})
  void whatOnlyJavaTakesForANumberIsRefused(String cell) {
    float[] inputs = new float[2];
    InputColumn age = new InputColumn.Number("age", 0, 120);
    refused("age must be a number. Provided value: " + cell, () -> age.write(cell, inputs, 0));
    refused(
        "cell of a row must be a number. Provided value: " + cell,
        () -> new RawInputs.AsTheyAre().inputs(Shape.vector(1), List.of(cell)));
    InputColumn grade = new InputColumn.Category("grade", List.of("1", "8"));
    refused(
        "grade must be one of 1, 8. Provided value: " + cell, () -> grade.write(cell, inputs, 0));
  }

  private static void refused(String message, Executable what) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, what).getMessage());
  }

  @Test
  void aNumberIsToldInItsOwnUnit() throws IOException {
    Model model =
        model("dense(1) loss=squared", 1, 1f, 0f)
            .usedAs(new ModelUse(new RawInputs.AsTheyAre(), new Task.Number("income", 100, 300)));
    assertEquals(150, model.predict(0.25).value());
    model.save(folder);
    assertEquals(model.use(), Model.load(folder).use());
    assertEquals("150.0", Model.load(folder).predict(0.25).label());
    assertEquals(Map.of(), model.probabilities(0.25));
  }

  @Test
  void aModelThatNobodyDescribedNumbersItsClasses() {
    Model two = model("dense(1) loss=logistic", 1, 1f, 0f);
    assertEquals("1", two.predict(3).label());
    assertEquals("0", two.predict(-3).label());
    assertEquals(2, two.probabilities(0).size());
    List<Prediction> all = two.predictAll(new double[][] {{3}, {-3}});
    assertEquals(List.of(two.predict(3), two.predict(-3)), all);
  }

  @Test
  void whatIsKnownOfRowsComesBackFromFiles() throws IOException {
    for (RawInputs inputs :
        List.of(
            COLUMNS,
            new RawInputs.AsTheyAre(),
            new RawInputs.Unknown(),
            new RawInputs.Pixels(-1, 1, List.of(0.5, 0.5, 0.0), List.of(0.25, 1.0, 1.0)))) {
      Model model =
          model("dense(2)", 3, new float[8]).usedAs(new ModelUse(inputs, PATIENTS.task()));
      model.save(folder);
      assertEquals(model.use(), Model.load(folder).use());
    }
  }
}
