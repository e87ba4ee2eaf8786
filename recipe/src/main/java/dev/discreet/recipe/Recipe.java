package dev.discreet.recipe;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.Sha256;
import dev.discreet.data.DataSet;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Section;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.ValueType.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A run described: what it learns from, whom it protects, what learns, under which plan, how, and
 * what it leaves. What is not set has its default when the run is prepared. Every value was read
 * and found right when the recipe was made.
 *
 * <pre>{@code
 * Recipe recipe = Recipe.of().with("data", "mnist").with("epsilon", "3");
 * FinishedRun run = recipe.prepare().start();
 * run.save(Path.of("runs", "mnist"));
 * }</pre>
 *
 * <p>Two recipes are equal where they set the same to the same values, however these were written.
 */
@PublicApi
public final class Recipe {
  private static final Recipe NOTHING = new Recipe(SettingValues.nothing());

  private final SettingValues values;
  private final String text;

  private Recipe(SettingValues values) {
    values
        .values()
        .forEach(
            (setting, value) ->
                Check.that(
                    setting.inRunFile(),
                    value.place() + setting.name(),
                    "left to the call that runs it, for it is no part of a run",
                    String.join(",", value.texts())));
    this.values = values.checked();
    this.text = canonical(values);
  }

  /**
   * A recipe that sets nothing: the default run.
   *
   * @return the empty recipe
   */
  public static Recipe of() {
    return NOTHING;
  }

  /**
   * A recipe of what was set, which is checked here.
   *
   * @param values what was set
   * @return the recipe
   */
  public static Recipe of(SettingValues values) {
    return new Recipe(values);
  }

  /**
   * Reads a run file. A wrong value is refused with its line.
   *
   * @param runFile a file that {@link #yaml} or a person wrote
   * @return the recipe
   * @throws IOException where the file cannot be read
   */
  public static Recipe read(Path runFile) throws IOException {
    return new Recipe(RunFile.read(runFile));
  }

  /**
   * Reads the text of a run file.
   *
   * @param yaml the text
   * @return the recipe
   */
  public static Recipe parse(String yaml) {
    return new Recipe(RunFile.parse("run file", yaml));
  }

  /**
   * With this value, which replaces an earlier one and settings that it cannot stand beside.
   *
   * @param <T> the type of its values
   * @param setting what to set
   * @param value what to set it to
   * @return that recipe; this one stays as it is
   */
  public <T> Recipe with(Setting<T> setting, T value) {
    return new Recipe(values.with(setting, value));
  }

  /**
   * The same as an option or a run file would set it.
   *
   * @param name of the setting, such as {@code lot-size}
   * @param texts one, unless the setting may be repeated
   * @return that recipe; this one stays as it is
   */
  public Recipe with(String name, String... texts) {
    Setting<?> setting = RunFile.setting("", name);
    Check.that(
        texts.length == 1 || setting.type().form() == Form.REPEATED,
        name,
        "one value",
        List.of(texts));
    return new Recipe(values.withTexts(setting, List.of(texts)));
  }

  /**
   * With the default of a setting.
   *
   * @param setting what not to set
   * @return that recipe; this one stays as it is
   */
  public Recipe without(Setting<?> setting) {
    return new Recipe(values.only(other -> other != setting));
  }

  /**
   * Both recipes in one. Where both set the same, or what cannot stand side by side, this one
   * counts.
   *
   * @param other whose settings count where this one sets nothing
   * @return both in one
   */
  public Recipe over(Recipe other) {
    return new Recipe(values.over(other.values));
  }

  /**
   * What is set about one part of the run.
   *
   * @param section which part
   * @return a recipe of those settings alone
   */
  public Recipe part(Section section) {
    return new Recipe(values.only(setting -> setting.section() == section));
  }

  /**
   * What was set; empty where the default holds.
   *
   * @param <T> the type of its values
   * @param setting what is asked for
   * @return its value
   */
  public <T> Optional<T> get(Setting<T> setting) {
    return values.get(setting);
  }

  /**
   * Whether something is set.
   *
   * @param setting what is asked for
   * @return false where the default holds
   */
  public boolean sets(Setting<?> setting) {
    return values.isSet(setting);
  }

  /**
   * What was set, as it was written and where.
   *
   * @return the values
   */
  public SettingValues values() {
    return values;
  }

  /**
   * One line that tells this recipe from every other, in the order of the table: {@code data=mnist
   * epsilon=3}. A value that was written in another way, such as 3.0, is the same here.
   *
   * @return one line
   */
  public String text() {
    return text;
  }

