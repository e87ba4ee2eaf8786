package dev.discreet.spark;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The engine on a cluster. It computes in the Spark session that is active, on units that lie in
 * buckets on the executors. How many executors and partitions there are changes the speed of a sum,
 * never the sum.
 *
 * <pre>{@code
 * Engine engine = Engine.named("spark");
 * }</pre>
 *
 * @param threads how many threads a task has; 0 for {@code spark.task.cpus}
 * @param partitions how many partitions the units lie in; 0 for as many as the cluster has cores
 * @param buckets how many buckets the units are cut into: at least as many as partitions; 0 for
 *     what {@value #BUCKETS} sets, or 64
 */
@PublicApi
public record SparkEngine(int threads, int partitions, int buckets)
    implements Engine, Serializable {
  /** What options and run files call this engine. */
  public static final String NAME = "spark";

  /** The setting of Spark that says into how many buckets units are cut. */
  public static final String BUCKETS = "spark.discreet.buckets";

  /** Checks the numbers. */
  public SparkEngine {
    Check.that(threads >= 0 && threads <= 1024, "threads", "in [0, 1024]", threads);
    Check.that(
        buckets >= 0 && buckets <= Grid.MOST_CHUNKS,
        "buckets",
        "in [0, " + Grid.MOST_CHUNKS + "]",
        buckets);
    int most = buckets > 0 ? buckets : Grid.MOST_CHUNKS;
    Check.that(
        partitions >= 0 && partitions <= most,
        "partitions",
        "in [0, " + most + "], the number of buckets",
        partitions);
  }

  /** As many threads and partitions as the cluster has, and buckets as the session sets. */
  public SparkEngine() {
    this(0, 0, 0);
  }

  /**
   * Into how many buckets units are cut: no more partitions than that have any.
   *
   * @return what this engine was given, else what {@value #BUCKETS} sets in the session, else 64
   */
  @Override
  public int buckets() {
    if (buckets > 0) {
      return buckets;
    }
    int set = session().map(each -> each.sparkContext().conf().getInt(BUCKETS, 64)).orElse(64);
    Check.that(
        set >= 1 && set <= Grid.MOST_CHUNKS, BUCKETS, "in [1, " + Grid.MOST_CHUNKS + "]", set);
    return set;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SparkEngine withThreads(int number) {
    return new SparkEngine(number, partitions, buckets);
  }

  /**
   * With the units in so many partitions.
   *
   * @param number 0 for as many as the cluster has cores
   * @return that engine; this one stays as it is
   */
  public SparkEngine withPartitions(int number) {
    return new SparkEngine(threads, number, buckets);
  }

  /**
   * With so many buckets: more than this number of partitions is of no use.
   *
   * @param number at most 32,768
   * @return that engine; this one stays as it is
   */
  public SparkEngine withBuckets(int number) {
    return new SparkEngine(threads, Math.min(partitions, number), number);
  }

  /** Only samplers that need no order of all units. */
  @Override
  public void check(Sampler sampler) {
    Check.that(
        sampler.drawsEachByItself(),
        "sampling on a cluster",
        "poisson, full-batch or cyclic, which draw each unit by itself",
        sampler.getClass().getSimpleName());
  }

  /** Made-up rows would all have to be sent to the cluster. */
  @Override
  public boolean rehearses() {
    return false;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    check(sampler);
    rule.check(layout, data);
    if (!(data instanceof SparkData)) {
      LocalData here = LocalData.required(data, "the engine " + NAME);
      here.units().check(here.examples().size());
      rule.check(here.units());
    }
    JavaSparkContext spark = context();
    TrustBoundary.warnOnce(spark.sc());
    int tasks = threads > 0 ? threads : spark.sc().conf().getInt("spark.task.cpus", 1);
    int places = partitions > 0 ? partitions : spark.defaultParallelism();
    StepWork work =
        new StepWork(
            UUID.randomUUID().toString(),
            layout,
            rule,
            data.targets(),
            sampler,
            grid,
            Engine.named("cpu").lanes(),
            tasks);
    return new SparkSource(spark, data, work, Math.min(places, grid.buckets()));
  }

  /** Makes all, by the engine that computes in each place. */
  @Override
  public void check(Augmentation augmentation) {}

  @Override
  public PublicGradients open(Layout layout, Examples examples, Augmentation augmentation) {
    return Engine.named("cpu").open(layout, examples, augmentation);
  }

  /** Public examples are on this machine, and are computed on it. */
  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    return Engine.named("cpu").open(layout, examples);
  }

  @Override
  public double unitsPerChunk(Layout layout) {
    return Engine.named("cpu").unitsPerChunk(layout);
  }

  @Override
  public List<String> warnings() {
    return TrustBoundary.warnings(context().getConf());
  }

  /** The session that is active, if one is. */
  static Optional<SparkSession> session() {
    SparkSession none = null;
    SparkSession active = SparkSession.getActiveSession().getOrElse(() -> none);
    SparkSession found =
        active != null ? active : SparkSession.getDefaultSession().getOrElse(() -> none);
    return Optional.ofNullable(found).filter(each -> !each.sparkContext().isStopped());
  }

  /**
   * Refuses a Java on which Spark 4.1 does not start: its Hadoop asks for what Java 24 took away.
   */
  static void checkJava() {
    int java = Runtime.version().feature();
    Check.that(java < 24, "Java of the engine " + NAME, "17 to 23, for Spark 4.1", java);
  }

  /** The context of the active session. */
  static JavaSparkContext context() {
    return session()
        .map(each -> JavaSparkContext.fromSparkContext(each.sparkContext()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Spark session must be there before the engine spark is used. Provided value:"
                        + " none"));
  }
}
