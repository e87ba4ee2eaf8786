package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.cells.CellAxis;
import dev.discreet.algorithms.cells.Measure;
import dev.discreet.algorithms.query.Bins;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.Query;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.model.CellNumber;
import dev.discreet.data.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plain questions about one column of a table, each answered by one private release. */
@Command(
    name = "query",
    description = "Answers questions about the rows of a table, privately.",
    subcommands = {
      QueryCommand.Count.class,
      QueryCommand.Sum.class,
      QueryCommand.Mean.class,
      QueryCommand.Variance.class,
      QueryCommand.Ratio.class,
      QueryCommand.Histogram.class,
      QueryCommand.Quantile.class,
      AskCommand.class
    },
    footerHeading = "%n",
    footer =
        "Example: discreet query mean --data data.csv --column income --bounds 0..200000 --epsilon 1")
public final class QueryCommand implements Runnable {
  private static final String BOUNDS = "--bounds";
  private static final String MOVED =
      "Least and greatest value, declared and not taken from the data; values beyond are moved to"
          + " them.";

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw Usage.verbMissing(spec);
  }

  static final class BoundsConverter implements ITypeConverter<ColumnBounds> {
    @Override
    public ColumnBounds convert(String text) {
      Column.Bounded bounds = Column.bounds(text);
      return new ColumnBounds(bounds.low(), bounds.high());
    }
  }

  static final class CategoriesConverter implements ITypeConverter<Column.Categories> {
    @Override
    public Column.Categories convert(String text) {
      return Column.categories(text);
    }
  }

  static final class EdgesConverter implements ITypeConverter<Bins.Edges> {
    @Override
    public Bins.Edges convert(String text) {
      List<Double> numbers = Arrays.stream(text.split(",", -1)).map(CellNumber::of).toList();
      Check.that(
          numbers.stream().noneMatch(n -> n.isNaN()),
          "edges",
          "rising numbers, as in 0,18,65,120",
          text);
      return new Bins.Edges(numbers);
    }
  }

  /** One question. */
  abstract static class Verb implements Callable<Integer> {
    @Mixin FrameOptions frame;

    @Mixin QueryOptions options;

    /** What is asked, by these options. */
    abstract Question question();

    @Override
    public final Integer call() throws IOException {
      Question question = question();
      return frame.ask(question.name(), List.of(question));
    }
  }

  @Command(
      name = "count",
      description = "How many rows have a value, or with --bounds a number between them.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Count extends Verb {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = "Only rows with a number from LOW to HIGH are counted.")
    private ColumnBounds bounds;

    @Override
    Question question() {
      Usage.needed(bounds != null && !options.hasColumn() ? List.of("--column NAME") : List.of());
      return options.count(frame, new Query.Count(Optional.ofNullable(bounds)));
    }
  }

  @Command(
      name = "sum",
      description = "The sum of a column.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Sum extends Verb {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = MOVED)
    private ColumnBounds bounds;

    @Override
    Question question() {
      RowNumber number = options.number(frame);
      ColumnBounds within = QueryOptions.bounds(bounds, number);
      return options.ofNumbers(
          frame, "sum", Optional.of(new Query.Sum(within)), new Measure.Sum(within), number);
    }
  }

  @Command(
      name = "mean",
      description = "The mean of a column.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Mean extends Verb {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = MOVED)
    private ColumnBounds bounds;

    @Override
    Question question() {
      RowNumber number = options.number(frame);
      ColumnBounds within = QueryOptions.bounds(bounds, number);
      return options.ofNumbers(
          frame, "mean", Optional.of(new Query.Mean(within)), new Measure.Mean(within), number);
    }
  }

  @Command(
      name = "variance",
      description = "The mean square of the distances of a column's numbers from their mean.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Variance extends Verb {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = MOVED)
    private ColumnBounds bounds;

    @Override
    Question question() {
      RowNumber number = options.number(frame);
      Measure variance = new Measure.Variance(QueryOptions.bounds(bounds, number));
      return options.ofNumbers(frame, "variance", Optional.empty(), variance, number);
    }
  }

  @Command(
      name = "ratio",
      description =
          "The sum of a column over that of another, or the share of the rows that meet a condition.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Ratio extends Verb {
    @Option(
        names = "--over",
        paramLabel = "COLUMN",
        description =
            "What is divided by, as in hours=0..60, of at least 0. The column itself is declared so"
                + " too.")
    private String over;

    @Option(
        names = "--that",
        paramLabel = "CONDITION",
        description =
            "In place of columns: the share of the rows that meet this condition, as in \"income >"
                + " 50000\". A row for which it cannot be decided does not count, neither above nor"
                + " below.")
    private String that;

    @Override
    Question question() {
      if ((that == null) == (over == null) || (over == null) == options.hasColumn()) {
        throw new IllegalArgumentException(
            "either --column NAME=LOW..HIGH with --over NAME=LOW..HIGH, or --that CONDITION is"
                + " needed");
      }
      if (that != null) {
        RowNumber met = RowNumber.met(that, QueryOptions.condition(frame, "that", that));
        return options.ratio(
            frame, that, new Measure.Mean(met.bounds().orElseThrow()), List.of(met));
      }
      RowNumber above = options.number(frame);
      RowNumber below = RowNumber.column(frame.declared(over), frame.marks());
      return options.ratio(
          frame,
          above.name() + " to " + below.name(),
          new Measure.Ratio(bounds(above), bounds(below)),
          List.of(above, below));
    }

    private static ColumnBounds bounds(RowNumber number) {
      Check.that(
          number.bounds().isPresent(),
          "column " + number.name() + " of a ratio",
          "declared with its bounds, as in " + number.name() + "=0..100",
          number.name());
      return number.bounds().get();
    }
  }

  @Command(
      name = "histogram",
      description = "How many rows are in each of the declared bins or categories.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Histogram extends Verb {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = "With --bins N: N bins of one width from LOW to HIGH.")
    private ColumnBounds bounds;

    @Option(
        names = "--bins",
        paramLabel = "N",
        converter = Quantity.BinCount.class,
        description = "How many bins the bounds are cut into.")
    private Long bins;

    @Option(
        names = "--edges",
        paramLabel = "A,B,C",
        converter = EdgesConverter.class,
        description = "Bins from A to B, from B to C and so on; the last has its upper end too.")
    private Bins.Edges edges;

    @Option(
        names = "--categories",
        paramLabel = "A|B|C",
        converter = CategoriesConverter.class,
        description = "Count these values, whatever they are; {1..9} are the integers from 1 to 9.")
    private Column.Categories categories;

    @Override
    Question question() {
      int ways = (edges == null ? 0 : 1) + (categories == null ? 0 : 1) + (bins == null ? 0 : 1);
      if (ways != 1 || (bounds == null) != (bins == null)) {
        throw new IllegalArgumentException(
            "one of --bins N with --bounds LOW..HIGH, --edges A,B,C or --categories A|B|C is"
                + " needed");
      }
      if (categories == null) {
        Bins.Edges all = edges != null ? edges : Bins.Edges.even(bounds, bins.intValue());
        RowNumber number = options.number(frame);
        return options.histogram(
            frame, number, all, AxisColumn.bins(number.name(), all, frame.marks()));
      }
      Column.Categories marked = categories.marked(frame.marks());
      String column = options.column();
      RowNumber number =
          RowNumber.of(column, Optional.empty(), cell -> place(marked, cell), String::isEmpty);
      return options.histogram(
          frame,
          number,
          new Bins.Categories(marked.names()),
          new AxisColumn(
              new CellAxis(column, marked.names()),
              cell -> marked.find(cell).orElse(-1),
              String::isEmpty));
    }

    private static double place(Column.Categories categories, String cell) {
      OptionalInt found = categories.find(cell);
      return found.isPresent() ? found.getAsInt() : Double.NaN;
    }
  }

  @Command(
      name = "quantile",
      description = "A value that a given share of the rows is below.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Quantile extends Verb {
    static final class Share implements ITypeConverter<Double> {
      @Override
      public Double convert(String text) {
        double share = CellNumber.of(text);
        Check.that(share > 0 && share < 1, "quantile", "in (0, 1)", text);
        return share;
      }
    }

    @Option(
        names = "--quantile",
        paramLabel = "Q",
        defaultValue = "0.5",
        converter = Share.class,
        description = "The share, in (0, 1). Default: ${DEFAULT-VALUE}, the median.")
    private double quantile;

    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = "Where to look; declared and not taken from the data.")
    private ColumnBounds bounds;

    @Option(
        names = "--candidates",
        paramLabel = "N",
        defaultValue = "" + Query.Quantile.CANDIDATES,
        converter = Quantity.Candidates.class,
        description =
            "How many values from LOW to HIGH are possible answers. Default: ${DEFAULT-VALUE}.")
    private long candidates;

    @Option(
        names = "--no-interval",
        description =
            "Spend all of epsilon on the value. Otherwise half of it buys the interval, which a"
                + " quantile does not have for nothing.")
    private boolean noInterval;

    @Override
    Question question() {
      OptionalDouble confidence =
          noInterval ? OptionalDouble.empty() : OptionalDouble.of(frame.confidence());
      RowNumber number = options.number(frame);
      return options.quantile(
          frame,
          new Query.Quantile(
              quantile, QueryOptions.bounds(bounds, number), (int) candidates, confidence),
          number);
    }
  }
}