  private static String canonical(SettingValues values) {
    StringBuilder line = new StringBuilder();
    Settings.ALL.forEach(setting -> append(setting, values, line));
    return line.toString();
  }

  private static <T> void append(Setting<T> setting, SettingValues values, StringBuilder line) {
    T value = values.get(setting).orElse(null);
    if (value == null || value.equals(false)) {
      return;
    }
    for (String text : setting.write(value)) {
      boolean plain = text.matches("[^\\s\"\\\\\\p{Cntrl}]+");
      line.append(line.isEmpty() ? "" : " ").append(setting.name()).append('=');
      line.append(plain ? text : quoted(text));
    }
  }

  private static String quoted(String text) {
    try {
      return JsonNumbers.SHORTEST.asString(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * As a run file in the order of the table, each value as it was written.
   *
   * @return the text of a run file
   */
  public String yaml() {
    return RunFile.text("", values.inOrder());
  }

  /**
   * As one JSON object: texts by name, lists of them where a setting may be repeated.
   *
   * @return the text of the object
   */
  public String json() {
    try {
      return escaped(JsonNumbers.SHORTEST.asString(fields()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What JSON takes as it is and YAML takes for the end of a line, or for nothing. */
  private static String escaped(String json) {
    return Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cn}\\p{Zl}\\p{Zp}]")
        .matcher(json)
        .replaceAll(
            found -> {
              StringBuilder escape = new StringBuilder();
              for (char c : found.group().toCharArray()) {
                escape.append("\\\\u").append(HexFormat.of().toHexDigits(c));
              }
              return escape.toString();
            });
  }

  /**
   * The fields of {@link #json}, in the order of the table.
   *
   * @return the fields, by name
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      if (values.isSet(setting)) {
        List<String> texts = values.values().get(setting).texts();
        boolean repeated = setting.type().form() == Form.REPEATED;
        fields.put(setting.name(), repeated ? texts : texts.get(0));
      }
    }
    return fields;
  }

  /**
   * SHA-256 of {@link #text} in UTF-8, as 64 hexadecimal digits: the same on every machine.
   *
   * @return the digits
   */
  public String digest() {
    return Sha256.hex(text);
  }

  /**
   * Opens the data and decides everything; nothing is spent yet.
   *
   * @return the recipe with everything decided
   * @throws IOException where the data cannot be read
   */
  public PreparedRecipe prepare() throws IOException {
    return prepare(Preparation.QUIET);
  }

  /**
   * The same, with someone who hears how it goes.
   *
   * @param how who hears it, and what is accepted
   * @return the recipe with everything decided
   * @throws IOException where the data cannot be read
   */
  public PreparedRecipe prepare(Preparation how) throws IOException {
    return RecipeData.open(this, how).prepare(how);
  }

  /**
   * The same on data that are there already. Where the recipe sets no {@code data}, the files of
   * the run say that they were given in Java.
   *
   * @param data what the recipe would open; its public rows are compared with its private ones, and
   *     over 1% of rows that do not fit are refused
   * @return the recipe with everything decided
   * @throws IOException where another file that it names cannot be read
   */
  public PreparedRecipe prepare(DataSet data) throws IOException {
    return prepare(data, Preparation.QUIET);
  }

  /**
   * The same, with someone who hears how it goes.
   *
   * @param data what the recipe would open
   * @param how who hears it, and what is accepted
   * @return the recipe with everything decided
   * @throws IOException where another file that it names cannot be read
   */
  public PreparedRecipe prepare(DataSet data, Preparation how) throws IOException {
    return RecipeData.of(this, data, how).prepare(how);
  }

  /**
   * The same on rows that may be elsewhere, such as on a cluster, where the recipe's engine must
   * reach them. An engine or a setting that needs rows on this machine refuses others.
   *
   * @param rows what to train on, and what to test on; over 1% that do not fit are refused
   * @return the recipe with everything decided
   * @throws IOException where another file that it names cannot be read
   */
  public PreparedRecipe prepare(TrainingRows rows) throws IOException {
    return prepare(rows, Preparation.QUIET);
  }

  /**
   * The same, with someone who hears how it goes.
   *
   * @param rows what to train on, and what to test on
   * @param how who hears it, and what is accepted
   * @return the recipe with everything decided
   * @throws IOException where another file that it names cannot be read
   */
  public PreparedRecipe prepare(TrainingRows rows, Preparation how) throws IOException {
    return RecipeData.of(this, rows, how).prepare(how);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Recipe recipe && text.equals(recipe.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
