package dev.discreet.spark;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.kit.EngineKit;
import dev.discreet.core.privacy.Sampler;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What every engine must pass, on two executors: some cases of every check, and all of them with
 * {@code -Dspark.kit=all}.
 */
@Execution(ExecutionMode.CONCURRENT)
class SparkEngineTest extends EngineKit {
  @BeforeAll
  static void start() {
    LocalCluster.two();
  }

  @Override
  protected Engine engine() {
    return new SparkEngine();
  }

  @Override
  protected List<Engine> cuts() {
    return List.of(
        new SparkEngine().withPartitions(1),
        new SparkEngine().withPartitions(64),
        new SparkEngine().withPartitions(2),
        new SparkEngine().withPartitions(7).withThreads(2));
  }

  @Override
  protected boolean isThorough() {
    return false;
  }

  @Override
  protected boolean isBrief() {
    return !"all".equals(System.getProperty("spark.kit"));
  }

  /** Others need an order over all units. */
  @Override
  protected boolean takes(Sampler sampler) {
    return !(sampler instanceof Sampler.FixedSize || sampler instanceof Sampler.ShuffledEpochs);
  }
}
