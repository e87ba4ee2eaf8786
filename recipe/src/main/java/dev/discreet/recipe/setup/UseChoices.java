package dev.discreet.recipe.setup;

import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.data.Column;
import dev.discreet.data.DataSets;
import dev.discreet.data.Declaration;
import dev.discreet.data.PixelScale;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.SettingValues;
import java.util.List;
import java.util.Set;

/**
 * Turns what was declared of a run's data into what a user of its model needs, and back into
 * settings.
 */
public final class UseChoices {
  private UseChoices() {}

  public static ModelUse of(EffectiveSettings choices, Task task) {
    return new ModelUse(inputs(choices), task);
  }

  /** The settings that declare rows of the kind that a model knows. */
  public static SettingValues settings(Model model) {
    SettingValues none = SettingValues.nothing();
    return model
        .use()
        .flatMap(
            use ->
                use.inputs()
                    .declared(
                        UseChoices::columns,
                        pixels ->
                            pixels.mean().isEmpty()
                                ? none
                                : none.with(DataSettings.MEAN, pixels.mean())
                                    .with(DataSettings.DEVIATION, pixels.deviation())))
        .orElse(none);
  }

  private static SettingValues columns(RawInputs.Columns of) {
    SettingValues columns =
        SettingValues.nothing()
            .with(DataSettings.COLUMN, of.columns().stream().map(InputColumn::text).toList());
    // All columns of a table have the same.
    NumberMarks marks =
        of.columns().stream().findFirst().map(InputColumn::marks).orElse(NumberMarks.PLAIN);
    return marks.equals(NumberMarks.PLAIN)
        ? columns
        : columns
            .with(DataSettings.DECIMAL, marks.decimal())
            .with(DataSettings.THOUSANDS, marks.thousands());
  }

  private static RawInputs inputs(EffectiveSettings choices) {
    SettingValues given = choices.given();
    List<String> columns = DataChoices.columns(choices).orElse(List.of());
    if (!columns.isEmpty()) {
      NumberMarks marks = DataChoices.dialect(choices).numbers();
      return new RawInputs.Columns(
          columns.stream().map(each -> Column.parse(each, marks).input()).toList());
    }
    String data = given.orDefault(DataSettings.DATA);
    Set<Declaration> takes =
        data.equals(DataSettings.GIVEN_IN_JAVA) ? Set.of() : DataSets.takes(data);
    if (!takes.contains(Declaration.MEAN)) {
      return new RawInputs.AsTheyAre();
    }
    // Arrays are of bytes or of other numbers, which nobody can tell before they are opened.
    if (takes.contains(Declaration.BOUNDS) && !given.isSet(DataSettings.BOUNDS)) {
      return new RawInputs.Unknown();
    }
    Column.Bounded bounds =
        given
            .get(DataSettings.BOUNDS)
            .map(Column::bounds)
            .orElse(new Column.Bounded("pixels", 0, 255));
    PixelScale scale =
        given
            .get(DataSettings.MEAN)
            .map(mean -> new PixelScale(mean, given.get(DataSettings.DEVIATION).orElse(List.of())))
            .orElseGet(() -> DataSets.scale(data));
    return new RawInputs.Pixels(bounds.low(), bounds.high(), scale.mean(), scale.deviation());
  }
}
