package dev.discreet.spark;

import dev.discreet.accounting.Check;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MonotonicallyIncreasingID;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.Uuid;
import org.apache.spark.sql.catalyst.expressions.aggregate.AnyValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Tail;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import scala.collection.immutable.Seq;
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
final class RepeatableInput {
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
  static Dataset<Row> of(Dataset<Row> frame, String unit) {
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
      inPlan(here.queryExecution().analyzed(), new HashSet<>(Set.of(lower(unit))), doubts);
      if (doubts.stream().allMatch(Doubt::mends)) {
        inRows(frame.toJavaRDD().rdd()).ifPresent(doubts::add);
      }
    } else {
      doubts.add(new Doubt("a frame of another machine's session", true));
    }
    return doubts;
  }

  /**
   * All of them: behind one that can be mended there may be one that cannot.
   *
   * @param unit what the unit column is called here and above
   */
  private static void inPlan(LogicalPlan plan, Set<String> unit, List<Doubt> doubts) {
    int before = doubts.size();
    for (Expression each : CollectionConverters.asJava(plan.expressions())) {
      if (!isPure(each)) {
        inExpression(each, doubts);
      }
      if (each instanceof Alias named
          && unit.contains(lower(named.name()))
          && attribute(named.child()) instanceof AttributeReference other) {
        unit.add(lower(other.name()));
      }
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
    if (plan instanceof Window over && !has(over.partitionSpec(), unit)) {
      doubts.add(new Doubt("a plan with a window over rows of several units", false));
    }
    if (plan instanceof Aggregate sums && !has(sums.groupingExpressions(), unit)) {
      doubts.add(new Doubt("a plan that puts rows of several units together", false));
    }
    CollectionConverters.asJava(plan.children()).forEach(below -> inPlan(below, unit, doubts));
    CollectionConverters.asJava(plan.subqueries()).forEach(below -> inPlan(below, unit, doubts));
    if (doubts.size() == before && !plan.deterministic() && !hasPure(plan)) {
      doubts.add(new Doubt("a plan with " + plan.nodeName(), true));
    }
  }

  /** Whether rows are put together, or apart, by the unit among others. */
  private static boolean has(Seq<Expression> by, Set<String> unit) {
    return CollectionConverters.asJava(by).stream()
        .anyMatch(
            each ->
                attribute(each) instanceof AttributeReference column
                    && unit.contains(lower(column.name())));
  }

  private static Expression attribute(Expression expression) {
    return expression instanceof Cast cast ? cast.child() : expression;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
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
      // A number by place, or a name that nobody has twice, makes a person of every row.
      boolean names = expression instanceof MonotonicallyIncreasingID || expression instanceof Uuid;
      doubts.add(new Doubt("a plan with " + expression.prettyName() + "()", !names));
    }
  }

  private static Optional<Doubt> inRows(RDD<?> rows) {
    Optional<Doubt> mended = Optional.empty();
    if (rows.outputDeterministicLevel().toString().equals("INDETERMINATE")) {
      mended =
          Optional.of(new Doubt("rows whose order decides where they go, and who have none", true));
    }
    Deque<RDD<?>> open = new ArrayDeque<>(Set.of(rows));
    Set<Integer> seen = new HashSet<>();
    while (!open.isEmpty()) {
      RDD<?> each = open.remove();
      if (!seen.add(each.id())) {
        continue;
      }
      CollectionConverters.asJava(each.dependencies()).forEach(by -> open.add(by.rdd()));
      String kind = each.getClass().getSimpleName();
      if (BY_PLACE.contains(kind)) {
        return Optional.of(new Doubt("rows that are numbered or drawn by their place", false));
      }
      if (each.dependencies().isEmpty() && !LASTING.contains(kind)) {
        mended =
            Optional.of(new Doubt("rows of a source that may change under the run, " + kind, true));
      }
    }
    return mended;
  }
}
