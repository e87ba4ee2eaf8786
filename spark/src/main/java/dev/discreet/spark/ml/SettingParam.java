package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.PublicApi;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.ValueType.Form;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable;

/**
 * A setting of a run as a parameter of a stage: {@code lot-size} is {@code lotSize}. Its value is
 * what a run file could have: a number, a text, true or false, or several of them.
 *
 * <pre>{@code
 * SettingParam rate = new DiscreetClassifier().param("learning-rate");
 * }</pre>
 */
@PublicApi
public final class SettingParam extends Param<Object> {
  private static final long serialVersionUID = 1;

  private final String setting;

  SettingParam(Identifiable stage, Setting<?> setting) {
    super(stage, camel(setting.name()), help(setting));
    this.setting = setting.name();
  }

  Setting<?> setting() {
    return Settings.named(setting).orElseThrow();
  }

  /** {@code lot-size} as Spark names its parameters. */
  static String camel(String name) {
    return Pattern.compile("-([a-z0-9])")
        .matcher(name)
        .replaceAll(found -> found.group(1).toUpperCase(java.util.Locale.ROOT));
  }

  /** The text of the option's help, which names other options. */
  private static String help(Setting<?> setting) {
    return Pattern.compile("--([a-z][a-z0-9-]*[a-z0-9])")
        .matcher(setting.description())
        .replaceAll(found -> camel(found.group(1)));
  }

  /** A value as a run file has it. */
  List<String> texts(Object value) {
    boolean repeated = setting().type().form() == Form.REPEATED;
    if (repeated && value instanceof Collection<?> several) {
      return several.stream().map(SettingParam::text).toList();
    }
    if (repeated && value instanceof Object[] several) {
      return Arrays.stream(several).map(SettingParam::text).toList();
    }
    return List.of(text(value));
  }

  private static String text(Object value) {
    return value instanceof Double number ? Digits.exact(number) : String.valueOf(value);
  }

  /**
   * Refuses what a run file could not have.
   *
   * @param value what was set
   */
  @Override
  public void validate(Object value) {
    Check.that(value != null, name(), "given", null);
    setting().read(texts(value));
  }

  /**
   * As a saved stage has it.
   *
   * @param value what was set
   * @return a text of JSON, or a list of them
   */
  @Override
  public String jsonEncode(Object value) {
    try {
      List<String> texts = texts(value);
      return JsonNumbers.SHORTEST.asString(
          setting().type().form() == Form.REPEATED ? texts : texts.get(0));
    } catch (IOException e) {
      throw new IllegalArgumentException(name() + " cannot be written", e);
    }
  }

  /**
   * Reads what a saved stage has.
   *
   * @param json a text of JSON, or a list of them
   * @return the value
   */
  @Override
  public Object jsonDecode(String json) {
    try {
      Object value = JsonNumbers.SHORTEST.anyFrom(json);
      validate(value);
      return value;
    } catch (IOException e) {
      throw new IllegalArgumentException(name() + " must be JSON. Provided value: " + json, e);
    }
  }
}
