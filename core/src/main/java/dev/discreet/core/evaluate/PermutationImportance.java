package dev.discreet.core.evaluate;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Loss;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How much worse a model does where one column of the rows is shuffled among them: what it goes by.
 * It depends on the rows as they are, so it may be released only where they are public.
 *
 * <p>A row with the column of another row is a pair, and what is asked for is the mean over all
 * pairs, less the mean over rows. A row has a part in it as the one that takes and as the one that
 * gives; the interval is that of the mean of both parts together (a U-statistic's projection).
 */
public final class PermutationImportance {
  private static final int SHUFFLES = 5;
  private static final int BATCH = 1000;

  private final Layout layout;
  private final float[] parameters;
  private final Examples rows;
  private final Errors errors;

  /**
   * Inputs that are one column of raw rows.
   *
   * @param from the first of them
   */
  public record Column(String name, int from, int width) {}

  /**
   * What a column is worth.
   *
   * @param worse by how much: accuracy falls, log loss or mean absolute error rises
   */
  public record Importance(String column, List<Metric> worse) {
    /** Copies the list. */
    public Importance {
      worse = List.copyOf(worse);
    }
  }

  /** How wrong each row is, in every way that is told. */
  private record Errors(Scoring how, Loss loss, LabelUnit label, List<Metric.Kind> kinds) {
    static Errors of(Layout layout, int targets, LabelUnit label) {
      Scoring how = Scoring.of(layout, targets);
      Loss trainedOn = layout.network().loss();
      Loss loss = trainedOn.with(trainedOn.balance().weighing());
      return new Errors(
          how,
          loss,
          label,
          how == Scoring.NUMBERS
              ? List.of(Metric.Kind.MAE)
              : Scoring.saysProbabilities(loss, layout.outputs())
                  ? List.of(Metric.Kind.ACCURACY, Metric.Kind.LOG_LOSS)
                  : List.of(Metric.Kind.ACCURACY));
    }

    double of(Metric.Kind kind, double[] output, double[] target) {
      return switch (kind) {
        case ACCURACY -> 1 - how.score(loss, output, target);
        case LOG_LOSS -> loss.value(output, target, new double[output.length]);
        default -> {
          double sum = 0;
          for (int i = 0; i < output.length; i++) {
            sum += Math.abs(output[i] - target[i]) / output.length;
          }
          yield label.width() * sum;
        }
      };
    }
  }

  /** Rows of which one column stands in another row's place. */
  private record Shuffled(Examples rows, Column column, int[] donors) implements Examples {
    @Override
    public int size() {
      return rows.size();
    }

    @Override
    public Shape input() {
      return rows.input();
    }

    @Override
    public int targets() {
      return rows.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      float[] donor = new float[rows.input().size()];
      rows.input(donors[example], donor, 0);
      rows.input(example, to, at);
      System.arraycopy(donor, column.from(), to, at + column.from(), column.width());
    }

    @Override
    public void target(int example, float[] to, int at) {
      rows.target(example, to, at);
    }
  }

  private PermutationImportance(Layout layout, float[] parameters, Examples rows, LabelUnit label) {
    Check.that(rows.size() >= 2, "rows to shuffle a column of", "at least 2", rows.size());
    this.layout = layout;
    this.parameters = parameters;
    this.rows = rows;
    this.errors = Errors.of(layout, rows.targets(), label);
  }

  /**
   * The same answer for the same rows.
   *
   * @param label what errors of a number are counted in
   * @return in the order of the columns
   */
  public static List<Importance> of(
      Engine engine,
      Layout layout,
      float[] parameters,
      Examples rows,
      List<Column> columns,
      LabelUnit label) {
    PermutationImportance asked = new PermutationImportance(layout, parameters, rows, label);
    double[][] before = asked.errors(engine, rows);
    SplittableRandom random = new SplittableRandom(0);
    List<Importance> all = new ArrayList<>();
    for (Column column : columns) {
      all.add(new Importance(column.name(), asked.worse(engine, column, before, random)));
    }
    return all;
  }

  private List<Metric> worse(
      Engine engine, Column column, double[][] before, SplittableRandom random) {
    int n = rows.size();
    // What each row adds: as the one that takes and as the one that gives, less what it was.
    double[][] parts = new double[before.length][n];
    double[] sums = new double[before.length];
    for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
      int[] donors = shuffled(n, random);
      double[][] after = errors(engine, new Shuffled(rows, column, donors));
      for (int k = 0; k < parts.length; k++) {
        for (int i = 0; i < n; i++) {
          double each = after[k][i] / SHUFFLES;
          parts[k][i] += each;
          parts[k][donors[i]] += each;
          sums[k] += each - before[k][i] / SHUFFLES;
        }
      }
    }
    List<Metric> worse = new ArrayList<>();
    for (int k = 0; k < parts.length; k++) {
      double mean = sums[k] / n;
      double error = Math.sqrt(variance(parts[k], before[k]) / n);
      NoisyScore.Range range = Intervals.normal(mean, error);
      Metric.Kind kind = errors.kinds().get(k);
      String unit = kind == Metric.Kind.MAE ? errors.label().name() : "";
      worse.add(new Metric(kind, mean, range.low(), range.high(), unit));
    }
    return worse;
  }

  private static double variance(double[] parts, double[] before) {
    int n = parts.length;
    double mean = 0;
    for (int i = 0; i < n; i++) {
      mean += (parts[i] - before[i]) / n;
    }
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double away = parts[i] - before[i] - mean;
      squares += away * away;
    }
    return squares / (n - 1);
  }

  private static int[] shuffled(int n, SplittableRandom random) {
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return order;
  }

  /** By kind and row. */
  private double[][] errors(Engine engine, Examples of) {
    int outputs = layout.outputs();
    double[][] all = new double[errors.kinds().size()][of.size()];
    float[] read = new float[of.targets()];
    double[] target = new double[read.length];
    double[] output = new double[outputs];
    try (PublicGradients gradients = engine.open(layout, of)) {
      for (int from = 0; from < of.size(); from += BATCH) {
        int start = from;
        int[] batch = new int[Math.min(BATCH, of.size() - from)];
        Arrays.setAll(batch, i -> start + i);
        float[] predicted = gradients.predict(parameters, batch);
        for (int i = 0; i < batch.length; i++) {
          int at = i * outputs;
          Arrays.setAll(output, j -> predicted[at + j]);
          of.target(batch[i], read, 0);
          Arrays.setAll(target, j -> read[j]);
          for (int k = 0; k < all.length; k++) {
            all[k][batch[i]] = errors.of(errors.kinds().get(k), output, target);
          }
        }
      }
    }
    return all;
  }
}
