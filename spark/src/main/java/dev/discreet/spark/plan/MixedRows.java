package dev.discreet.spark.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.api.python.PythonEvalType;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InSubquery;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.PythonUDF;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationDef;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.CollectMetrics;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.DeserializeToObject;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Except;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Intersect;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MapElements;
import org.apache.spark.sql.catalyst.plans.logical.MapPartitions;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.RebalancePartitions;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionOperation;
import org.apache.spark.sql.catalyst.plans.logical.ResolvedHint;
import org.apache.spark.sql.catalyst.plans.logical.SerializeFromObject;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.TypedFilter;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.plans.logical.WithCTE;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Finds plans in which a row depends on rows of other units. The unit column is followed from the
 * frame down to the tables that are read: what puts rows together has to do so by it, and a table
 * that says whose its rows are has to be joined by that.
 *
 * <p>What nobody here knows is taken for such a plan.
 */
final class MixedRows {
  /** Each of their rows comes from one row below, or from one of several tables. */
  private static final List<Class<?>> ROW_BY_ROW =
      List.of(
          Project.class,
          Filter.class,
          Join.class,
          Union.class,
          Generate.class,
          Expand.class,
          Sort.class,
          RepartitionOperation.class,
          RebalancePartitions.class,
          SubqueryAlias.class,
          View.class,
          ResolvedHint.class,
          CollectMetrics.class,
          SerializeFromObject.class,
          DeserializeToObject.class,
          MapElements.class,
          TypedFilter.class);

  private static final Set<Integer> BY_BATCHES =
      Set.of(
          PythonEvalType.SQL_SCALAR_PANDAS_UDF(),
          PythonEvalType.SQL_SCALAR_PANDAS_ITER_UDF(),
          PythonEvalType.SQL_SCALAR_ARROW_UDF(),
          PythonEvalType.SQL_SCALAR_ARROW_ITER_UDF());

  private final String column;
  private final Map<Long, LogicalPlan> named = new HashMap<>();
  private final List<Table> tables = new ArrayList<>();
  private String found;

  private MixedRows(String column) {
    this.column = column;
  }

  /**
   * A place where a plan reads a table.
   *
   * @param rows what tells its rows from those of other tables
   * @param columns their names in lower case
   * @param unit the column that the frame's unit comes from; empty where none is known
   */
  private record Table(Set<?> rows, Set<String> columns, Optional<String> unit) {
    boolean mayShareRows(Table other) {
      return !Collections.disjoint(rows, other.rows);
    }
  }

  /**
   * What in a plan depends on rows of other units; empty for nothing.
   *
   * @param column the frame's column that says whose a row is
   */
  static Optional<String> in(LogicalPlan plan, String column) {
    MixedRows search = new MixedRows(column);
    Set<ExprId> unit = new HashSet<>();
    list(plan.output()).stream()
        .filter(each -> each.name().equals(column) && isExact(each.dataType()))
        .forEach(each -> unit.add(each.exprId()));
    search.look(plan, unit, Set.of());
    if (search.found == null && search.meet()) {
      search.found = "a plan in which rows of several units meet, by a join or a subquery";
    }
    return Optional.ofNullable(search.found);
  }

  /**
   * Looks at a plan and at all below it.
   *
   * @param unit columns of its rows, each of which decides whose a row is
   * @param outer such columns of the plan that this one is a subquery of
   */
  private void look(LogicalPlan plan, Set<ExprId> unit, Set<ExprId> outer) {
    if (plan instanceof WithCTE with) {
      list(with.cteDefs()).forEach(each -> named.put(each.id(), each.child()));
      look(with.plan(), unit, outer);
    } else if (plan instanceof CTERelationRef reference) {
      LogicalPlan meant = named.get(reference.cteId());
      if (meant == null) {
        refuse(plan);
      } else {
        look(meant, moved(plan, unit, meant), Set.of());
      }
    } else if (plan instanceof CTERelationDef definition) {
      look(definition.child(), unit, outer);
    } else if (plan.children().isEmpty()) {
      read(plan, unit);
    } else {
      Set<ExprId> below = below(plan, unit, outer);
      check(plan, below);
      Set<ExprId> known = new HashSet<>(unit);
      known.addAll(below);
      list(plan.expressions()).forEach(each -> subqueries(each, known));
      list(plan.expressions()).forEach(this::batches);
      boolean byPlace =
          plan instanceof Union || plan instanceof Except || plan instanceof Intersect;
      list(plan.children())
          .forEach(each -> look(each, byPlace ? moved(plan, unit, each) : below, outer));
    }
  }

  /** What the columns in the same places of another plan are. */
  private static Set<ExprId> moved(LogicalPlan from, Set<ExprId> unit, LogicalPlan to) {
    Set<ExprId> moved = new HashSet<>();
    for (int i = 0; i < from.output().size(); i++) {
      Attribute there = to.output().apply(i);
      if (unit.contains(from.output().apply(i).exprId()) && isExact(there.dataType())) {
        moved.add(there.exprId());
      }
    }
    return moved;
  }

