package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/** The same integers as on one machine, to the bit, on one executor and on three. */
@Isolated("ends the session")
class AnyNumberOfExecutorsTest {
  /** Sessions of their own, which take long to start. */
  @Test
  @EnabledIfSystemProperty(named = "spark.kit", matches = "all", disabledReason = "takes long")
  void theSameSum() {
    for (int executors : new int[] {1, 3}) {
      LocalCluster.start("local-cluster[" + executors + ",1,1024]", Map.of());
      SparkEngine engine = new SparkEngine().withPartitions(7);
      assertArrayEquals(Steps.undisturbed(7), Steps.sum(engine, Steps.data(), 7));
    }
  }
}
