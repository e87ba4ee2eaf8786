package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.UnitRule;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** Machines that round otherwise, and settings that leave secrets open. */
class ArithmeticTest {
  private static final int LANES = Engine.named("cpu").lanes();

  private static StepWork work() {
    return new StepWork(
        "arithmetic",
        Steps.LAYOUT,
        UnitRule.flat(Steps.LAYOUT),
        1,
        Steps.SAMPLER,
        Steps.GRID,
        LANES,
        1);
  }

  @Test
  void theDigestTellsHowAMachineRounds() {
    assertEquals(Arithmetic.digest(LANES), Arithmetic.digest(LANES));
    assertNotEquals(Arithmetic.digest(16), Arithmetic.digest(8), "other sums of products");
  }

  @Test
  void executorsThatRoundOtherwiseThanTheDriverAreRefused() {
    JavaSparkContext spark = new JavaSparkContext(LocalCluster.two().sparkContext());
    long own = Arithmetic.digest(LANES);
    try (GradientSource same = new SparkSource(spark, Steps.data(), work(), 2, own);
        GradientSource other = new SparkSource(spark, Steps.data(), work(), 2, own + 1)) {
      assertArrayEquals(Steps.undisturbed(1), Steps.sum(same, 1));
      assertEquals(
          Arithmetic.REFUSAL,
          assertThrows(IllegalStateException.class, () -> Steps.sum(other, 1)).getMessage());
    }
  }

  @Test
  void oneMachineAmongOthersIsFound() {
    PackedRows none = PackedRows.none(Steps.LAYOUT.input(), 1);
    StepSum one = new StepSum(new long[] {1}, 0, 5, none);
    StepSum other =
        new StepSum(
            new long[] {1}, 0, 6, PackedRows.of(1, false, Steps.LAYOUT.input(), 1, 1, List.of()));
    assertEquals(Arithmetic.REFUSAL, new StepSum().add(one).add(other).failure());
  }

  @Test
  void aPartitionThatIsSummedTwiceIsFound() {
    PackedRows none = PackedRows.none(Steps.LAYOUT.input(), 1);
    StepSum twice =
        new StepSum()
            .add(new StepSum(new long[] {1}, 0, 5, none))
            .add(new StepSum(new long[] {1}, 0, 5, none));
    assertEquals("a partition was summed twice; the step was refused", twice.failure());
  }

  private static List<String> warned(String... settings) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return TrustBoundary.warnings(conf).stream().map(text -> text.split(" ")[0]).toList();
  }

  @Test
  void settingsThatLeaveSecretsOpenAreNamed() {
    String auth = "spark.authenticate";
    String rpc = "spark.network.crypto.enabled";
    String disk = "spark.io.encryption.enabled";
    String master = "spark.master";
    for (String local : List.of("local", "local[4]", "local[*]", "local[2,3]")) {
      assertEquals(List.of(), warned(master, local));
    }
    for (String far : List.of("spark://a:7077", "yarn", "k8s://x", "local-cluster[2,1,1024]")) {
      assertEquals(List.of(auth, rpc, disk), warned(master, far));
    }
    assertEquals(List.of(rpc, disk), warned(master, "yarn", auth, "true"));
    assertEquals(List.of(auth, rpc, disk), warned(master, "yarn", rpc, "true"), "needs both");
    assertEquals(List.of(disk), warned(master, "yarn", auth, "true", rpc, "true"));
    assertEquals(List.of(), warned(master, "yarn", auth, "true", rpc, "true", disk, "true"));
    LocalCluster.two();
    assertEquals(3, new SparkEngine().warnings().size(), "what train prints");
  }
}
