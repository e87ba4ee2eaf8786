package dev.discreet.spark;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.TrainingRows;
import dev.discreet.recipe.EngineRows;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.DataChoices;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * Opens the rows of a recipe on a cluster: files that its executors read, or a table. A named or
 * generated set is on this machine, and its rows are sent.
 */
public final class SparkRows implements EngineRows {
  @Override
  public String engine() {
    return SparkEngine.NAME;
  }

  @Override
  public boolean isHere(String data) {
    return DataSets.names().contains(data) || TablePlace.of(data).here().isPresent();
  }

  @Override
  public SettingValues completed(SettingValues given) {
    EffectiveSettings choices = new EffectiveSettings(given);
    choices.refuse(
        "is not for the engine spark, which has no run without clipping",
        PrivacySettings.NON_PRIVATE);
    String data = DataChoices.name(choices);
    if (DataSets.names().contains(data)) {
      return given;
    }
    if (TablePlace.of(data).kind() != TablePlace.Kind.CSV) {
      choices.refuse(
          "is for tables as text",
          DataSettings.DELIMITER,
          DataSettings.QUOTE,
          DataSettings.CHARSET,
          DataSettings.HEADER);
    }
    choices.refuse(
        "is not for rows on a cluster, which are those of a table",
        DataSettings.TABLE,
        DataSettings.JOIN,
        DataSettings.QUERY,
        DataSettings.ROWS_WHERE,
        DataSettings.TABLE_COLUMNS,
        DataSettings.DRIVER,
        DataSettings.SHEET,
        DataSettings.LABELS,
        DataSettings.BOUNDS,
        DataSettings.INPUT,
        DataSettings.CLASSES,
        DataSettings.AS_IN,
        DataSettings.TEST_FOLDER,
        DataSettings.MEAN,
        DataSettings.DEVIATION);
    choices.refuse(
        "is not for rows on a cluster, which have no numbers there that stay the same: give"
            + " --unit-column",
        UnitSettings.UNIT_MAP,
        UnitSettings.ONE_ROW_EACH);
    choices.refuse(
        "is for rows that are held out, and a cluster holds none out", UnitSettings.PUBLIC_IDS);
    Check.that(
        given.isSet(UnitSettings.UNIT_COLUMN),
        "unit column",
        "given on a cluster, where rows have no numbers that stay the same",
        "none");
    double share = given.get(DataSettings.TEST_SHARE).orElse(0.0);
    Check.that(
        share == 0,
        "test share",
        "0 on a cluster, which holds no rows out (--public-test gives public rows to test on)",
        share);
    return given.with(DataSettings.TEST_SHARE, 0.0);
  }

  @Override
  public TrainingRows open(String data, EffectiveSettings choices, Preparation how)
      throws IOException {
    DataOptions options = DataChoices.options(choices, how::progress);
    boolean named = DataSets.names().contains(data);
    if (!named) {
      // What was declared is looked at before a cluster is asked for.
      new DeclaredRow(TablePlace.of(data).name(), options);
    }
    SparkStart start =
        new SparkStart(
            choices.get(RunSettings.MASTER), choices.get(RunSettings.SPARK_CONF).orElse(List.of()));
    SparkSession session =
        how.part("starting Spark on " + start.master(), () -> start.session(how::warning));
    return how.part(
        "reading the data",
        () ->
            named
                ? DataSets.open(data, options).rows()
                : new ClusterTable(session, TablePlace.of(data), options).open());
  }
}