  /** What the unit's columns are called below a plan. */
  private Set<ExprId> below(LogicalPlan plan, Set<ExprId> unit, Set<ExprId> outer) {
    Set<ExprId> below = new HashSet<>(unit);
    if (plan instanceof Project some) {
      list(some.projectList()).forEach(each -> rename(each, false, below));
    } else if (plan instanceof Aggregate sums) {
      list(sums.aggregateExpressions()).forEach(each -> rename(each, true, below));
    } else if (plan instanceof Filter some) {
      equate(some.condition(), below, outer);
    } else if (plan instanceof Join join && join.condition().isDefined()) {
      equate(join.condition().get(), below, outer);
    }
    return below;
  }

  private static void rename(NamedExpression column, boolean plain, Set<ExprId> below) {
    if (column instanceof Alias alias && below.contains(alias.exprId())) {
      Expression of = alias.child();
      if (!plain && of instanceof Coalesce first) {
        // As joins have it that keep what stands on one side alone.
        of = first.children().head();
      }
      Optional<AttributeReference> origin = plain ? attribute(of) : origin(of);
      origin.ifPresent(each -> below.add(each.exprId()));
    }
  }

  /** Columns that a condition says are equal. */
  private static void equate(Expression condition, Set<ExprId> unit, Set<ExprId> outer) {
    List<Expression> parts = new ArrayList<>();
    parts(condition, parts);
    for (int before = -1; before < unit.size(); ) {
      before = unit.size();
      for (Expression each : parts) {
        if (each instanceof EqualTo || each instanceof EqualNullSafe) {
          Expression left = each.children().head();
          Expression right = each.children().last();
          equate(left, right, unit, outer);
          equate(right, left, unit, outer);
        }
      }
    }
  }

  private static void parts(Expression condition, List<Expression> to) {
    if (condition instanceof And) {
      list(condition.children()).forEach(each -> parts(each, to));
    } else {
      to.add(condition);
    }
  }

  private static void equate(
      Expression known, Expression other, Set<ExprId> unit, Set<ExprId> outer) {
    boolean isUnit =
        isOuter(known, outer)
            || attribute(known).filter(each -> unit.contains(each.exprId())).isPresent();
    if (isUnit) {
      origin(other).ifPresent(each -> unit.add(each.exprId()));
    }
  }

  private static boolean isOuter(Expression expression, Set<ExprId> outer) {
    Expression inner = withoutCasts(expression);
    return inner instanceof OuterReference column && outer.contains(column.exprId());
  }

  /** The column that alone decides a value; the value may be less exact than it. */
  private static Optional<AttributeReference> origin(Expression expression) {
    List<Attribute> columns =
        List.copyOf(CollectionConverters.asJavaCollection(expression.references().toSeq()));
    return columns.size() == 1
            && columns.get(0) instanceof AttributeReference only
            && isExact(only.dataType())
            && expression.deterministic()
            && !hasSubquery(expression)
        ? Optional.of(only)
        : Optional.empty();
  }

  /** The column that a value is, in a type that tells as many values apart. */
  private static Optional<AttributeReference> attribute(Expression expression) {
    return withoutCasts(expression) instanceof AttributeReference column
            && isExact(column.dataType())
        ? Optional.of(column)
        : Optional.empty();
  }

  private static Expression withoutCasts(Expression expression) {
    return expression instanceof Cast cast && keepsApart(cast.child().dataType(), cast.dataType())
        ? withoutCasts(cast.child())
        : expression;
  }

  private static boolean keepsApart(DataType from, DataType to) {
    return isExact(to)
        && (from.equals(to)
            || from instanceof IntegralType
                && (to instanceof IntegralType
                    || to instanceof DecimalType
                    || to instanceof StringType)
                && Cast.canUpCast(from, to));
  }

  /** Texts may be compared without regard to capitals; then two people are one. */
  private static boolean isExact(DataType type) {
    return !(type instanceof StringType text) || text.supportsBinaryEquality();
  }

  private static boolean hasSubquery(Expression expression) {
    return expression instanceof PlanExpression
        || list(expression.children()).stream().anyMatch(MixedRows::hasSubquery);
  }

  /** Refuses what does not keep rows of units apart. */
  private void check(LogicalPlan plan, Set<ExprId> unit) {
    if (plan instanceof Window over) {
      require(has(over.partitionSpec(), unit), "a plan with a window over rows of several units");
    } else if (plan instanceof Aggregate sums) {
      require(
          has(sums.groupingExpressions(), unit), "a plan that puts rows of several units together");
    } else if (plan instanceof Generate rows && rows.generator() instanceof UserDefinedExpression) {
      refuse(plan);
    } else if (plan instanceof Expand expand) {
      require(keeps(expand, unit), "a plan that puts rows of several units together");
    } else if (plan instanceof Distinct
        || plan instanceof Deduplicate
        || plan instanceof Except
        || plan instanceof Intersect) {
      // Equal rows are of one unit, unless what is not equal passes for it.
      require(
          list(plan.output()).stream().allMatch(each -> isExact(each.dataType())),
          "a plan that compares texts otherwise than letter by letter");
    } else if (!(plan instanceof MapPartitions rows && rows.func() instanceof RowByRow)
        && ROW_BY_ROW.stream().noneMatch(each -> each.isInstance(plan))) {
      refuse(plan);
    }
  }

