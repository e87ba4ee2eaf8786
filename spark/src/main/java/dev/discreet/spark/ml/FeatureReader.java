package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Shape;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Reads a column of features: vectors, arrays of numbers, or Spark's images. How many numbers there
 * are is declared, here or by the bounds of a {@link DeclaredScaler}. Other metadata are not taken
 * for it: Spark reads sizes off a first row, and encoders count what values the rows have.
 *
 * @param shape of every example
 * @param kind how a cell is read
 */
record FeatureReader(Shape shape, Kind kind) implements Serializable {
  private enum Kind {
    VECTOR,
    ARRAY,
    IMAGE
  }

  /**
   * @param declared empty where a scaler's bounds must tell the size
   */
  static FeatureReader of(StructType schema, String column, Optional<String> declared) {
    PrivateStage.checkThere(schema, column);
    StructField field = schema.apply(column);
    Kind kind = kind(column, field.dataType());
    int known = kind == Kind.VECTOR ? AttributeGroup.fromStructField(field).size() : -1;
    boolean scaled = field.metadata().contains(DeclaredScaler.DECLARED);
    Check.that(
        declared.isPresent() || scaled,
        "inputShape of column " + column,
        "declared, SIZE or HEIGHTxWIDTHxCHANNELS, but for a column of DeclaredScaler with bounds"
            + " for each value (no row may decide it)",
        "none");
    Shape shape =
        declared
            .map(Shape::parse)
            .orElseGet(
                () ->
                    Shape.vector(
                        Math.toIntExact(field.metadata().getLong(DeclaredScaler.DECLARED))));
    Check.that(
        known <= 0 || known == shape.size(),
        "inputShape of column " + column,
        "of " + known + " numbers, as the column's metadata say",
        shape);
    return new FeatureReader(shape, kind);
  }

  /** Refuses a column of another type. A pipeline asks before there are metadata. */
  static void check(StructType schema, String column) {
    PrivateStage.checkThere(schema, column);
    kind(column, schema.apply(column).dataType());
  }

  private static Kind kind(String column, DataType type) {
    boolean vector = type.equals(SQLDataTypes.VectorType());
    boolean array =
        type instanceof ArrayType list
            && (list.elementType().equals(DataTypes.FloatType)
                || list.elementType().equals(DataTypes.DoubleType));
    boolean image =
        type instanceof StructType struct
            && Arrays.asList(struct.fieldNames())
                .containsAll(List.of("height", "width", "nChannels", "data"));
    Check.that(
        vector || array || image,
        "column " + column,
        "of vectors, arrays of float or double, or images",
        type.simpleString());
    return vector ? Kind.VECTOR : array ? Kind.ARRAY : Kind.IMAGE;
  }

  /** The numbers of a cell; null where they do not fit what was declared. */
  float[] read(Object cell) {
    if (cell == null) {
      return null;
    }
    float[] values;
    try {
      values =
          switch (kind) {
            case VECTOR -> vector((Vector) cell);
            case ARRAY -> array((scala.collection.Seq<?>) cell);
            case IMAGE -> image((Row) cell);
          };
    } catch (RuntimeException e) {
      // Such as an image without a height: one row must not end a job, nor an exception tell of it.
      return null;
    }
    if (values == null) {
      return null;
    }
    for (float value : values) {
      if (!Float.isFinite(value)) {
        return null;
      }
    }
    return values;
  }

  private float[] vector(Vector vector) {
    // Before it is laid out: a sparse one may claim to be of any size.
    if (vector.size() != shape.size()) {
      return null;
    }
    double[] from = vector.toArray();
    float[] values = new float[from.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) from[i];
    }
    return values;
  }

  private float[] array(scala.collection.Seq<?> cells) {
    if (cells.size() != shape.size()) {
      return null;
    }
    float[] values = new float[shape.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = cells.apply(i);
      values[i] = value == null ? Float.NaN : ((Number) value).floatValue();
    }
    return values;
  }

  /** Colours come as blue, green, red, which everyone else has the other way round. */
  private float[] image(Row row) {
    int channels = shape.channels();
    byte[] data = row.getAs("data");
    if (!row.<Integer>getAs("height").equals(shape.height())
        || !row.<Integer>getAs("width").equals(shape.width())
        || !row.<Integer>getAs("nChannels").equals(channels)
        || data.length != shape.size()) {
      return null;
    }
    float[] values = new float[data.length];
    for (int i = 0; i < data.length; i++) {
      int channel = i % channels;
      int from = channels >= 3 && channel < 3 ? i + 2 - 2 * channel : i;
      values[i] = (data[from] & 255) / 255f;
    }
    return values;
  }
}
