package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.algorithms.query.Answer;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.algorithms.query.WrittenNumber;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.recipe.setting.NumberText;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.spark.FrameRows;
import dev.discreet.spark.RowValues;
import dev.discreet.spark.SparkData;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * One question about a column of a frame: count, sum, mean, quantile or histogram. Executors add
 * up; noise is added to the sums, and the answer is one release.
 *
 * <pre>{@code
 * double median =
 *     new PrivateQuery()
 *         .setPrivacyUnitCol("patient")
 *         .setExamplesPerUnit(1)
 *         .setQuery("quantile")
 *         .setInputCol("age")
 *         .setBounds("0..120")
 *         .setEpsilon(0.5)
 *         .fit(org.apache.spark.sql.SparkSession.active().table("patients"))
 *         .value();
 * }</pre>
 */
@PublicApi
public final class PrivateQuery extends PrivateStage<PrivateQueryModel, PrivateQuery> {
  private static final long serialVersionUID = 1;
  private static final List<String> QUERIES =
      List.of("count", "sum", "mean", "quantile", "histogram");

  private final Param<String> query;
  private final Param<String> inputCol;
  private final Param<String> bounds;
  private final Param<String> quantile;
  private final Param<String> candidates;
  private final Param<String> bins;
  private final Param<String> edges;
  private final Param<String> categories;

  /** With a new name. */
  public PrivateQuery() {
    this(Identifiable$.MODULE$.randomUID("privateQuery"));
  }

  /**
   * With this name.
   *
   * @param uid which no other stage has
   */
  public PrivateQuery(String uid) {
    super(uid, SPENDING);
    query = text("query", "One of " + String.join(", ", QUERIES) + ".");
    inputCol = text("inputCol", "The column that is asked about.");
    bounds =
        text(
            "bounds",
            "Least and greatest value, declared, as in 0..120; values beyond are moved to them. Of"
                + " a count: only values between them count.");
    quantile = text("quantile", "The share of rows below the answer, in (0, 1).", "0.5");
    candidates =
        text(
            "candidates",
            "How many values between the bounds a quantile may be.",
            Integer.toString(Query.Quantile.CANDIDATES));
    bins = text("bins", "Of a histogram: how many bins of one width lie between the bounds.");
    edges = text("edges", "Of a histogram: rising edges of its bins, as in 0,18,65,120.");
    categories = text("categories", "Of a histogram of texts: its values, as in a|b|c.");
  }

  /**
   * What is asked: count, sum, mean, quantile or histogram.
   *
   * @param name the value to set
   * @return this stage
   */
  public PrivateQuery setQuery(String name) {
    Check.that(QUERIES.contains(name), "query", "one of " + String.join(", ", QUERIES), name);
    return with(query, name);
  }

  /**
   * The column that is asked about.
   *
   * @param column the value to set
   * @return this stage
   */
  public PrivateQuery setInputCol(String column) {
    return with(inputCol, column);
  }

  /**
   * Declares least and greatest value: {@code 0..120}.
   *
   * @param declared the value to set
   * @return this stage
   */
  public PrivateQuery setBounds(String declared) {
    Column.bounds(declared);
    return with(bounds, declared);
  }

  /**
   * The share of rows below the answer, in (0, 1).
   *
   * @param share the value to set
   * @return this stage
   */
  public PrivateQuery setQuantile(double share) {
    Check.that(share > 0 && share < 1, "quantile", "in (0, 1)", share);
    return with(quantile, dev.discreet.accounting.Digits.exact(share));
  }

  /**
   * How many values a quantile may be.
   *
   * @param number the value to set
   * @return this stage
   */
  public PrivateQuery setCandidates(int number) {
    return with(candidates, Integer.toString(number));
  }

  /**
   * How many bins of one width lie between the bounds.
   *
   * @param number the value to set
   * @return this stage
   */
  public PrivateQuery setBins(int number) {
    return with(bins, Integer.toString(number));
  }

  /**
   * Rising edges of bins: {@code 0,18,65,120}.
   *
   * @param rising the value to set
   * @return this stage
   */
  public PrivateQuery setEdges(String rising) {
    return with(edges, rising);
  }

  /**
   * The values of a histogram of texts: {@code a|b|c}.
   *
   * @param names the value to set
   * @return this stage
   */
  public PrivateQuery setCategories(String names) {
    return with(categories, names);
  }

  private String column() {
    return required(inputCol, "set to the column that is asked about");
  }

