package dev.discreet.data.database;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.data.DataDescription;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.DataSource;
import dev.discreet.data.DatabaseSelection;
import dev.discreet.data.Declaration;
import dev.discreet.data.PixelScale;
import dev.discreet.data.Rows;
import dev.discreet.data.Split;
import dev.discreet.data.TableHeader;
import dev.discreet.data.TableRows;
import dev.discreet.data.table.TableColumns;
import dev.discreet.data.table.TableReading;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tables in databases. Their rows are private. */
public final class DatabaseSource implements DataSource {
  @Override
  public List<String> names() {
    return List.of();
  }

  @Override
  public boolean knows(String text) {
    return DatabaseAddress.is(text);
  }

  @Override
  public Set<Declaration> takes(String address) {
    return Set.of(
        Declaration.DATABASE,
        Declaration.LABEL,
        Declaration.COLUMNS,
        Declaration.UNIT,
        Declaration.PUBLIC_TEST);
  }

  @Override
  public PixelScale scale(String address) {
    return PixelScale.NONE;
  }

  @Override
  public DataSet open(String address, DataOptions options) throws IOException {
    DatabaseSelection selection = selection(options);
    String name = selection.table().orElse("query");
    TableColumns declared =
        TableColumns.declared(selection.query().isPresent() ? name : "table " + name, options);
    checkSplit(options, "a database");
    Rows rows;
    try (TableRows found = rows(address, options)) {
      rows = TableReading.read(found, declared, options.unit(), heap());
    }
    Optional<DataSet.Part> test =
        DataSets.publicTest(Optional.empty(), options, rows.task(), rows.examples().input());
    Split.Parts parts =
        Split.of(
            rows,
            test.isPresent() ? 0 : options.testShare(),
            options.relation(),
            options.publicIds());
    return new DataSet(
        name,
        rows.task(),
        said(parts.train(), selection),
        test.isPresent() ? test : parts.test().map(part -> said(part, selection)),
        rows.misfits(),
        false);
  }

  /** Private rows with what a statement has to say of how they were selected. */
  private static DataSet.Part said(DataSet.Part part, DatabaseSelection selection) {
    return selection.query().isPresent()
        ? part.taken(declared(selection), Optional.of(PrivacyUnit.RETURNED_ROW), true)
        : part.selected(selection);
  }

  /** What a statement on such rows has to repeat; empty for nothing. */
  public static String declared(DatabaseSelection selection) {
    return selection.query().isPresent() ? FreeQuery.PROMISE : selection.said();
  }

  /** Whether such rows are chosen by what they hold, so that their number is no public one. */
  public static boolean selects(DatabaseSelection selection) {
    return selection.query().isPresent()
        || selection.where().isPresent()
        || !selection.joins().isEmpty();
  }

  /**
   * Refuses to hold out rows that have no place which a replaced one would take over.
   *
   * @param data as a message names them
   */
  public static void checkSplit(DataOptions options, String data) {
    Check.that(
        options.relation() == Neighbouring.ADD_REMOVE
            || options.unit().isPresent()
            || options.publicTest().isPresent()
            || options.testShare() == 0,
        "test share",
        "0 under "
            + options.relation().label()
            + " for "
            + data
            + " without a unit column: its rows have no places by which they could be"
            + " held out (--unit-column says whose each row is, --public-test gives public rows)",
        options.testShare());
  }

  @Override
  public Optional<Examples> openInputs(String address, DataOptions options) throws IOException {
    if (options.columns().isEmpty()) {
      return Optional.empty();
    }
    try (TableRows found = rows(address, options)) {
      TableColumns declared = TableColumns.inputs("table", options);
      return Optional.of(
          TableReading.read(found, declared, Optional.empty(), heap()).fitting().examples());
    }
  }

  @Override
  public Optional<TableRows> openTable(String address, DataOptions options) throws IOException {
    return Optional.of(rows(address, options));
  }

  @Override
  public Optional<TableHeader> header(String address, DataOptions options) throws IOException {
    return Optional.of(
        DatabaseRows.header(
            address, selection(options), options.unit(), DatabaseLogin.of(System::getenv)));
  }

  private static TableRows rows(String address, DataOptions options) throws IOException {
    return DatabaseRows.open(
        address, selection(options), options.unit(), DatabaseLogin.of(System::getenv));
  }

  private static DatabaseSelection selection(DataOptions options) {
    return options
        .database()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "table must be named for rows of a database, as in --table visits. Provided"
                        + " value: none"));
  }

  private static long heap() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  @Override
  public DataDescription describe(String address, DataOptions options) {
    DatabaseAddress.refuseSecrets(address);
    DatabaseSelection selection = selection(options);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("about", "rows of a database; private, so this is what was declared");
    facts.putAll(selection.facts());
    options.label().ifPresent(label -> facts.put("label", label));
    if (!options.columns().isEmpty()) {
      facts.put("columns", String.join(", ", options.columns()));
    }
    facts.put(
        "unit",
        options
            .unit()
            .map(unit -> "rows of equal " + unit)
            .orElse(selection.query().isPresent() ? PrivacyUnit.RETURNED_ROW : "a row"));
    facts.put(
        "test rows",
        options
            .publicTest()
            .map(test -> test + ", declared public")
            .orElse(
                options.testShare() == 0
                    ? "none"
                    : "private: a share of " + Digits.shortest(options.testShare())));
    return new DataDescription(address, false, facts);
  }
}
