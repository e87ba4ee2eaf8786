package dev.discreet.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.Prediction;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Raw rows go in, and what comes out is what the model here says of them. */
class RawRowsTest {
  /** Probabilities are computed from floats there, from doubles here. */
  private static final double TOLERANCE = 1e-6;

  private static final List<InputColumn> COLUMNS =
      List.of(
          new InputColumn.Number("age", 0, 120),
          new InputColumn.Number("since", 1.6e9, 1.6e9 + 50),
          new InputColumn.Category("sex", List.of("female", "male", "not said")),
          new InputColumn.Number("label", -5, 5),
          new InputColumn.Category("ward", List.of("1", "2.5", "-3e2")));

  private static Model model(String network, Shape input, RawInputs inputs, Task task) {
    Layout layout = Network.parse(network).on(input);
    SplittableRandom random = new SplittableRandom(1);
    float[] parameters = new float[layout.parameters()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = (float) random.nextGaussian();
    }
    return new Model(layout, parameters, ModelPrivacy.none("NOT PRIVATE: random numbers."))
        .usedAs(new ModelUse(inputs, task));
  }

  private static Model table(String network, Task task) {
    return model(network, Shape.vector(9), new RawInputs.Columns(COLUMNS), task);
  }

  private static List<String> row(SplittableRandom random) {
    return List.of(
        Integer.toString(random.nextInt(-40, 160)),
        // Such bounds are told apart by no float.
        Double.toString(1.6e9 - 10 + 70 * random.nextDouble()),
        List.of("female", "male", "not said").get(random.nextInt(3)),
        Double.toString(20 * random.nextDouble() - 10),
        List.of("1", "1.0", "2.5", "-300", "-300.0", "-3e2").get(random.nextInt(6)));
  }

  private static Map<String, Object> inputs(List<List<String>> rows) {
    Map<String, Object> inputs = new LinkedHashMap<>();
    for (int c = 0; c < COLUMNS.size(); c++) {
      int at = c;
      // An output is called label, so that column is not.
      String name = COLUMNS.get(c).name().equals("label") ? "label_" : COLUMNS.get(c).name();
      inputs.put(
          name,
          COLUMNS.get(c) instanceof InputColumn.Number
              ? rows.stream()
                  .map(row -> new double[] {Double.parseDouble(row.get(at))})
                  .toArray(double[][]::new)
              : rows.stream().map(row -> new String[] {row.get(at)}).toArray(String[][]::new));
    }
    return inputs;
  }

