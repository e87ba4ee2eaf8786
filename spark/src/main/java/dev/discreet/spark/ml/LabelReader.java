package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.Task;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/** Reads a label as the target of an example; NaN where it is none of what was declared. */
@FunctionalInterface
interface LabelReader extends Serializable {
  float of(Object cell);

  /** Reads labels of the declared kind. */
  static LabelReader of(StructType schema, String column, Task task) {
    PrivateStage.checkThere(schema, column);
    DataType type = schema.apply(column).dataType();
    return task.match(
        classes -> ofClasses(column, type, classes), each -> number(column, type, each));
  }

  /** Texts are names of classes; numbers are their places, as StringIndexer gives them. */
  private static LabelReader ofClasses(String column, DataType type, Task.Classes classes) {
    Check.that(
        type instanceof NumericType
            || type.equals(DataTypes.StringType)
            || type.equals(DataTypes.BooleanType),
        "column " + column,
        "of labels: texts, or numbers from 0",
        type.simpleString());
    List<String> names = classes.names();
    return cell -> {
      if (cell instanceof String name) {
        int at = names.indexOf(name);
        return at < 0 ? Float.NaN : at;
      }
      double place =
          cell instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) cell).doubleValue();
      return place >= 0 && place < names.size() && place == Math.rint(place)
          ? (float) place
          : Float.NaN;
    };
  }

  /** Moved into the bounds, and then to [0, 1]. */
  private static LabelReader number(String column, DataType type, Task.Number bounds) {
    Check.that(type instanceof NumericType, "column " + column, "of numbers", type.simpleString());
    double low = bounds.low();
    double high = bounds.high();
    return cell -> {
      double value = ((Number) cell).doubleValue();
      return (float) ((Math.max(low, Math.min(high, value)) - low) / (high - low));
    };
  }
}