  private ColumnBounds declared() {
    Column.Bounded declared =
        Column.bounds(required(bounds, "declared, as in 0..120 (never read off the rows)"));
    return new ColumnBounds(declared.low(), declared.high());
  }

  private Query question() {
    return switch (required(query, "one of " + String.join(", ", QUERIES))) {
      case "count" -> new Query.Count(optional(bounds).map(any -> declared()));
      case "sum" -> new Query.Sum(declared());
      case "mean" -> new Query.Mean(declared());
      case "quantile" ->
          new Query.Quantile(
              CellNumber.of(getOrDefault(quantile)),
              declared(),
              NumberText.whole("candidates", 2, Integer.MAX_VALUE)
                  .apply(getOrDefault(candidates))
                  .intValue());
      default -> new Query.Histogram(histogram());
    };
  }

  private Bins histogram() {
    Optional<String> names = optional(categories);
    if (names.isPresent()) {
      return new Bins.Categories(Column.categories(names.get()).names());
    }
    Optional<String> rising = optional(edges);
    if (rising.isPresent()) {
      return new Bins.Edges(
          Arrays.stream(rising.get().split(",", -1)).map(CellNumber::of).toList());
    }
    String number =
        required(bins, "set, or edges or categories, which are never read off the rows");
    return Bins.Edges.even(
        declared(), NumberText.whole("bins", 1, Bins.MOST - 1).apply(number).intValue());
  }

  @Override
  StructType added(StructType schema) {
    checkThere(schema, column());
    numbers(schema.apply(column()).dataType(), question());
    return schema;
  }

  /** How a cell of this type is read; refuses one that is of no use for the question. */
  private RowValues numbers(DataType type, Query asked) {
    boolean anything = asked instanceof Query.Count count && count.bounds().isEmpty();
    Bins.Categories names =
        asked instanceof Query.Histogram counts && counts.bins() instanceof Bins.Categories each
            ? each
            : null;
    Check.that(
        anything
            || (names == null ? type instanceof NumericType : type.equals(DataTypes.StringType)),
        "column " + column(),
        names == null ? "of numbers" : "of texts",
        type.simpleString());
    return row -> {
      Object cell = row.get(1);
      if (cell == null) {
        return null;
      }
      double value =
          names != null
              ? names.number((String) cell)
              : cell instanceof Number number ? number.doubleValue() : 0;
      float[] example = new float[WrittenNumber.SIZE + 1];
      WrittenNumber.write(value, example, 0);
      return Double.isFinite(value) ? example : null;
    };
  }

  @Override
  PrivateQueryModel fitted(Dataset<Row> frame) {
    Query asked = question();
    PaidRelease paid = PaidRelease.of(this, "query " + getOrDefault(query));
    int rowsPerUnit = paid.rowsPerUnit();
    Protection protection = protection(paid.epsilon());
    paid.checkRoom(price -> asked.cost(protection(price), paid.relation()));
    SparkData rows =
        FrameRows.of(
            frame,
            unitColumn(),
            new String[] {column()},
            Shape.vector(WrittenNumber.SIZE),
            1,
            numbers(frame.schema().apply(column()).dataType(), asked));
    QueryColumn values = QueryColumn.ofData(rows, rowsPerUnit);
    Answer[] answer = new Answer[1];
    Privacy privacy =
        paid.spend(
            session -> {
              answer[0] = asked.ask(session, protection, () -> values);
              return paid.privacy(session, protection.delta());
            });
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("query", getOrDefault(query));
    fields.put("column", column());
    asked.match(
        number -> null, counts -> fields.put("bins", counts.bins().names()), choice -> null);
    fields.put("values", answer[0].values());
    answer[0].deviation().ifPresent(each -> fields.put("deviation", each));
    return new PrivateQueryModel(
        uid(), ReleasedFiles.of(PrivateQueryModel.FILE, fields, paid.told(privacy)));
  }

  /** Gaussian noise where somebody set a delta. */
  private Protection protection(double epsilon) {
    Optional<Double> delta = values().get(PrivacySettings.DELTA);
    return delta.isPresent()
        ? new Protection.Gaussian(epsilon, delta.get())
        : new Protection.Laplace(epsilon);
  }

  /** {@return what reads a saved stage} */
  public static MLReader<PrivateQuery> read() {
    return reader();
  }

  /**
   * Reads a saved stage.
   *
   * @param path where it was saved
   * @return the stage
   */
  public static PrivateQuery load(String path) {
    return read().load(path);
  }
}