  private static List<List<String>> rows(int count) {
    SplittableRandom random = new SplittableRandom(count);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(random));
    }
    return rows;
  }

  private static void agree(Model model) throws OrtException {
    try (Served served = new Served(OnnxExport.of(model).bytes())) {
      for (int count : new int[] {1, 200}) {
        List<List<String>> rows = rows(count);
        Map<String, Object> told = served.of(inputs(rows));
        for (int i = 0; i < count; i++) {
          same(model.predict(rows.get(i)), told, i);
        }
      }
    }
  }

  static void same(Prediction ours, Map<String, Object> told, int row) {
    if (ours.probabilities().isEmpty()) {
      double theirs = ((double[]) told.get("value"))[row];
      assertEquals(ours.value(), theirs, TOLERANCE * Math.max(1, Math.abs(ours.value())));
      return;
    }
    assertEquals(ours.label(), ((String[]) told.get("label"))[row]);
    float[] theirs = ((float[][]) told.get("probabilities"))[row];
    assertEquals(ours.probabilities().size(), theirs.length);
    int at = 0;
    for (double each : ours.probabilities().values()) {
      assertEquals(each, theirs[at++], TOLERANCE);
    }
  }

  @Test
  void rowsOfATableGiveClasses() throws OrtException {
    Task three = new Task.Classes(List.of("no", "per\u00f2 s\u00ec", "2"));
    agree(table("dense(16) tanh dense(3)", three));
    agree(table("dense(3) loss=logistic", three));
    // One output tells two classes apart.
    Task two = new Task.Classes(List.of("well", "ill"));
    agree(table("dense(1) loss=logistic", two));
    // A declared threshold decides here too, and weights are for training alone.
    agree(table("dense(1) loss=logistic(weights=1|4,threshold=0.2)", two));
    agree(table("dense(2) loss=softmax(weights=1|4,threshold=0.8)", two));
  }

  @Test
  void rowsOfATableGiveANumberInItsOwnUnit() throws OrtException {
    agree(table("dense(8) relu dense(1) loss=squared", new Task.Number("income", -10, 250_000)));
    agree(table("dense(1) loss=huber(0.5)", new Task.Number("income", 0, 1)));
  }

  /** Shorts, bytes or decimals: whatever a float has, the network gets the same bits. */
  @Test
  void rawPixelsGoIn() throws OrtException {
    Task three = new Task.Classes(List.of("cat", "dog", "owl"));
    for (RawInputs.Pixels pixels :
        List.of(
            new RawInputs.Pixels(0, 255, List.of(0.49, 0.48, 0.45), List.of(0.2, 0.19, 0.25)),
            new RawInputs.Pixels(-1, 3.7, List.of(), List.of()))) {
      Model image = model("conv(5,3) relu maxpool(2) dense(3)", new Shape(6, 7, 3), pixels, three);
      images(image, 6, 7, 3);
    }
    Model vector =
        model(
            "dense(3)", Shape.vector(4), new RawInputs.Pixels(0, 16, List.of(), List.of()), three);
    images(vector, 4);
    images(model("dense(3)", new Shape(2, 2, 1), new RawInputs.AsTheyAre(), three), 2, 2, 1);
  }

  private static void images(Model model, long... shape) throws OrtException {
    SplittableRandom random = new SplittableRandom(4);
    int size = model.layout().input().size();
    try (Served served = new Served(OnnxExport.of(model).bytes())) {
      String input = served.session().getInputNames().iterator().next();
      for (int rows : new int[] {1, 20}) {
        float[] raw = new float[rows * size];
        for (int i = 0; i < raw.length; i++) {
          raw[i] = random.nextInt(-20, 300);
        }
        long[] dimensions = LongStream.concat(LongStream.of(rows), LongStream.of(shape)).toArray();
        Map<String, Object> told = served.of(input, raw, dimensions);
        for (int i = 0; i < rows; i++) {
          int from = i * size;
          double[] row = IntStream.range(from, from + size).mapToDouble(at -> raw[at]).toArray();
          same(model.predict(row), told, i);
        }
      }
    }
  }

  private static String refused(Model model, String column, Object cell) throws OrtException {
    try (Served served = new Served(OnnxExport.of(model).bytes())) {
      Map<String, Object> inputs = inputs(rows(1));
      inputs.put(column, cell);
      return assertThrows(OrtException.class, () -> served.of(inputs)).getMessage();
    }
  }

  /** What {@code predict} refuses is refused, and named. */
  @Test
  void whatIsNoCellOfAColumnIsRefused() throws OrtException {
    Model model = table("dense(2)", new Task.Classes(List.of("no", "yes")));
    for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      String said = refused(model, "since", new double[][] {{none}});
      assertTrue(said.contains("age, since must be a finite number"), said);
    }
    String said = refused(model, "sex", new String[][] {{"Male"}});
    assertTrue(said.contains("sex must be one of female, male, not said"), said);
    said = refused(model, "ward", new String[][] {{"3"}});
    assertTrue(said.contains("ward must be one of 1, 2.5, -3e2"), said);
    for (String none : List.of("", "x", "nan", "1x", "0x1", "1 2")) {
      refused(model, "ward", new String[][] {{none}});
    }
  }

  /** Each kind of declaration beside an ordinary column: the network gets the same inputs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // declaration; cells that it takes; cells that it refuses
        "x=0..10; 3|-4|11; NaN|Infinity",
        "x=0..10,missing=row,missing-cells=99; 3|-4|11; NaN|99|Infinity",
        "x=0..10,missing=4; 3|-4|NaN; Infinity",
        "x=0..10,missing=own; 3|-4|NaN; Infinity",
        "x=0..10,missing=indicator(4),missing-cells=99|NA|-1; 3|99|98|-1|NaN; Infinity",
        "x=low<mid<high; low|mid|high; none|EMPTY",
        "x=1<2<3; 1|1.0|2|3|3.0; 4|EMPTY",
        "x=a|b,other=rest; a|b|c|rest; EMPTY",
        "x=1|2,other=rest; 1|2|3; EMPTY",
        "x=a|b,missing=row,missing-cells=NA; a|b; EMPTY|NA|c",
        "x=a|b,missing=b; a|b|EMPTY; c",
        "x=1|2,missing=own,missing-cells=9; 1|2.0|EMPTY|9|9.0; c|8",
        "x=a|b,other=rest,missing=indicator(a),missing-cells=NA; a|b|c|EMPTY|NA|rest; ",
        "x=low<mid<high,missing=mid; low|EMPTY|high; other",
        "x=1<2<3,missing=own,missing-cells=9; 1|3|9|9.0|EMPTY; 0",
      })
  void kindsOfColumnsAreReadAsHere(String declared, String taken, String refused)
      throws OrtException {
    InputColumn column = InputColumn.parse(declared);
    List<InputColumn> columns =
        List.of(new InputColumn.Number("before", 0, 1), column, new InputColumn.Number("z", 0, 1));
    Model model =
        model(
            "dense(2)",
            Shape.vector(2 + column.width()),
            new RawInputs.Columns(columns),
            new Task.Classes(List.of("no", "yes")));
    try (Served served = new Served(OnnxExport.of(model).bytes())) {
      boolean number = declared.contains("..");
      for (String cell : taken.split("\\|")) {
        String bare = cell.equals("EMPTY") ? "" : cell;
        // What no number is here the empty cell.
        List<String> row = List.of("0.5", bare.equals("NaN") ? "" : bare, "0.25");
        same(model.predict(row), served.of(mixed(bare, number)), 0);
      }
      for (String cell : refused == null ? new String[0] : refused.split("\\|")) {
        String bare = cell.equals("EMPTY") ? "" : cell;
        String said =
            assertThrows(OrtException.class, () -> served.of(mixed(bare, number)), bare)
                .getMessage();
        assertTrue(said.contains("x must be ") || said.contains("before, x, z must be"), said);
        String here = bare.equals("NaN") ? "" : bare;
        assertThrows(
            IllegalArgumentException.class, () -> model.predict(List.of("0.5", here, "0.25")));
      }
    }
  }

  private static Map<String, Object> mixed(String cell, boolean number) {
    return Map.of(
        "before",
        new double[][] {{0.5}},
        "x",
        number ? new double[][] {{Double.parseDouble(cell)}} : new String[][] {{cell}},
        "z",
        new double[][] {{0.25}});
  }

  /** Tables have hundreds of columns too. */
  @Test
  void manyColumnsAreFewOperators() throws OrtException {
    List<InputColumn> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(new InputColumn.Number("x" + i, -i - 1, i));
    }
    Model model =
        model(
            "dense(2)",
            Shape.vector(300),
            new RawInputs.Columns(many),
            new Task.Classes(List.of("no", "yes")));
    SplittableRandom random = new SplittableRandom(3);
    double[] row = random.doubles(300, -400, 400).toArray();
    Map<String, Object> inputs = new LinkedHashMap<>();
    for (int i = 0; i < row.length; i++) {
      inputs.put("x" + i, new double[][] {{row[i]}});
    }
    byte[] file = OnnxExport.of(model).bytes();
    try (Served served = new Served(file)) {
      same(model.predict(row), served.of(inputs), 0);
    }
    assertTrue(file.length < 60_000, "bytes: " + file.length);
  }

  /** What no file can say is refused before there is one. */
  @Test
  void whatCannotBeExportedIsRefusedByName() {
    Task number = new Task.Number("income", 0, 1);
    for (Model model :
        List.of(
            table("dense(2) loss=squared", number),
            table("dense(1) loss=logistic", number),
            model(
                "dense(2)",
                Shape.vector(7),
                new RawInputs.Columns(List.of(InputColumn.parse("visit=weekday"))),
                new Task.Classes(List.of("a", "b"))),
            model(
                "dense(2)",
                Shape.vector(2),
                new RawInputs.Unknown(),
                new Task.Classes(List.of("a", "b"))))) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> OnnxExport.of(model).bytes())
              .getMessage();
      assertTrue(said.contains("Provided value: "), said);
    }
  }

  /** All of them are named at once. */
  @Test
  void columnsThatNoOperatorReadsAreRefused() {
    List<InputColumn> columns =
        List.of(
            InputColumn.parse("visit=weekday"),
            InputColumn.parse("age=0..120"),
            InputColumn.parse("note=text,hash=4,missing=own"));
    int inputs = columns.stream().mapToInt(InputColumn::width).sum();
    Model model =
        model(
            "dense(2)",
            Shape.vector(inputs),
            new RawInputs.Columns(columns),
            new Task.Classes(List.of("no", "yes")));
    String message =
        assertThrows(IllegalArgumentException.class, () -> OnnxExport.of(model)).getMessage();
    assertTrue(message.contains("Provided value: visit=weekday, note=text,hash=4"), message);
  }
}
