package dev.discreet.spark;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.data.table.UnitCells;
import dev.discreet.spark.plan.RepeatableInput;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of a frame as rows of units. What is wrong with the schema is refused here, before anything
 * is spent; a row that does not fit counts as zero, and its unit is there all the same.
 */
public final class FrameRows {
  private FrameRows() {}

  /**
   * @param unitColumn whose row it is: a column of whole numbers or of texts that stay the same for
   *     ever
   * @param columns those that the values are read from: what else the frame has is not looked at
   * @param values what is read from a row, which has the unit column and then these columns
   */
  public static SparkData of(
      Dataset<Row> frame,
      String unitColumn,
      String[] columns,
      Shape input,
      int targets,
      RowValues values) {
    StructType schema = frame.schema();
    for (String column : columns) {
      checkThere(schema, column);
    }
    checkThere(schema, unitColumn);
    DataType type = schema.apply(unitColumn).dataType();
    boolean text = type instanceof StringType;
    Check.that(
        text
            || type.equals(DataTypes.LongType)
            || type.equals(DataTypes.IntegerType)
            || type.equals(DataTypes.ShortType)
            || type.equals(DataTypes.ByteType),
        "column " + unitColumn + ", which tells whose a row is,",
        "of whole numbers or of texts",
        type.simpleString());
    Dataset<Row> used =
        frame.select(
            Stream.concat(Stream.of(unitColumn), Arrays.stream(columns))
                .map(name -> frame.col(quoted(name)))
                .toArray(Column[]::new));
    JavaRDD<UnitRow> rows =
        SparkData.told(() -> RepeatableInput.of(used, unitColumn).toJavaRDD())
            .filter(row -> !row.isNullAt(0) && !(text && person(row).isEmpty()))
            .map(row -> UnitRow.unordered(name(row, text), read(values, row)));
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(frame.sparkSession().sparkContext());
    return new SparkData(spark, rows, text, input, targets, false, -1);
  }

  /**
   * A column's name as Spark takes it for one name, whatever is in it.
   *
   * @param column its name
   */
  public static String quoted(String column) {
    return "`" + column.replace("`", "``") + "`";
  }

  private static UnitName name(Row row, boolean text) {
    return text ? UnitName.of(person(row)) : new UnitName(0, ((Number) row.get(0)).longValue());
  }

  private static String person(Row row) {
    return UnitCells.person(row.getString(0));
  }

  private static float[] read(RowValues values, Row row) {
    try {
      return values.of(row);
    } catch (RuntimeException e) {
      // Whatever is wrong with it: no exception tells of one row.
      return null;
    }
  }

  private static void checkThere(StructType schema, String column) {
    Check.that(
        Arrays.asList(schema.fieldNames()).contains(column),
        "column",
        "one of " + String.join(", ", schema.fieldNames()),
        column);
  }

  /**
   * How a frame fits, for the operator, before anything is spent.
   *
   * @param rows all of them
   * @param misfits those that count as zero
   */
  public record Fit(long rows, long misfits) implements Serializable {
    /** Counts the rows of a frame. */
    public static Fit of(SparkData data) {
      return SparkData.told(
          () ->
              data.rows()
                  .mapPartitions(
                      each -> {
                        long rows = 0;
                        long misfits = 0;
                        while (each.hasNext()) {
                          rows++;
                          misfits += each.next().values() == null ? 1 : 0;
                        }
                        return List.of(new Fit(rows, misfits)).iterator();
                      })
                  .fold(
                      new Fit(0, 0),
                      (one, other) -> new Fit(one.rows + other.rows, one.misfits + other.misfits)));
    }
  }
}
