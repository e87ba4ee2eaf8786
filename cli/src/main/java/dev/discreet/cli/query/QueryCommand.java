package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
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
    description = "Answers one question about a column of a CSV file, privately.",
    subcommands = {
      QueryCommand.Count.class,
      QueryCommand.Sum.class,
      QueryCommand.Mean.class,
      QueryCommand.Histogram.class,
      QueryCommand.Quantile.class
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

  @Command(
      name = "count",
      description = "How many rows have a value, or with --bounds a number between them.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Count implements Callable<Integer> {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        converter = BoundsConverter.class,
        description = "Only rows with a number from LOW to HIGH are counted.")
    private ColumnBounds bounds;

    @Mixin private QueryOptions options;

    @Override
    public Integer call() throws IOException {
      Query query = new Query.Count(Optional.ofNullable(bounds));
      return bounds == null
          ? options.answer(query, "count", cell -> cell.isEmpty() ? Double.NaN : 0)
          : options.answer(query, "count");
    }
  }

  @Command(
      name = "sum",
      description = "The sum of a column.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Sum implements Callable<Integer> {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        required = true,
        converter = BoundsConverter.class,
        description = MOVED)
    private ColumnBounds bounds;

    @Mixin private QueryOptions options;

    @Override
    public Integer call() throws IOException {
      return options.answer(new Query.Sum(bounds), "sum");
    }
  }

  @Command(
      name = "mean",
      description = "The mean of a column.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Mean implements Callable<Integer> {
    @Option(
        names = BOUNDS,
        paramLabel = "LOW..HIGH",
        required = true,
        converter = BoundsConverter.class,
        description = MOVED)
    private ColumnBounds bounds;

    @Mixin private QueryOptions options;

    @Override
    public Integer call() throws IOException {
      return options.answer(new Query.Mean(bounds), "mean");
    }
  }

  @Command(
      name = "histogram",
      description = "How many rows are in each of the declared bins or categories.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Histogram implements Callable<Integer> {
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

    @Mixin private QueryOptions options;

    @Override
    public Integer call() throws IOException {
      int ways = (edges == null ? 0 : 1) + (categories == null ? 0 : 1) + (bins == null ? 0 : 1);
      if (ways != 1 || (bounds == null) != (bins == null)) {
        throw new IllegalArgumentException(
            "one of --bins N with --bounds LOW..HIGH, --edges A,B,C or --categories A|B|C is"
                + " needed");
      }
      if (categories == null) {
        Bins.Edges all = edges != null ? edges : Bins.Edges.even(bounds, bins.intValue());
        return options.answer(new Query.Histogram(all), "histogram");
      }
      Column.Categories marked = categories.marked(options.marks());
      Query query = new Query.Histogram(new Bins.Categories(marked.names()));
      return options.answer(
          query,
          "histogram",
          cell -> {
            OptionalInt found = marked.find(cell);
            return found.isPresent() ? found.getAsInt() : Double.NaN;
          });
    }
  }

  @Command(
      name = "quantile",
      description = "A value that a given share of the rows is below.",
      abbreviateSynopsis = true,
      sortOptions = false,
      modelTransformer = SettingOptions.OfQuestion.class)
  static final class Quantile implements Callable<Integer> {
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
        required = true,
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

    @Mixin private QueryOptions options;

    @Override
    public Integer call() throws IOException {
      OptionalDouble confidence =
          noInterval ? OptionalDouble.empty() : OptionalDouble.of(options.confidence());
      return options.answer(
          new Query.Quantile(quantile, bounds, (int) candidates, confidence), "quantile");
    }
  }
}
