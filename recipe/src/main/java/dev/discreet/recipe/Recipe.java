package dev.discreet.recipe;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.Section;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.ValueType.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run described: what it learns from, whom it protects, what learns, under which plan, how, and
 * what it leaves. What is not set has its default when the run is prepared. Every value was read
 * and found right when the recipe was made.
 *
 * <pre>{@code
 * Recipe recipe = Recipe.of().with(DataSettings.DATA, "mnist").with(PrivacySettings.EPSILON, 3.0);
 * FinishedRun run = recipe.prepare().start();
 * run.save(Path.of("runs", "mnist"));
 * }</pre>
 *
 * <p>Two recipes are equal where they set the same to the same values, however these were written.
 */
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

  /** A recipe that sets nothing: the default run. */
  public static Recipe of() {
    return NOTHING;
  }

  /** A recipe of what was set, which is checked here. */
  public static Recipe of(SettingValues values) {
    return new Recipe(values);
  }

  /** Reads a run file. A wrong value is refused with its line. */
  public static Recipe read(Path runFile) throws IOException {
    return new Recipe(RunFile.read(runFile));
  }

  /** Reads the text of a run file. */
  public static Recipe parse(String yaml) {
    return new Recipe(RunFile.parse("run file", yaml));
  }

  /** With this value, which replaces an earlier one and settings that it cannot stand beside. */
  public <T> Recipe with(Setting<T> setting, T value) {
    return new Recipe(values.with(setting, value));
  }

  /**
   * The same as an option or a run file would set it.
   *
   * @param texts one, unless the setting may be repeated
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

  public Recipe without(Setting<?> setting) {
    return new Recipe(values.only(other -> other != setting));
  }

  /** Another recipe with these settings over it: each replaces its namesake and its rivals. */
  public Recipe over(Recipe other) {
    return new Recipe(values.over(other.values));
  }

  /** What is set about one part of the run. */
  public Recipe part(Section section) {
    return new Recipe(values.only(setting -> setting.section() == section));
  }

  /** What was set; empty where the default holds. */
  public <T> Optional<T> get(Setting<T> setting) {
    return values.get(setting);
  }

  public boolean sets(Setting<?> setting) {
    return values.isSet(setting);
  }

  /** What was set, as it was written and where. */
  public SettingValues values() {
    return values;
  }

  /**
   * One line that tells this recipe from every other, in the order of the table: {@code data=mnist
   * epsilon=3}. A value that was written in another way, such as 3.0, is the same here.
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

  /** As a run file in the order of the table, each value as it was written. */
  public String yaml() {
    return RunFile.text("", values.inOrder());
  }

  /** As one JSON object: texts by name, lists of them where a setting may be repeated. */
  public String json() {
    try {
      return JsonNumbers.SHORTEST.asString(fields());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The fields of {@link #json}, in the order of the table. */
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

  /** SHA-256 of {@link #text} in UTF-8, as 64 hexadecimal digits: the same on every machine. */
  public String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Opens the data and decides everything; nothing is spent yet. */
  public PreparedRecipe prepare() throws IOException {
    return prepare(Preparation.QUIET);
  }

  public PreparedRecipe prepare(Preparation how) throws IOException {
    return PreparedRecipe.of(this, how);
  }

  /** The same on data that are there already. */
  public PreparedRecipe prepare(DataSet data) throws IOException {
    return PreparedRecipe.of(this, data, Preparation.QUIET);
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
