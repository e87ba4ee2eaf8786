package dev.discreet.recipe.setting;

import dev.discreet.accounting.PublicApi;
import dev.discreet.recipe.setting.Setting.Group;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The table of everything that can be set. Options, help, run files, saved runs and provenance are
 * made from it, so that none of them can know of more or less than the others.
 *
 * <pre>{@code
 * for (Setting<?> setting : Settings.ALL) {
 *   System.out.println(setting.name());
 * }
 * }</pre>
 */
@PublicApi
public final class Settings {
  /** In the order of help: by group, and in a group as they are read best. */
  public static final List<Setting<?>> ALL =
      List.of(
          DataSettings.DATA,
          DataSettings.TABLE,
          DataSettings.JOIN,
          DataSettings.QUERY,
          DataSettings.ROWS_WHERE,
          DataSettings.TABLE_COLUMNS,
          DataSettings.DRIVER,
          DataSettings.LABELS,
          DataSettings.LABEL,
          DataSettings.COLUMN,
          DataSettings.COLUMNS,
          DataSettings.MISSING,
          DataSettings.MISSING_CELLS,
          DataSettings.DELIMITER,
          DataSettings.QUOTE,
          DataSettings.DECIMAL,
          DataSettings.THOUSANDS,
          DataSettings.CHARSET,
          DataSettings.HEADER,
          DataSettings.SHEET,
          UnitSettings.UNIT_COLUMN,
          UnitSettings.UNIT_MAP,
          UnitSettings.PUBLIC_IDS,
          DataSettings.BOUNDS,
          DataSettings.INPUT,
          DataSettings.CLASSES,
          DataSettings.AS_IN,
          DataSettings.TEST_FOLDER,
          DataSettings.MEAN,
          DataSettings.DEVIATION,
          DataSettings.PUBLIC_TEST,
          DataSettings.TEST_SHARE,
          DataSettings.DATA_DIR,
          DataSettings.DATA_SEED,
          ModelSettings.MODEL,
          ModelSettings.FEATURES,
          ModelSettings.CLASS_WEIGHTS,
          ModelSettings.THRESHOLD,
          ModelSettings.PCA,
          ModelSettings.INITIALISER,
          ModelSettings.INITIAL_SEED,
          ModelSettings.START_FROM,
          ModelSettings.START_PUBLIC,
          ModelSettings.START_NOT_PRIVATE,
          ModelSettings.NEW_HEAD,
          ModelSettings.FREEZE,
          ModelSettings.RATE_FACTOR,
          ModelSettings.EMA,
          PretrainSettings.PRETRAIN_DATA,
          PretrainSettings.PRETRAIN_SEED,
          PretrainSettings.PRETRAIN_EPOCHS,
          PretrainSettings.PRETRAIN_LOT_SIZE,
          PretrainSettings.PRETRAIN_OPTIMIZER,
          PretrainSettings.PRETRAIN_LEARNING_RATE,
          PrivacySettings.EPSILON,
          PrivacySettings.SHARE,
          PrivacySettings.NOISE_MULTIPLIER,
          PrivacySettings.NOISE_TEMPERATURE,
          PrivacySettings.NON_PRIVATE,
          PrivacySettings.DELTA,
          PrivacySettings.NEIGHBOURING,
          UnitSettings.UNIT,
          UnitSettings.ONE_ROW_EACH,
          UnitSettings.EXAMPLES_PER_UNIT,
          UnitSettings.DECLARED_UNITS,
          PrivacySettings.NOISE_SCHEDULE,
          PrivacySettings.NOISE_OVER_TIME,
          PrivacySettings.NOISE_WEIGHTS,
          PrivacySettings.HELD_OUT,
          PrivacySettings.HELD_OUT_FIGURES,
          PrivacySettings.DECLARED_HELD_OUT,
          PrivacySettings.METRIC_SHARE,
          PrivacySettings.METRIC_NOISE,
          PrivacySettings.PCA_SHARE,
          PrivacySettings.PCA_NOISE,
          PrivacySettings.CENTRE_SHARE,
          PrivacySettings.PUBLIC_ROWS_ARE_OTHER_PEOPLE,
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT,
          PrivacySettings.INSECURE_SEED,
          LotSettings.SAMPLER,
          LotSettings.LOT_SIZE,
          LotSettings.SAMPLING_RATE,
          LotSettings.EPOCHS,
          LotSettings.STEPS,
          LotSettings.AUGMENT,
          LotSettings.VIEWS,
          ClippingSettings.CLIP,
          ClippingSettings.CLIP_PER_LAYER,
          ClippingSettings.CLIP_SCHEDULE,
          ClippingSettings.CLIPPING_GROUP,
          ClippingSettings.CLIPPING,
          ClippingSettings.CLIPPING_GAMMA,
          ClippingSettings.CLIPPING_R,
          ClippingSettings.CLIPPING_CUTOFF,
          ClippingSettings.CLIP_QUANTILE,
          ClippingSettings.CLIP_QUANTILE_RATE,
          ClippingSettings.COUNT_NOISE,
          ClippingSettings.NORM_PROJECTIONS,
          ClippingSettings.NOISE_BEFORE_CLIPPING,
          ClippingSettings.MICRO_BATCH,
          OptimizerSettings.OPTIMIZER,
          OptimizerSettings.LEARNING_RATE,
          OptimizerSettings.SCHEDULE,
          OptimizerSettings.WARM_UP,
          OptimizerSettings.MOMENTUM,
          OptimizerSettings.BETA1,
          OptimizerSettings.BETA2,
          OptimizerSettings.ADAM_EPSILON,
          OptimizerSettings.ADAM_FLOOR,
          OptimizerSettings.TEMPERATURE,
          OptimizerSettings.TEMPERATURE_SCHEDULE,
          OptimizerSettings.LANGEVIN_SEED,
          OptimizerSettings.PROJECT_ONTO,
          OptimizerSettings.PUBLIC_EXAMPLES,
          OptimizerSettings.PUBLIC_DATA,
          OptimizerSettings.PUBLIC_SEED,
          OptimizerSettings.PROJECT_EVERY,
          OptimizerSettings.PROJECT_FROM,
          OptimizerSettings.WEIGHT_DECAY,
          OptimizerSettings.WEIGHT_DECAY_MODE,
          OptimizerSettings.WEIGHT_DECAY_ON,
          RegressionSettings.METHOD,
          RegressionSettings.LINEAR_SHARE,
          RegressionSettings.FEATURE_BOUNDS,
          RegressionSettings.NO_INTERCEPT,
          RegressionSettings.NO_INTERVALS,
          RunSettings.ENGINE,
          RunSettings.MASTER,
          RunSettings.SPARK_CONF,
          RunSettings.THREADS,
          RunSettings.EVALUATE_EVERY,
          RunSettings.WATCH_PRIVATE,
          RunSettings.CHECKPOINTS,
          RunSettings.CHECKPOINT_EVERY,
          RunSettings.OUT,
          CallSettings.RESUME,
          CallSettings.FORCE,
          CallSettings.SAVE_RUN,
          CallSettings.DRY_RUN,
          CallSettings.ACCEPT_MISFITS,
          CallSettings.JSON,
          CallSettings.QUIET);

  private Settings() {}

  /**
   * The settings of one group.
   *
   * @param group where they stand in help
   * @return its settings, in their order
   */
  public static Stream<Setting<?>> of(Group group) {
    return ALL.stream().filter(setting -> setting.group() == group);
  }

  /**
   * The setting of a name.
   *
   * @param name such as {@code lot-size}
   * @return the setting; empty where none is called so
   */
  public static Optional<Setting<?>> named(String name) {
    return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst();
  }
}
