package dev.discreet.cli.query;

import dev.discreet.cli.console.SettingOptions;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.data.DataFormats;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.database.DatabaseSource;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.DatabaseChoices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The rows that questions are about: a table in a file, or rows of a database.
 *
 * @param data the file, or the address of the database
 * @param options how it is written, or which rows are read
 */
record AskedRows(String data, DataOptions options) {

  /** Refuses what would have no effect on the one or the other. */
  static AskedRows of(String data, SettingValues given) {
    EffectiveSettings choices = new EffectiveSettings(given);
    if (!DatabaseAddress.is(data)) {
      choices.refuse(
          "is for rows of a database, as in --data jdbc:postgresql://host/clinic",
          DataSettings.TABLE,
          DataSettings.JOIN,
          DataSettings.QUERY,
          DataSettings.ROWS_WHERE,
          DataSettings.TABLE_COLUMNS,
          DataSettings.DRIVER);
      return new AskedRows(data, SettingOptions.written(given));
    }
    String why = "is for a table in a file; a database knows how its own are written";
    choices.refuse(why, DataSettings.DIALECT.toArray(Setting[]::new));
    choices.refuse(why, DataSettings.SHEET);
    DataOptions.Builder options = DataOptions.builder();
    DatabaseChoices.of(choices).ifPresent(options::database);
    given.get(UnitSettings.UNIT_COLUMN).ifPresent(options::unit);
    return new AskedRows(data, options.build());
  }

  private boolean isFile() {
    return options.database().isEmpty();
  }

  private Path file() {
    return Path.of(data);
  }

  /** What messages call it. */
  String name() {
    return isFile() ? file().getFileName().toString() : data;
  }

  /** What was declared of the rows, and an answer must repeat; empty for nothing. */
  String declared() {
    return options.database().map(DatabaseSource::declared).orElse("");
  }

  /** Whether somebody chose the rows by what they hold, so that their number is not public. */
  boolean isSelected() {
    return options.database().map(DatabaseSource::selects).orElse(false);
  }

  /** Refuses a table that lacks a column, without looking at its rows. */
  void checkColumns(List<String> columns) throws IOException {
    if (isFile()) {
      DataFormats.table(file(), options).checkColumns(file(), options, columns);
      return;
    }
    TableHeader header = DataSets.header(data, options);
    columns.forEach(column -> header.find(column, "column"));
  }

  /** Hands on the cells of some columns, row by row. */
  void readPlaced(List<String> columns, BiConsumer<List<String>, Supplier<String>> row)
      throws IOException {
    if (isFile()) {
      DataFormats.table(file(), options).readPlaced(file(), options, columns, row);
      return;
    }
    try (TableRows rows = DataSets.openTable(data, options)) {
      rows.readPlaced(columns, row);
    }
  }
}
