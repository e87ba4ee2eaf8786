package dev.discreet.recipe.setting;

import dev.discreet.accounting.Digits;
import dev.discreet.data.Column;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;

/** How {@code discreet regress} fits. No other verb takes them. */
public final class RegressionSettings {
  public static final Setting<FitMethod> METHOD =
      setting("method", ValueType.oneOf("NAME", List.of(FitMethod.values()), FitMethod::label), "")
          .otherwise(FitMethod.FUNCTIONAL_GAUSSIAN);
  public static final Setting<Double> LINEAR_SHARE =
      setting(
              "linear-share",
              ValueType.real("S", "in (0, 1)", value -> value > 0 && value < 1),
              "Of functional: the share of epsilon for the linear coefficients.")
          .derived("the best one");
  public static final Setting<Column.Bounded> FEATURE_BOUNDS =
      setting(
              "feature-bounds",
              ValueType.of("LOW..HIGH", Column::bounds, RegressionSettings::text),
              "Public bounds of the inputs as train sees them: columns with declared bounds are"
                  + " moved to 0..1 before. What lies outside counts as the bound.")
          .otherwise(Column.bounds("0..1"));
  public static final Setting<Boolean> NO_INTERCEPT =
      setting("no-intercept", ValueType.flag(), "A model through the origin.");
  public static final Setting<Boolean> NO_INTERVALS =
      setting(
          "no-intervals",
          ValueType.flag(),
          "No intervals of coefficients: then how far rows lie from the model need not be released,"
              + " and the rest has a little less noise.");

  private RegressionSettings() {}

  private static String text(Column.Bounded bounds) {
    return Digits.exact(bounds.low()) + ".." + Digits.exact(bounds.high());
  }

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.REGRESSION, name, type, help);
  }
}