  private void refuse(LogicalPlan plan) {
    require(
        false,
        "a plan with "
            + plan.nodeName()
            + ", of which Spark does not tell what rows it puts together");
  }

  private void require(boolean holds, String otherwise) {
    if (!holds && found == null) {
      found = otherwise;
    }
  }

  /** Whether rows are put together, or apart, by the unit among others. */
  private static boolean has(Seq<Expression> by, Set<ExprId> unit) {
    return list(by).stream()
        .anyMatch(
            each -> attribute(each).filter(column -> unit.contains(column.exprId())).isPresent());
  }

  /** Sums over several groupings have rows of a grouping without the unit. */
  private static boolean keeps(Expand expand, Set<ExprId> unit) {
    for (int i = 0; i < expand.output().size(); i++) {
      ExprId made = expand.output().apply(i).exprId();
      int place = i;
      boolean isBelow =
          list(expand.child().output()).stream().anyMatch(each -> each.exprId().equals(made));
      if (unit.contains(made) && !isBelow) {
        Set<Optional<ExprId>> origins =
            list(expand.projections()).stream()
                .map(each -> attribute(each.apply(place)).map(AttributeReference::exprId))
                .collect(Collectors.toSet());
        if (origins.size() != 1 || origins.contains(Optional.<ExprId>empty())) {
          return false;
        }
        unit.addAll(origins.iterator().next().stream().toList());
      }
    }
    return true;
  }

  private void subqueries(Expression expression, Set<ExprId> known) {
    if (expression instanceof InSubquery in) {
      LogicalPlan asked = in.query().plan();
      Set<ExprId> unit = new HashSet<>();
      for (int i = 0; i < in.values().size(); i++) {
        Attribute there = asked.output().apply(i);
        if (has(one(in.values().apply(i)), known) && isExact(there.dataType())) {
          unit.add(there.exprId());
        }
      }
      look(asked, unit, known);
      list(in.values()).forEach(each -> subqueries(each, known));
    } else if (expression instanceof PlanExpression<?> part
        && part.plan() instanceof LogicalPlan asked) {
      look(asked, Set.of(), known);
    } else {
      list(expression.children()).forEach(each -> subqueries(each, known));
    }
  }

  /** Functions of Python's that are given columns of many rows. */
  private void batches(Expression expression) {
    require(
        !(expression instanceof PythonUDF function && BY_BATCHES.contains(function.evalType())),
        "a plan with a function that is given rows of several units, " + expression.prettyName());
    list(expression.children()).forEach(this::batches);
  }

  private static Seq<Expression> one(Expression expression) {
    return CollectionConverters.asScala(List.of(expression)).toSeq();
  }

  private void read(LogicalPlan table, Set<ExprId> unit) {
    List<Attribute> columns = list(table.output());
    require(
        columns.stream().noneMatch(each -> each.metadata().contains("__metadata_col")),
        "a plan with _metadata, which tells where in its file a row is");
    List<String> own =
        columns.stream().filter(each -> unit.contains(each.exprId())).map(Attribute::name).toList();
    require(own.size() < 2, "a plan with several columns that say whose a row is");
    boolean ofNobody = table instanceof OneRowRelation || table instanceof Range && own.isEmpty();
    if (!ofNobody) {
      tables.add(
          new Table(
              RowOrigins.of(table),
              columns.stream().map(each -> lower(each.name())).collect(Collectors.toSet()),
              own.stream().findFirst()));
    }
  }

  /** Whether rows come together of which nothing says that they are one unit's. */
  private boolean meet() {
    Set<String> names =
        tables.stream().flatMap(each -> each.unit.stream()).collect(Collectors.toSet());
    boolean known = !names.isEmpty();
    names.add(column);
    Set<String> anyCase = names.stream().map(MixedRows::lower).collect(Collectors.toSet());
    for (int i = 0; i < tables.size(); i++) {
      for (Table other : tables.subList(0, i)) {
        Table one = tables.get(i);
        boolean same = one.unit.equals(other.unit) && (one.unit.isPresent() || known);
        if (!same && one.mayShareRows(other)) {
          return true;
        }
      }
    }
    long unjoined =
        tables.stream()
            .filter(each -> each.unit.isEmpty() && !Collections.disjoint(each.columns, anyCase))
            .count();
    return unjoined > (known ? 0 : 1);
  }

  private static <T> List<T> list(scala.collection.Seq<T> all) {
    return CollectionConverters.asJava(all);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
