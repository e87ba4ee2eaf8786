package dev.discreet.spark.plan;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AnyValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Tail;
import org.apache.spark.sql.execution.FileRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Frames that come out the same whenever Spark computes them again. Spark loses parts of what it
 * has computed and makes them anew from their source; a run whose units change on the way would not
 * be the one that is accounted for.
 *
 * <p>Where Spark itself does not say that a plan is deterministic, or where a source may change
 * under the run, rows are written into the checkpoint directory first, or refused where there is
 * none. What this overlooks, a file that is rewritten say, the fingerprints of a step find.
 */
public final class RepeatableInput {
  /** Where lineages may begin: rows of the driver, files, and what was written down before. */
  private static final Set<String> LASTING =
      Set.of(
          "ParallelCollectionRDD",
          "EmptyRDD",
          "FileScanRDD",
          "HadoopRDD",
          "BinaryFileRDD",
          "WholeTextFileRDD",
          "ReliableCheckpointRDD",
          "LocalCheckpointRDD");

  /** What gives a row a number, or its luck, by how many stand before it. */
  private static final Set<String> BY_PLACE =
      Set.of("ZippedWithIndexRDD", "PartitionwiseSampledRDD");

  /** Where the functions of Spark ML begin that only look as if they were not repeatable. */
  private static final List<String> PURE =
      List.of(
          "org.apache.spark.ml.feature.VectorAssembler$$",
          "org.apache.spark.ml.feature.StringIndexerModel$$");

  private RepeatableInput() {}

  /**
   * Why a frame may not do.
   *
   * @param what to name in a refusal
   * @param mends whether it does once it is written down; not where a row depends on those of other
   *     units, such as how many stand before it, for one row more would still change others
   */
  private record Doubt(String what, boolean mends) {}

  /**
   * The frame, or what was written down of it; refuses one that may come out different.
   *
   * @param unit the column that says whose a row is
   */
  public static Dataset<Row> of(Dataset<Row> frame, String unit) {
    List<Doubt> doubts = doubts(frame, unit);
    if (doubts.isEmpty()) {
      return frame;
    }
    for (Doubt each : doubts) {
      Check.that(
          each.mends,
          "frame of a private run",
          "such that a row depends on no other unit's",
          each.what);
    }
    if (frame.sparkSession().sparkContext().getCheckpointDir().isEmpty()) {
      throw new IllegalArgumentException(
          "frame of a private run must come out the same whenever Spark computes it again, or a"
              + " checkpoint directory be set (SparkContext.setCheckpointDir), into which its rows"
              + " are then written once. Provided value: "
              + doubts.get(0).what);
    }
    return frame.checkpoint();
  }

  /** Why a frame may not do; none where nothing says so. */
  private static List<Doubt> doubts(Dataset<Row> frame, String unit) {
    List<Doubt> doubts = new ArrayList<>();
    if (frame instanceof org.apache.spark.sql.classic.Dataset<Row> here) {
      LogicalPlan plan = here.queryExecution().analyzed();
      inPlan(plan, doubts);
      MixedRows.in(plan, unit).ifPresent(what -> doubts.add(new Doubt(what, false)));
      // To ask for the rows may begin to compute them.
      if (doubts.isEmpty()) {
        inRows(frame.toJavaRDD().rdd()).ifPresent(doubts::add);
      }
    } else {
      doubts.add(new Doubt("a frame of another machine's session", true));
    }
    return doubts;
  }

  /** All of them: behind one that can be mended there may be one that cannot. */
  private static void inPlan(LogicalPlan plan, List<Doubt> doubts) {
    int before = doubts.size();
    for (Expression each : CollectionConverters.asJava(plan.expressions())) {
      if (!isPure(each)) {
        inExpression(each, doubts);
      }
    }
    if (plan.isStreaming()) {
      doubts.add(new Doubt("a stream, whose rows are never all there", false));
    }
    if (plan instanceof Sample) {
      doubts.add(new Doubt("a plan with a sample", false));
    }
    if (plan instanceof Deduplicate some && some.keys().size() < some.child().output().size()) {
      doubts.add(new Doubt("a plan that keeps one row of several, whichever it is", false));
    }
    if (plan instanceof GlobalLimit
        || plan instanceof LocalLimit
        || plan instanceof Tail
        || plan instanceof Offset) {
      doubts.add(new Doubt("a plan with a limit", false));
    }
    // What Spark sends to all executors, or asks beforehand, is not among the frame's own rows.
    RowOrigins.rows(plan).flatMap(RepeatableInput::inRows).ifPresent(doubts::add);
    if (plan instanceof LogicalRelation read && !(read.relation() instanceof FileRelation)) {
      doubts.add(changing(read.relation().getClass().getSimpleName()));
    }
    CollectionConverters.asJava(plan.children()).forEach(below -> inPlan(below, doubts));
    CollectionConverters.asJava(plan.subqueries()).forEach(below -> inPlan(below, doubts));
    if (doubts.size() == before && !plan.deterministic() && !hasPure(plan)) {
      doubts.add(new Doubt("a plan with " + plan.nodeName(), true));
    }
  }

  /**
   * Whether an expression is one of Spark ML's own functions that give the same whenever they are
   * asked, and are marked otherwise only so that Spark asks them once for a row.
   */
  private static boolean isPure(Expression expression) {
    Expression inner = expression instanceof Alias named ? named.child() : expression;
    return inner instanceof ScalaUDF function
        && CollectionConverters.asJava(function.children()).stream()
            .allMatch(Expression::deterministic)
        && PURE.stream().anyMatch(function.function().getClass().getName()::startsWith);
  }

  private static boolean hasPure(LogicalPlan plan) {
    return CollectionConverters.asJava(plan.expressions()).stream()
            .anyMatch(each -> !each.deterministic() && isPure(each))
        || CollectionConverters.asJava(plan.children()).stream().anyMatch(RepeatableInput::hasPure);
  }

  /** The innermost parts that are to blame; some depend on an order that rows do not have. */
  private static void inExpression(Expression expression, List<Doubt> doubts) {
    int before = doubts.size();
    CollectionConverters.asJava(expression.children()).forEach(part -> inExpression(part, doubts));
    boolean ordered =
        expression instanceof First
            || expression instanceof Last
            || expression instanceof AnyValue
            || expression instanceof CollectList;
    if (doubts.size() == before && (ordered || !expression.deterministic())) {
      // Spark's own, such as rand(), count the rows that stand before one, or name their place.
      boolean mends = ordered || expression instanceof UserDefinedExpression;
      doubts.add(new Doubt("a plan with " + expression.prettyName() + "()", mends));
    }
  }

  private static Optional<Doubt> inRows(RDD<?> rows) {
    Optional<Doubt> mended = Optional.empty();
    if (rows.outputDeterministicLevel().toString().equals("INDETERMINATE")) {
      mended =
          Optional.of(new Doubt("rows whose order decides where they go, and who have none", true));
    }
    for (RDD<?> each : RowOrigins.lineage(rows)) {
      String kind = each.getClass().getSimpleName();
      if (BY_PLACE.contains(kind)) {
        return Optional.of(new Doubt("rows that are numbered or drawn by their place", false));
      }
      if (each.dependencies().isEmpty() && !LASTING.contains(kind)) {
        mended = Optional.of(changing(kind));
      }
    }
    return mended;
  }

  private static Doubt changing(String source) {
    return new Doubt("rows of a source that may change under the run, " + source, true);
  }
}
