package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.function.Function;

/** Who is protected: whose each row is, and how many there are. */
public final class UnitSettings {
  public static final Setting<String> UNIT_COLUMN =
      setting(
              Group.DATA,
              "unit-column",
              ValueType.text("NAME"),
              "The column that says which rows are one person's.")
          .derived("each row is a unit");
  public static final Setting<Path> UNIT_MAP =
      setting(
          Group.DATA,
          "unit-map",
          ValueType.path("FILE"),
          "In place of --unit-column, for data without columns: a table with the"
              + " columns row (from 0) and unit.");
  public static final Setting<Boolean> PUBLIC_IDS =
      setting(
          Group.DATA,
          "public-ids",
          ValueType.flag(),
          "Declare that anyone may know which ids the unit column or map has: under"
              + " replace-one, rows are held out by them.");
  public static final Setting<String> UNIT =
      setting(
              Group.PRIVACY,
              "unit",
              ValueType.of("NOUN", UnitSettings::noun, Function.identity()),
              "Who is protected, as a singular noun.")
          .derived("example; unit with --unit-column or --unit-map");
  public static final Setting<Boolean> ONE_ROW_EACH =
      setting(
          Group.PRIVACY,
          "one-row-each",
          ValueType.flag(),
          "Declare that each --unit has one row, where no column or map says whose a" + " row is.");
  public static final Setting<Long> EXAMPLES_PER_UNIT =
      setting(
              Group.PRIVACY,
              "examples-per-unit",
              ValueType.whole("B", 1, Integer.MAX_VALUE),
              "The most examples of one unit that are trained on, spread evenly over its" + " own.")
          .derived("all");
  public static final Setting<Long> DECLARED_UNITS =
      setting(
              Group.PRIVACY,
              "declared-units",
              ValueType.whole("N", 1, Integer.MAX_VALUE - 4095),
              "Declare a public number of units to train on, without those held out.")
          .derived("the number there is, which is then taken as public");

  private UnitSettings() {}

  private static <T> Setting<T> setting(Group group, String name, ValueType<T> type, String help) {
    return Setting.of(group, name, type, help).in(Section.UNIT);
  }

  private static String noun(String text) {
    Check.that(!text.isBlank() && Check.oneLine(text), "unit", "a singular noun on one line", text);
    return text;
  }
}
