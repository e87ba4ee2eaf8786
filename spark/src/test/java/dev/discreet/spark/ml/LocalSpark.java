package dev.discreet.spark.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** One session for all tests of stages, and small frames. */
public final class LocalSpark {
  private LocalSpark() {}

  /** The session that is there, or a new one; nobody stops it. */
  public static SparkSession session() {
    SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("discreet stages")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "1")
            // Compiling queries takes longer than running them on so few rows.
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .getOrCreate();
    // Tests of the engine, whose session this may be, leave one behind.
    session.sparkContext().checkpointDir_$eq(scala.Option.empty());
    return session;
  }

  static final StructType PEOPLE =
      new StructType()
          .add("person", DataTypes.LongType)
          .add("features", SQLDataTypes.VectorType())
          .add("label", DataTypes.DoubleType)
          .add("name", DataTypes.StringType)
          .add("age", DataTypes.DoubleType);

  /** Each of two rows; the label is whether the first feature is larger than the second. */
  static Dataset<Row> people(int units) {
    return frame(PEOPLE, rows(units));
  }

  static List<Row> rows(int units) {
    SplittableRandom random = new SplittableRandom(5);
    List<Row> rows = new ArrayList<>();
    for (long person = 0; person < units; person++) {
      for (int i = 0; i < 2; i++) {
        double a = random.nextDouble(-1, 1);
        double b = random.nextDouble(-1, 1);
        double label = a > b ? 1 : 0;
        rows.add(
            RowFactory.create(
                person,
                i == 0
                    ? Vectors.dense(a, b)
                    : Vectors.sparse(2, new int[] {0, 1}, new double[] {a, b}),
                label,
                label == 1 ? "ill" : "well",
                30 + 20 * a - 10 * b));
      }
    }
    return rows;
  }

  static Dataset<Row> frame(StructType schema, List<Row> rows) {
    return session().createDataFrame(rows, schema);
  }

  /** A stage with all but its own settings. */
  static <S extends PrivateStage<?, S>> S paid(S stage, String account) {
    return stage
        .setPrivacyUnitCol("person")
        .setUnit("person")
        .setEpsilon(1)
        .setExamplesPerUnit(2)
        .setAccount(account);
  }

  /** A run of a few steps that may cost this. */
  static DiscreetClassifier classifier(double epsilon) {
    DiscreetClassifier classifier = classifier();
    classifier.clear(classifier.param("noise-multiplier"));
    return classifier.setEpsilon(epsilon);
  }

  /** A run of a few steps; with its noise given, none has to be looked for. */
  static DiscreetClassifier classifier() {
    return new DiscreetClassifier()
        .setPrivacyUnitCol("person")
        .setUnit("person")
        .setInputShape("2")
        .setClasses("well|ill")
        .setModel("logistic")
        .setting("noise-multiplier", 1)
        .setDelta(1e-5)
        .setLotSize(100)
        .setting("steps", 5)
        .setting("ema", 0)
        .setLearningRate(4);
  }
}
