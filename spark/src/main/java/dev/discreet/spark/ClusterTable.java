package dev.discreet.spark;

import dev.discreet.accounting.Check;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.table.TableColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Opens a table on a cluster. What is wrong with its schema is refused by the column's name. */
record ClusterTable(SparkSession session, TablePlace place, DataOptions options) {

  TrainingRows open() throws IOException {
    DeclaredRow declared = new DeclaredRow(place.name(), options);
    try {
      return place.kind() == TablePlace.Kind.CSV ? csv(declared) : frame(declared);
    } catch (IOException | IllegalArgumentException e) {
      throw e;
    } catch (Exception e) {
      // Scala tells no compiler what it throws, and what a task throws may quote a cell.
      throw new IOException(
          place.name()
              + " cannot be read on the cluster, whose log says why (outside the guarantee, for"
              + " your eyes)",
          e);
    }
  }

  private TrainingRows csv(DeclaredRow declared) throws IOException {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    JavaRDD<Object[]> cells = CsvFiles.cells(spark, place, declared);
    RowCount count = counted(cells, declared);
    SparkData rows =
        new SparkData(
            spark, CsvFiles.rows(cells, declared), true, declared.columns().input(), 1, false, -1);
    return rows(rows, count, declared);
  }

  private TrainingRows frame(DeclaredRow declared) throws IOException {
    Dataset<Row> frame = read();
    check(frame.schema(), declared);
    List<String> names = declared.columns().names();
    List<Column> used = new ArrayList<>();
    used.add(column(frame, declared.unit()));
    names.forEach(name -> used.add(column(frame, name)));
    JavaRDD<Object[]> cells =
        frame.select(used.toArray(Column[]::new)).toJavaRDD().map(ClusterTable::cells);
    SparkData rows =
        FrameRows.of(
            frame,
            declared.unit(),
            names.toArray(String[]::new),
            declared.columns().input(),
            1,
            declared);
    return rows(rows, counted(cells, declared), declared);
  }

  private Dataset<Row> read() {
    if (place.kind() == TablePlace.Kind.TABLE) {
      Check.that(
          session.catalog().tableExists(place.place()),
          "data",
          "a file, a folder, or a table that the session knows",
          place.place());
      return session.table(place.place());
    }
    DataFrameReader reader = session.read();
    boolean folder = place.here().filter(java.nio.file.Files::isDirectory).isPresent();
    // Whatever else lies in the folder, an account say, is no data.
    return (folder ? reader.option("pathGlobFilter", "*.parquet") : reader).parquet(place.place());
  }

  private static Column column(Dataset<Row> frame, String name) {
    return frame.col(FrameRows.quoted(name));
  }

  private static Object[] cells(Row row) {
    Object[] cells = new Object[row.size()];
    Arrays.setAll(cells, row::get);
    return cells;
  }

  /** Before a row is looked at. */
  private void check(StructType schema, DeclaredRow declared) {
    there(schema, declared.unit(), "unit column");
    TableColumns columns = declared.columns();
    List<String> names = columns.names();
    for (int i = 0; i < names.size(); i++) {
      String what = i == 0 ? "label column" : "column";
      there(schema, names.get(i), what);
      DataType type = schema.apply(names.get(i)).dataType();
      TableColumns.Cells cells = columns.cells(i);
      boolean fits =
          switch (cells) {
            case NUMBERS -> type instanceof NumericType;
            case VALUES -> type instanceof NumericType || type instanceof BooleanType;
            case WORDS -> type instanceof BooleanType;
            // What time it is in a timestamp depends on the session's zone.
            case DATES -> type instanceof DateType;
            case TEXTS -> false;
          };
      Check.that(
          fits || type instanceof StringType,
          what + " " + names.get(i) + " of " + place.name(),
          cells.words(),
          type.simpleString());
    }
  }

  private void there(StructType schema, String name, String what) {
    if (!Arrays.asList(schema.fieldNames()).contains(name)) {
      String known = String.join(", ", schema.fieldNames());
      throw new IllegalArgumentException(
          Check.line(
              place.name() + " must have the " + what + " " + name + ". Its columns: " + known));
    }
  }

  private RowCount counted(JavaRDD<Object[]> cells, DeclaredRow declared) throws IOException {
    RowCount count =
        cells
            .mapPartitions(each -> List.of(RowCount.of(each, declared)).iterator())
            .fold(new RowCount(), RowCount::plus);
    count.check(place.name());
    return count;
  }

  private TrainingRows rows(SparkData rows, RowCount count, DeclaredRow declared)
      throws IOException {
    TableColumns columns = declared.columns();
    return new TrainingRows(
        place.name(),
        columns.task(),
        rows,
        DataSets.publicTest(place.here(), options, columns.task(), columns.input()),
        count.misfits(),
        false);
  }
}
