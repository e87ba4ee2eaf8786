package dev.discreet.spark.ml;

import dev.discreet.account.AccountPlaces;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A stage that spends when it is fitted. It has the settings that every spending has: who is
 * protected, how much may be spent, and the account that is charged.
 *
 * <pre>{@code
 * PrivateStage<?, ?> stage = new DiscreetClassifier().setAccount("patients.account");
 * }</pre>
 *
 * @param <M> what is fitted
 * @param <S> the stage itself, which its setters give back
 */
@PublicApi
public abstract class PrivateStage<M extends Model<M>, S extends PrivateStage<M, S>>
    extends Estimator<M> implements MLWritable {
  private static final long serialVersionUID = 1;

  /** What every spending may be told. */
  static final List<Setting<?>> SPENDING =
      List.of(
          PrivacySettings.EPSILON,
          PrivacySettings.DELTA,
          PrivacySettings.NEIGHBOURING,
          PrivacySettings.ACCOUNT,
          PrivacySettings.INSECURE_SEED,
          UnitSettings.UNIT,
          UnitSettings.DECLARED_UNITS,
          UnitSettings.EXAMPLES_PER_UNIT);

  private final String uid;
  private final StageParams params;
  private final Param<String> privacyUnitCol;

  PrivateStage(String uid, List<Setting<?>> settings) {
    this.uid = uid;
    this.params = new StageParams(this);
    this.privacyUnitCol =
        text(
            "privacyUnitCol",
            "The column that says whose a row is: all rows of one value are protected together.");
    settings.forEach(params::setting);
  }

  final Param<String> text(String name, String doc) {
    return params.text(name, doc);
  }

  final Param<String> text(String name, String doc, String otherwise) {
    Param<String> param = params.text(name, doc);
    setDefault(param, otherwise);
    return param;
  }

  /** {@return the name of this stage, which no other has} */
  @Override
  public String uid() {
    return uid;
  }

  /** {@return all parameters, by their names} */
  @Override
  public Param<?>[] params() {
    return params.sorted();
  }

  @SuppressWarnings("unchecked")
  final S self() {
    return (S) this;
  }

  final S with(Param<String> param, String value) {
    set(param, value);
    return self();
  }

  /**
   * Sets what a run file could set.
   *
   * @param name as in run files or as in parameters: {@code lot-size}, {@code lotSize}
   * @param value a number, a text, true or false; several where a run file takes a list
   * @return this stage
   */
  public S setting(String name, Object value) {
    set(params.setting(name), value);
    return self();
  }

  /**
   * The parameter of a setting, for candidates of a search.
   *
   * @param name as in run files or as in parameters
   * @return the parameter
   */
  public SettingParam param(String name) {
    return params.setting(name);
  }

  /**
   * Says whose a row is.
   *
   * @param column of whole numbers or texts that stay the same for ever
   * @return this stage
   */
  public S setPrivacyUnitCol(String column) {
    return with(privacyUnitCol, column);
  }

  /**
   * What it may cost.
   *
   * @param epsilon above 0
   * @return this stage
   */
  public S setEpsilon(double epsilon) {
    return setting(PrivacySettings.EPSILON.name(), epsilon);
  }

  /**
   * Failure probability that goes with epsilon.
   *
   * @param delta in (0, 1)
   * @return this stage
   */
  public S setDelta(double delta) {
    return setting(PrivacySettings.DELTA.name(), delta);
  }

  /**
   * The account that is charged.
   *
   * @param account its place, as everywhere
   * @return this stage
   */
  public S setAccount(String account) {
    return setting(PrivacySettings.ACCOUNT.name(), account);
  }

  /**
   * Who is protected.
   *
   * @param noun a singular noun, such as patient
   * @return this stage
   */
  public S setUnit(String noun) {
    return setting(UnitSettings.UNIT.name(), noun);
  }

  /**
   * Declares a public number of units.
   *
   * @param units how many there are
   * @return this stage
   */
  public S setDeclaredUnits(long units) {
    return setting(UnitSettings.DECLARED_UNITS.name(), units);
  }

  /**
   * The most rows of one unit that count.
   *
   * @param rows at least 1
   * @return this stage
   */
  public S setExamplesPerUnit(long rows) {
    return setting(UnitSettings.EXAMPLES_PER_UNIT.name(), rows);
  }

  /** What is set, as a run file would have it. */
  final SettingValues values() {
    Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
    for (SettingParam each : params.settings()) {
      if (isSet(each)) {
        values.put(each.setting(), new SettingValues.Value(each.texts(getOrDefault(each)), ""));
      }
    }
    return new SettingValues(values).with(UnitSettings.UNIT_COLUMN, unitColumn()).checked();
  }

  final String unitColumn() {
    return required(privacyUnitCol, "set to the column that says whose a row is");
  }

  /** What a parameter must be set to. */
  final String required(Param<String> param, String range) {
    String value = optional(param).orElse(null);
    Check.that(value != null, param.name() + " of " + getClass().getSimpleName(), range, "none");
    return value;
  }

  /** Empty where it is not set, or to nothing. */
  final Optional<String> optional(Param<String> param) {
    return isDefined(param)
        ? Optional.of(getOrDefault(param)).filter(each -> !each.isBlank())
        : Optional.empty();
  }

  /** Refuses columns that a frame does not have. */
  static void checkThere(StructType schema, String... columns) {
    for (String column : columns) {
      Check.that(
          Arrays.asList(schema.fieldNames()).contains(column),
          "column",
          "one of " + String.join(", ", schema.fieldNames()),
          column);
    }
  }

  /** Refuses to write over a column. */
  static void checkNew(StructType schema, String column) {
    Check.that(
        !Arrays.asList(schema.fieldNames()).contains(column), "column to add", "a new one", column);
  }

  /**
   * Refuses searches, which ask for the schema first in the thread that began them, and a frame
   * that does not fit, and says what columns it would have afterwards.
   *
   * @param schema of the frame
   * @return the schema with the columns that are added
   */
  @Override
  public final StructType transformSchema(StructType schema) {
    TuningRefusal.check(getClass().getSimpleName());
    checkThere(schema, unitColumn());
    return added(schema);
  }

  /** Refuses a schema that does not fit, and adds the columns that a model will add. */
  abstract StructType added(StructType schema);

  /**
   * Spends, and gives what was released.
   *
   * @param dataset the frame
   * @return the model, which says what it cost
   */
  @Override
  public final M fit(Dataset<?> dataset) {
    TuningRefusal.check(getClass().getSimpleName());
    Dataset<Row> frame = dataset.toDF();
    // Faults of the schema, before anything is read or spent.
    transformSchema(frame.schema());
    SparkSession.setActiveSession(frame.sparkSession());
    M fitted =
        FrameReading.of(
            () -> {
              checkAccountSet(frame);
              return fitted(frame);
            });
    fitted.setParent(this);
    return copyValues(fitted, ParamMap.empty());
  }

  /** Another account than the one set may lie beside the frame's files, and is not passed over. */
  final void checkAccountSet(Dataset<Row> frame) {
    SettingValues values = values();
    Optional<String> set =
        values.isSet(PrivacySettings.ACCOUNT)
            ? Optional.of(values.values().get(PrivacySettings.ACCOUNT).texts().get(0))
            : Optional.empty();
    FrameAccounts.refuse(frame, getClass().getSimpleName(), set);
  }

  /** Fits to a frame whose schema is right. */
  abstract M fitted(Dataset<Row> frame);

  /**
   * Refused: several fits to choose from are a search.
   *
   * @param dataset the frame
   * @param paramMaps the parameters of each fit
   * @return nothing
   */
  @Override
  public final scala.collection.immutable.Seq<M> fit(
      Dataset<?> dataset, scala.collection.immutable.Seq<ParamMap> paramMaps) {
    throw TuningRefusal.refused(
        getClass().getSimpleName(), paramMaps.size() + " maps of parameters");
  }

  /**
   * The same with other parameters.
   *
   * @param extra what is other
   * @return a copy; this stays as it is
   */
  @Override
  @SuppressWarnings("unchecked")
  public S copy(ParamMap extra) {
    return (S) defaultCopy(extra);
  }

  /** A file may lead only to accounts that a run file may lead to. */
  private void checkAccount(String source) {
    SettingParam account = param(PrivacySettings.ACCOUNT.name());
    if (isSet(account)) {
      AccountPlaces.namedIn(source, account.texts(getOrDefault(account)).get(0));
    }
  }

  /** {@return what saves it} */
  @Override
  public MLWriter write() {
    checkAccount("the stage to be saved");
    return new DefaultParamsWriter(this);
  }

  /** Reads what {@link #write} wrote. */
  static <T extends PrivateStage<?, T>> MLReader<T> reader() {
    return new DefaultParamsReader<>() {
      @Override
      public T load(String path) {
        T stage = super.load(path);
        ((PrivateStage<?, T>) stage).checkAccount(path);
        return stage;
      }
    };
  }
}
