package dev.discreet.recipe.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFileTest {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("run.yaml"), text);
  }

  private static SettingValues set(Map<Setting<?>, List<String>> texts) {
    Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
    texts.forEach((setting, each) -> values.put(setting, new SettingValues.Value(each, "")));
    return new SettingValues(values);
  }

  /** Values as people write them, and some that YAML would take for something else. */
  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    Map<Setting<?>, List<String>> values = new LinkedHashMap<>();
    List<String> texts =
        List.of(
            "3", "1e-5", "true", "null", "a: b", "'x' # y", "[1, 2]", "{0..9}", "-", "é ÷", "~");
    int next = 0;
    for (Setting<?> setting : Settings.ALL) {
      if (setting.inRunFile()) {
        String text = texts.get(next++ % texts.size());
        values.put(
            setting,
            setting.type().form() == ValueType.Form.REPEATED
                ? List.of(text, "0|1", "")
                : List.of(text));
      }
    }
    values.keySet().removeIf(each -> !each.rivals().isEmpty());
    SettingValues given = RunFile.read(file(RunFile.text("NOT PRIVATE: for a test", set(values))));
    Map<Setting<?>, List<String>> back = new LinkedHashMap<>();
    given.values().forEach((setting, value) -> back.put(setting, value.texts()));
    assertEquals(values, back);
    assertTrue(Files.readString(folder.resolve("run.yaml")).startsWith("# NOT PRIVATE: for a"));
  }

  @Test
  void numbersNeedNoQuotes() {
    Map<Setting<?>, List<String>> values = new LinkedHashMap<>();
    values.put(PrivacySettings.EPSILON, List.of("3"));
    values.put(PrivacySettings.DELTA, List.of("1e-5"));
    values.put(DataSettings.COLUMN, List.of("age=0..120", "sex=f|m"));
    assertEquals(
        "epsilon: 3\ndelta: 1e-5\ncolumn:\n- age=0..120\n- sex=f|m\n",
        RunFile.text("", set(values)).replace("column:\n- age=0..120\n- sex=f|m\n", "")
            + "column:\n- age=0..120\n- sex=f|m\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tun: 3 | line 1: unknown key 'tun'; did you mean tune?
          pretrian: 3 | line 1: unknown key 'pretrian'; did you mean pretrain?
          epsilom: 3 | line 1: unknown key 'epsilom'; did you mean epsilon?
          data: x;lotsize: 3 | line 2: unknown key 'lotsize'; did you mean lot-size?
          Lot_Size: 3 | line 1: unknown key 'Lot_Size'; did you mean lot-size?
          clip: 1;data: x;clip: 2 | line 3: clip must be set once. It is set before
          clip: [1, 2] | line 1: clip must be one value. Provided value: a list
          clip: {a: 1} | line 1: clip must be a value. Provided value: mapping
          force: true | line 1: force must be an option, for it is no part of a run. Provided value: a key
          epochs: 3;steps: 4 | line 2: epochs and steps cannot stand together: each decides what the other does
          clip: abc | line 1: clip must be a number. Provided value: abc
          data: x;;non-private: maybe | line 3: non-private must be one of true, false. Provided value: maybe
          pretrain:;  epoch: 3 | line 2: unknown key 'pretrain-epoch'; did you mean pretrain-epochs?
          pretrain:;  data: digits;pretrain-data: x | line 3: pretrain-data must be set once. It is set before
          pretrain: 3 | line 1: pretrain must be a section, with lines such as data: digits below it. Provided value: 3
          data: 'x | line 1: must be YAML: found unexpected end of stream
          """)
  void aWrongLineIsNamed(String text, String message) throws IOException {
    Path file = file(text.replace(';', '\n'));
    Exception e = assertThrows(IllegalArgumentException.class, () -> RunFile.read(file).checked());
    assertEquals(file + ", " + message, e.getMessage());
  }

  /** One long line would cost the parser hundreds of bytes for each of its characters. */
  @Test
  void aLineThatIsTooLongIsRefused() throws IOException {
    Path file = file("# many\n" + "#".repeat(RunFile.LONGEST_LINE + 1));
    Exception e = assertThrows(IllegalArgumentException.class, () -> RunFile.read(file));
    String why = "a run file with lines of at most 100000 characters. Provided value: 100001";
    assertTrue(e.getMessage().endsWith(why), e.getMessage());
    assertEquals(
        SettingValues.nothing(),
        RunFile.read(file(("#".repeat(RunFile.LONGEST_LINE) + "\n").repeat(5))));
  }

  /** As of a table with very many columns. */
  @Test
  void manyLinesAreRead() {
    String text =
        IntStream.range(0, 10_500)
            .mapToObj(i -> "- gene_" + i + "=0..100\n")
            .collect(Collectors.joining("", "column:\n", ""));
    assertEquals(
        10_500, RunFile.parse("run.yaml", text).get(DataSettings.COLUMN).orElseThrow().size());
  }

  @Test
  void whatHasNoEndIsRefused() throws IOException {
    Path zero = Path.of("/dev/zero");
    assumeTrue(Files.exists(zero));
    Path link = Files.createSymbolicLink(folder.resolve("run.yaml"), zero);
    assertThrows(IllegalArgumentException.class, () -> RunFile.read(link));
  }

  @Test
  void aFileThatIsNoMappingIsRefused() throws IOException {
    Path file = file("just words");
    Exception e = assertThrows(IllegalArgumentException.class, () -> RunFile.read(file));
    assertTrue(e.getMessage().startsWith(file + " must be lines of the form KEY: VALUE"));
    assertEquals(SettingValues.nothing(), RunFile.read(file("# nothing\n")));
  }

  @Test
  void numbersMayBeAList() throws IOException {
    SettingValues given = RunFile.read(file("mean: [0.1, 0.2]\nclip-per-layer:\n- 1\n- 2\n"));
    assertEquals(List.of(0.1, 0.2), given.get(DataSettings.MEAN).orElseThrow());
    assertEquals(List.of(1.0, 2.0), given.get(ClippingSettings.CLIP_PER_LAYER).orElseThrow());
  }

  @Test
  void anOptionReplacesItsNamesakeAndItsRivals() throws IOException {
    SettingValues file = RunFile.read(file("epochs: 3\nepsilon: 2\nclip: 1\nfreeze: [0]\n"));
    Map<Setting<?>, SettingValues.Value> options = new LinkedHashMap<>();
    options.put(LotSettings.STEPS, new SettingValues.Value(List.of("7"), ""));
    options.put(ClippingSettings.CLIP, new SettingValues.Value(List.of("2"), ""));
    SettingValues both = new SettingValues(options).over(file);
    assertTrue(both.get(LotSettings.EPOCHS).isEmpty());
    assertEquals(7L, both.get(LotSettings.STEPS).orElseThrow());
    assertEquals(2.0, both.get(ClippingSettings.CLIP).orElseThrow());
    assertEquals(2.0, both.get(PrivacySettings.EPSILON).orElseThrow());
    assertEquals(List.of("0"), both.get(ModelSettings.FREEZE).orElseThrow());
  }

  /** Each page of the laboratory ends with one: keys and values must be those of today. */
  @Test
  void theLaboratorysRunFilesAreReadWhole() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of("..", "docs", "results"))) {
      files = all.filter(path -> path.toString().endsWith(".yaml")).toList();
    }
    assertTrue(files.size() >= 8, files.toString());
    for (Path file : files) {
      assertTrue(RunFile.read(file).checked().values().size() >= 4, file.toString());
    }
  }
}
