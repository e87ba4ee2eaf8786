package dev.discreet.recipe;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.Declaration;
import dev.discreet.data.PixelScale;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.ModelFolder;
import dev.discreet.recipe.setup.UseChoices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run's folder, read back: its model, what it predicts, and what was declared about its data, so
 * that other rows of the same kind need not be declared again.
 */
public record SavedRun(Model model, Task task, Recipe recipe) {
  /** Settings that decide, besides those of the data, which rows of a run were held out. */
  private static final Set<Setting<?>> SPLIT =
      Set.of(PrivacySettings.NEIGHBOURING, ClippingSettings.MICRO_BATCH, UnitSettings.UNIT);

  /** Settings that hold for other rows of the same kind too. */
  private static final Set<Setting<?>> KIND =
      Stream.concat(
              Stream.of(
                  DataSettings.LABEL,
                  DataSettings.COLUMN,
                  DataSettings.MISSING,
                  DataSettings.MISSING_CELLS,
                  DataSettings.BOUNDS),
              DataSettings.DIALECT.stream())
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<Setting<?>> IMAGES =
      Set.of(DataSettings.INPUT, DataSettings.CLASSES, DataSettings.AS_IN);

  public static SavedRun read(Path folder) throws IOException {
    ModelFolder saved = ModelFolder.read(folder);
    Path file = folder.resolve(RunFiles.RECIPE);
    // A folder that Java saved has no recipe, but its model knows what was declared of its rows.
    Recipe recipe =
        Files.exists(file) ? Recipe.read(file) : Recipe.of(UseChoices.settings(saved.model()));
    return new SavedRun(saved.model(), saved.task(), recipe);
  }

  /** The run with a model that takes the second of two classes where options say, if they do. */
  public SavedRun decidingAs(SettingValues options) {
    return options
        .get(ModelSettings.THRESHOLD)
        .map(threshold -> new SavedRun(model.takingAbove(threshold), task, recipe))
        .orElse(this);
  }

  /**
   * The settings of the data: those given, and where they leave something open, those of the run.
   */
  public EffectiveSettings choices(SettingValues given) throws IOException {
    SettingValues options = ColumnChoices.declared(given);
    String data = options.get(DataSettings.DATA).orElse(null);
    if (data == null) {
      recipe.get(DataSettings.DATA).ifPresent(DataChoices::checkedName);
    }
    boolean named = data != null && DataSets.names().contains(data);
    // How text is written says nothing of data that are none.
    boolean text = data != null && DataSets.takes(data).contains(Declaration.DIALECT);
    SettingValues kept =
        recipe
            .values()
            .only(
                setting ->
                    data == null
                        ? setting.group() == Setting.Group.DATA || SPLIT.contains(setting)
                        : !named
                            && KIND.contains(setting)
                            && (text || !DataSettings.DIALECT.contains(setting)));
    if (data != null) {
      kept = scaled(kept, data, named);
    }
    kept = images(kept, data == null ? recipe.get(DataSettings.DATA).orElse("") : data, options);
    if (data != null && !options.isSet(DataSettings.TEST_SHARE)) {
      // Where other data are given, all of their rows are wanted.
      kept = kept.with(DataSettings.TEST_SHARE, 0.0);
    }
    return new EffectiveSettings(options.over(kept).checked());
  }

  /**
   * The same with a declaration for each column that a pattern fits. Where the rows lie is asked
   * for the names of columns, so this comes when it is decided that they may be looked at.
   */
  public static EffectiveSettings expanded(EffectiveSettings choices) throws IOException {
    return new EffectiveSettings(ColumnChoices.expanded(choices.given()));
  }

  /**
   * Whether the rows that options name may be those of the run. Any file may be: it may have been
   * moved or copied, or be a part. Only rows of a named set are everyone's.
   */
  public boolean mayBeOwnRows(SettingValues options) {
    String data = options.get(DataSettings.DATA).orElse("");
    return !DataSets.names().contains(data)
        || options.isSet(DataSettings.PUBLIC_TEST)
        || data.equals(recipe.get(DataSettings.DATA).orElse(""));
  }

  /**
   * The network was trained on pixels of one scale. Other images must be brought to that scale, or
   * its predictions mean nothing.
   */
  private SettingValues scaled(SettingValues kept, String data, boolean named) {
    if (!DataSets.takes(data).contains(Declaration.MEAN)) {
      return kept;
    }
    PixelScale scale =
        recipe
            .get(DataSettings.MEAN)
            .map(mean -> new PixelScale(mean, recipe.get(DataSettings.DEVIATION).orElse(List.of())))
            .orElse(DataSets.scale(recipe.values().orDefault(DataSettings.DATA)));
    if (named) {
      int channels = DataSets.scale(data).mean().size();
      if (scale.mean().isEmpty()) {
        scale =
            new PixelScale(Collections.nCopies(channels, 0.0), Collections.nCopies(channels, 1.0));
      }
      if (scale.mean().size() != channels) {
        return kept; // Its shape will be refused.
      }
    }
    return scale.mean().isEmpty()
        ? kept
        : kept.with(DataSettings.MEAN, scale.mean())
            .with(DataSettings.DEVIATION, scale.deviation());
  }

  /** Images in folders have the size and classes of the model, whatever the run's data were. */
  private SettingValues images(SettingValues kept, String data, SettingValues options) {
    SettingValues others = kept.only(setting -> !IMAGES.contains(setting));
    return DataSets.takes(data).contains(Declaration.CLASSES)
            && !options.isSet(DataSettings.AS_IN)
            && task instanceof Task.Classes classes
        ? others
            .with(DataSettings.INPUT, model.layout().input())
            .with(DataSettings.CLASSES, classes.names())
        : others;
  }

  /**
   * The engine that the run names, or the standard one where that is not on the class path.
   *
   * @param warning hears that another engine computes
   */
  public Engine engine(Consumer<String> warning) {
    String name = recipe.values().orDefault(RunSettings.ENGINE);
    if (name.equals(Engine.AUTO) || Engine.names().contains(name)) {
      return Engine.named(name);
    }
    Engine standard = Engine.standard();
    warning.accept(
        "the engine "
            + name
            + ", which trained this run, is not on the class path: "
            + standard.name()
            + " computes instead");
    return standard;
  }

  /** Data of the kind that the model knows. */
  public DataSet open(EffectiveSettings choices, Consumer<String> progress) throws IOException {
    String name = DataChoices.name(choices);
    DataOptions options = DataChoices.options(choices, progress);
    DataSet data = DataSets.open(name, options);
    fits(data.train().examples(), name);
    Check.that(
        data.task().equals(task),
        "what " + name + " has to predict",
        words(task),
        words(data.task()));
    return data;
  }

  /** The rows to test on, or all where there is no such part. */
  public static DataSet.Part tested(DataSet data) {
    return data.test().orElse(data.train());
  }

  public void fits(Examples examples, String name) {
    Check.that(
        examples.input().equals(model.layout().input()),
        "shape of " + name,
        "that of the model, " + model.layout().input(),
        examples.input());
  }

  private static String words(Task task) {
    return task.match(
        classes -> "the classes " + classes.names(), number -> number.name() + " in bounds");
  }
}
