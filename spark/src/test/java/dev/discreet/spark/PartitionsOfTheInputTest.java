package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;

/**
 * Why rows must not be summed where Spark has put them. One unit more moves others to other
 * partitions there, every partial sum rounds anew, and the sensitivity pays for one chunk only.
 */
class PartitionsOfTheInputTest {
  private static final Layout LAYOUT =
      Network.parse("dense(1,bias=false) loss=squared").on(Shape.vector(1));
  private static final int HALF = 1 << 15;
  private static final SamplingKey KEY = SamplingKey.insecure(4);
  private static final Grid GRID = Grid.of(2 * HALF + 1, 16, 1, 64);
  private static final Sampler ALL = new Sampler.FullBatch(2 * HALF + 1);
  private static final StepRequest REQUEST = new StepRequest(3, new float[1], 1.0, KEY);

  /** Its multiples are rounded up by a quarter of a last place again and again. */
  private static final float UP = 0.75f + 0x3p-24f;

  /**
   * By turns a unit that adds UP and one that takes away a half, which is exact; one in the middle
   * is as long as a unit may be. The same position always has the same id.
   */
  private static LocalData data(boolean withTheOneInTheMiddle) {
    int[] kept =
        IntStream.rangeClosed(0, 2 * HALF)
            .filter(i -> withTheOneInTheMiddle || i != HALF)
            .toArray();
    float[] inputs = new float[kept.length];
    float[] targets = new float[kept.length];
    long[] ids = new long[kept.length];
    int[][] members = new int[kept.length][];
    for (int i = 0; i < kept.length; i++) {
      int place = kept[i] > HALF ? kept[i] - 1 : kept[i];
      inputs[i] = 1;
      targets[i] = kept[i] == HALF ? 5 : place % 2 == (kept[i] > HALF ? 1 : 0) ? -UP : 0.5f;
      ids[i] = kept[i];
      members[i] = new int[] {i};
    }
    return PrivateData.of(Examples.of(LAYOUT.input(), inputs, 1, targets), Units.of(ids, members));
  }

  private static ClippedSum ours(Engine engine, boolean with) {
    try (GradientSource source =
        engine.source(LAYOUT, UnitRule.flat(LAYOUT), data(with), ALL, GRID)) {
      ClippedSum sum = source.clippedSum(REQUEST);
      return new ClippedSum(
          sum.integers().clone(), sum.exponent(), sum.groupEnds(), sum.sensitivities());
    }
  }

  /** The mistake: the same grid and the same engine, but rows stay where repartition puts them. */
  private static long wherever(JavaSparkContext spark, boolean with) {
    StepWork work =
        new StepWork(
            "wrong on purpose" + with,
            LAYOUT,
            UnitRule.flat(LAYOUT),
            1,
            ALL,
            GRID,
            Engine.named("cpu").lanes(),
            1);
    Broadcast<StepWork.Step> step = spark.broadcast(new StepWork.Step(work, REQUEST));
    return SparkData.of(spark, data(with))
        .rows()
        .coalesce(1)
        .repartition(2)
        .mapPartitionsWithIndex(
            (number, rows) -> {
              RowBlock block = new RowBlock();
              rows.forEachRemaining(block::add);
              PackedRows packed =
                  PackedRows.of(
                      number,
                      false,
                      LAYOUT.input(),
                      1,
                      Integer.MAX_VALUE,
                      new ArrayList<>(List.of(block.bytes())));
              return List.of(ExecutorBuffers.sum(step.value(), packed).integers()[0]).iterator();
            },
            true)
        .reduce(Long::sum);
  }

  private static boolean isWithin(long moved, ClippedSum sum) {
    BigDecimal distance =
        new BigDecimal(Math.abs(moved)).multiply(new BigDecimal(Math.scalb(1.0, sum.exponent())));
    return distance.compareTo(new BigDecimal(sum.sensitivities()[0])) <= 0;
  }

  @Test
  void repartitionedRowsMoveASumByMoreThanItsSensitivityAndBucketsDoNot() {
    JavaSparkContext spark = new JavaSparkContext(LocalCluster.two().sparkContext());
    ClippedSum all = ours(new SparkEngine(), true);
    ClippedSum less = ours(new SparkEngine(), false);
    assertArrayEquals(ours(Engine.standard(), true).integers(), all.integers());
    assertArrayEquals(all.sensitivities(), less.sensitivities());
    long moved = all.integers()[0] - less.integers()[0];
    assertTrue(isWithin(moved, all), "ours moved by " + moved);
    long wrong = wherever(spark, true) - wherever(spark, false);
    assertTrue(!isWithin(wrong, all), "where rows lay it moved by only " + wrong);
  }
}
