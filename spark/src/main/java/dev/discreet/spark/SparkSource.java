package dev.discreet.spark;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PartialSums;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Clipped sums over units that lie on executors. A step is one job: each partition sums over its
 * own units of the lot, and the integers are added on their way to the driver.
 */
final class SparkSource implements GradientSource {
  private final JavaSparkContext spark;
  private final PrivateData data;
  private final StepWork work;
  private final PartialSums own;
  private final LocalData nobody;
  private final Coordinates coordinates;
  private final int partitions;
  private final long arithmetic;
  private BucketedRows rows;
  private long refused;

  SparkSource(JavaSparkContext spark, PrivateData data, StepWork work, int partitions) {
    this(spark, data, work, partitions, Arithmetic.digest(work.lanes()));
  }

  /**
   * @param arithmetic what every executor must have
   */
  SparkSource(
      JavaSparkContext spark, PrivateData data, StepWork work, int partitions, long arithmetic) {
    this.spark = spark;
    this.arithmetic = arithmetic;
    this.data = data;
    this.work = work;
    this.partitions = partitions;
    this.own = work.open();
    this.nobody = PackedRows.none(data.input(), data.targets()).data();
    this.coordinates = Coordinates.of(work.layout(), work.rule());
  }

  @Override
  public Coordinates coordinates() {
    return coordinates;
  }

  @Override
  public ClippedSum clippedSum(StepRequest request) {
    // Nobody's sum is zero, and has the sensitivities of every sum of this step.
    ClippedSum sum = own.clippedSum(request, nobody);
    BucketedRows laidOut = laidOut(request);
    Broadcast<StepWork.Step> step = spark.broadcast(new StepWork.Step(work, request));
    StepSum total;
    try {
      total =
          SparkData.told(
              () ->
                  laidOut
                      .rows()
                      .treeAggregate(
                          new StepSum(),
                          (before, rows) -> before.add(ExecutorBuffers.sum(step.value(), rows)),
                          StepSum::add,
                          2));
    } finally {
      step.destroy();
    }
    if (!total.failure().isEmpty()) {
      throw new IllegalStateException(total.failure());
    }
    if (total.arithmetic() != arithmetic) {
      throw new IllegalStateException(Arithmetic.REFUSAL);
    }
    laidOut.check(total.places());
    for (int i = 0; i < total.integers().length; i++) {
      sum.integers()[i] += total.integers()[i];
    }
    refused += total.refused();
    return sum;
  }

  private BucketedRows laidOut(StepRequest request) {
    if (rows == null || !rows.isOf(request.key())) {
      forget();
      // Rows of this machine are read here and not before, as other engines read them in a step.
      rows = SparkData.of(spark, data).bucketed(request.key(), work.grid().buckets(), partitions);
    }
    return rows;
  }

  private void forget() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }

  @Override
  public long refusedUnits() {
    return refused;
  }

  @Override
  public void close() {
    forget();
    own.close();
  }
}
