package dev.discreet.spark;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.SplittableRandom;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** A small private step, and what may happen to it. */
final class Steps {
  static final Layout LAYOUT =
      Network.parse("conv(4,3) relu flatten dense(3)").on(new Shape(6, 6, 1));
  static final int ROWS = 500;
  static final int UNITS = 370;
  static final int VALUES = 37;
  static final Grid GRID = Grid.of(UNITS, 4, 1, 64);
  static final Sampler SAMPLER = new Sampler.Poisson(0.5, UNITS);
  static final SamplingKey KEY = SamplingKey.insecure(3);

  private Steps() {}

  /** A function of a user's that gives another number whenever it is asked, and says so. */
  static Column anyNumber() {
    UDF0<Float> any = () -> (float) Math.random();
    return functions.udf(any, DataTypes.FloatType).asNondeterministic().apply();
  }

  /** For each row, whose it is: units of several rows among such of one. */
  static long[] owners() {
    long[] owners = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      owners[i] = i < 300 ? i : 1000 + i % 70;
    }
    return owners;
  }

  static Examples examples() {
    SplittableRandom random = new SplittableRandom(1);
    float[] inputs = new float[ROWS * 36];
    float[] labels = new float[ROWS];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) random.nextDouble(-1, 1);
    }
    for (int i = 0; i < ROWS; i++) {
      labels[i] = random.nextInt(3);
    }
    return Examples.of(LAYOUT.input(), inputs, 1, labels);
  }

  static LocalData data() {
    return PrivateData.of(examples(), Units.byOwner(owners()));
  }

  static StepRequest request(long release) {
    return new StepRequest(release, LAYOUT.initial(Initialiser.STANDARD, 1), 1.0, KEY);
  }

  static GradientSource open(Engine engine, PrivateData data) {
    return engine.source(LAYOUT, UnitRule.flat(LAYOUT), data, SAMPLER, GRID);
  }

  static long[] sum(GradientSource source, long release) {
    ClippedSum sum = source.clippedSum(request(release));
    return sum.integers().clone();
  }

  static long[] sum(Engine engine, PrivateData data, long release) {
    try (GradientSource source = open(engine, data)) {
      return sum(source, release);
    }
  }

  /** The sum of one machine that nothing happens to. */
  static long[] undisturbed(long release) {
    return sum(Engine.standard(), data(), release);
  }

  /** These rows as data of a cluster. */
  static SparkData of(JavaSparkContext spark, JavaRDD<UnitRow> rows) {
    return new SparkData(spark, rows, false, LAYOUT.input(), 1, false, UNITS);
  }

  /** All that was computed and kept is gone, as if every executor had been lost. */
  static void lose(JavaSparkContext spark) {
    spark.getPersistentRDDs().values().forEach(rows -> rows.unpersist(true));
    MapOutputTrackerMaster shuffles = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    scala.jdk.javaapi.CollectionConverters.asJava(shuffles.shuffleStatuses())
        .keySet()
        .forEach(id -> shuffles.unregisterAllMapAndMergeOutput((Integer) id));
  }
}
