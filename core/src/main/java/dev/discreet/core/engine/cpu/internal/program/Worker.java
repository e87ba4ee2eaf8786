package dev.discreet.core.engine.cpu.internal.program;

import dev.discreet.core.engine.DrawnLot;
import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.layers.ParameterOp;
import dev.discreet.core.engine.cpu.internal.layers.RandomDirections;
import dev.discreet.core.engine.cpu.internal.layers.SpreadSums;
import dev.discreet.core.engine.cpu.internal.layers.StepWeights;
import dev.discreet.core.engine.cpu.internal.layers.TileContext;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Layout.Slice;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Units;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One thread's part of a step: takes chunks of the lot, one after another, and adds their sums to
 * its integers.
 */
public final class Worker {
  private final Kernels kernels;
  private final Layout layout;
  private final UnitRule rule;
  private final Grid grid;
  private final TileProgram program;
  private final Slice[] slices;
  private final ParameterOp[] owner;
  private final int[] ordinal;

  /** The ops with parameters that are not all frozen. */
  private final List<ParameterOp> trainable;

  private final SpreadSums spread;

  // The chunk's sum so far, and all chunks' sums on the grid; both in order of the parameters. Null
  // until a chunk is summed here.
  private float[] sum;
  private int[] high;
  private int[] low;

  /** The row of the unit that comes first of those that are kept; −1 where none are. */
  private int firstRow = -1;

  // The rows of the present step.
  private ExampleReader reader;
  private Units units;

  /** Whether the sums may be other than 0. */
  private boolean used;

  /** A whole unit's gradient, for the units that need it written out. */
  private float[] whole;

  private final long[] choices;
  private final int[] ordinals;
  private final int[] rows;

  /** How many examples of each unit could be used, of those that are in the tile together. */
  private final int[] usable;

  private final float[][] factors;
  private final double[][] squares;
  private final double[] factorSums;

  /** For each group, units below its threshold less those above, since {@link #begin}. */
  public final long[] counts;

  /** Null where norms are exact. */
  private final NormEstimator estimator;

  /** How often a unit counted as zero, whole or in part. */
  public long refused;

  public Worker(
      Kernels kernels,
      StepWeights shared,
      SpreadSums spread,
      RandomDirections directions,
      Layout layout,
      UnitRule rule,
      int targets,
      Grid grid,
      int tile) {
    this.kernels = kernels;
    this.spread = spread;
    this.layout = layout;
    this.rule = rule;
    this.grid = grid;
    this.slices = layout.slices().toArray(Slice[]::new);
    List<String> frozen =
        IntStream.range(0, slices.length)
            .filter(s -> rule.group()[s] < 0)
            .mapToObj(s -> slices[s].name())
            .toList();
    this.program = new TileProgram(kernels, shared, layout, targets, tile, frozen);
    this.owner = new ParameterOp[slices.length];
    this.ordinal = new int[slices.length];
    for (ParameterOp op : program.withParameters) {
      for (int i = 0; i < op.slices.size(); i++) {
        int s = Arrays.asList(slices).indexOf(op.slices.get(i));
        owner[s] = op;
        ordinal[s] = i;
      }
    }
    this.trainable =
        program.withParameters.stream()
            .filter(op -> op.slices.stream().anyMatch(slice -> !frozen.contains(slice.name())))
            .toList();
    this.choices = new long[tile];
    this.ordinals = new int[tile];
    this.rows = new int[tile];
    this.usable = new int[tile];
    this.factors = new float[rule.groups()][tile];
    this.squares = new double[tile][rule.groups()];
    this.factorSums = new double[rule.groups()];
    this.counts = new long[rule.groups()];
    this.estimator =
        rule.clipping()
            .estimated()
            .map(estimated -> new NormEstimator(estimated, directions, trainable, tile))
            .orElse(null);
  }

  private double decay(int slice) {
    return rule.decayed()[slice] ? rule.decay() : 0;
  }

  /** Begins a step on these rows. */
  public void begin(Examples examples, Units units) {
    this.units = units;
    this.reader = new ExampleReader(layout, examples, rule.augmentation());
    this.firstRow = -1;
    if (used && sum != null) {
      // The last step failed on its way.
      Arrays.fill(sum, 0);
      Arrays.fill(high, 0);
      Arrays.fill(low, 0);
    }
    used = true;
    Arrays.fill(counts, 0);
  }

  /**
   * Adds the sums of the chunks since {@link #begin} to integers[from..to) and forgets them.
   *
   * @param places where each lies; null if in order
   */
  public void take(long[] integers, int from, int to, int[] places) {
    for (int i = from; high != null && i < to; i++) {
      int place = places == null ? i : places[i];
      integers[i] += ((long) high[place] << 16) + low[place];
      high[place] = 0;
      low[place] = 0;
    }
  }

  /**
   * From here on, what units add to layers with {@link SpreadSums} is kept there.
   *
   * @param unit the place in the lot of the unit that has the first row
   */
  public void keepRowsFrom(int unit) {
    firstRow = unit;
  }

  /** This thread's own. */
  public Kernels kernels() {
    return kernels;
  }

  /** How many units go through the network together. */
  public int tile() {
    return program.tile;
  }

  /** Keeps the rows of units {@code lot[from..to)}, at most a tile; nothing else is summed. */
  public void rows(StepRequest request, DrawnLot lot, int from, int to) {
    tile(request, lot, from, to);
  }

  /** Lets the data set of the step go. What was read of it last stays in buffers until the next. */
  public void forget() {
    reader = null;
    units = null;
  }

  /** Says that everything was taken. */
  public void end() {
    used = false;
  }

  /** Adds the chunk of units {@code lot[from..to)} to the integers. */
  public void chunk(StepRequest request, boolean materialise, DrawnLot lot, int from, int to) {
    if (from == to) {
      return;
    }
    if (sum == null) {
      sum = new float[layout.parameters() + Kernels.SLACK];
      high = new int[layout.parameters()];
      low = new int[layout.parameters()];
    }
    Arrays.fill(factorSums, 0);
    // How a unit is computed depends on itself alone: else one unit of several examples would move
    // the roundings of all others.
    int next;
    for (int i = from; i < to; i = next) {
      next = i;
      while (!materialise
          && next < Math.min(to, i + program.tile)
          && units.size(lot.units()[next]) <= 1) {
        next++;
      }
      if (next > i) {
        tile(request, lot, i, next);
      } else {
        next = written(request, materialise, lot, next, to);
      }
    }
    if (!materialise) {
      addDecay(request.parameters());
    }
    float scale = Math.scalb(1f, -grid.finer(rule.clipping(), request.thresholds()).exponent());
    for (int s = 0; s < slices.length; s++) {
      if (isSummedHere(s)) {
        kernels.drain(sum, slices[s].offset(), slices[s].end(), scale, high, low);
      }
    }
  }

  /** A tile of units that have one example each, or none. */
  private void tile(StepRequest request, DrawnLot lot, int from, int to) {
    int n = 0;
    for (int i = from; i < to; i++) {
      choices[n] = lot.choices()[i];
      ordinals[n] = 0;
      rows[n] = i - firstRow;
      // What cannot be used is not in the tile: the others' bits do not depend on who is.
      boolean one = units.size(lot.units()[i]) == 1;
      if (one && program.read(reader, units.example(lot.units()[i], 0), n)) {
        n++;
      } else {
        refused += one ? 1 : 0;
        if (firstRow >= 0) {
          spread.clear(rows[n]);
        }
      }
    }
    if (n == 0) {
      return;
    }
    pass(n);
    for (int e = 0; e < n; e++) {
      Arrays.fill(squares[e], 0);
      for (int s = 0; s < slices.length; s++) {
        if (rule.group()[s] >= 0) {
          squares[e][rule.group()[s]] +=
              owner[s].square(e, ordinal[s], decay(s), request.parameters());
        }
      }
    }
    if (estimator != null) {
      estimator.estimate(n, squares);
    }
    for (int e = 0; e < n; e++) {
      boolean finite = clip(squares[e], request.thresholds(), e);
      refused += finite ? 0 : 1;
      for (int g = 0; g < factorSums.length; g++) {
        factorSums[g] += factors[g][e];
      }
      if (!finite) {
        for (ParameterOp op : program.withParameters) {
          op.erase(e);
        }
      }
    }
    if (firstRow >= 0) {
      spread.keep(n, owner, rule.group(), factors, rows);
    }
    for (int s = 0; s < slices.length; s++) {
      if (isSummedHere(s)) {
        owner[s].accumulate(n, ordinal[s], factors[rule.group()[s]], sum);
      }
    }
  }

  private boolean isSummedHere(int slice) {
    return rule.group()[slice] >= 0 && (firstRow < 0 || !spread.has(slice));
  }

  /** Sets the factors of the example from the squared norms; false where one is not finite. */
  private boolean clip(double[] square, double[] thresholds, int e) {
    boolean finite = true;
    for (double each : square) {
      finite &= Double.isFinite(each);
    }
    for (int g = 0; g < square.length; g++) {
      double norm = Math.sqrt(square[g]);
      double threshold = thresholds[g] * Grid.SHRINK;
      double c =
          estimator == null
              ? rule.clipping().factor(norm, threshold)
              : estimator.factor(e, norm, threshold);
      factors[g][e] = below(finite ? c : 0);
      counts[g] += finite ? UnitRule.count(norm, threshold) : 0;
    }
    return finite;
  }

  /** Rounded towards 0: to the nearest, a factor that is no normal float could pass the bound. */
  private static float below(double c) {
    float rounded = (float) c;
    return rounded > c ? Math.nextDown(rounded) : rounded;
  }

  /** λΣcθ for the layers that could not add it example by example. */
  private void addDecay(float[] parameters) {
    for (int s = 0; s < slices.length; s++) {
      if (isSummedHere(s) && decay(s) > 0 && !owner[s].addsDecay()) {
        float share = (float) (decay(s) * factorSums[rule.group()[s]]);
        int at = slices[s].offset();
        kernels.addScaled(share, parameters, at, sum, at, slices[s].size());
      }
    }
  }

  /**
   * Units whose gradients are written out: they have several examples or views, or noise before
   * clipping. As many as fill a tile go through the network together.
   *
   * @param from the first of them; units that are not written out end them
   * @return the first after them
   */
  private int written(StepRequest request, boolean materialise, DrawnLot lot, int from, int to) {
    if (whole == null) {
      whole = new float[layout.parameters() + Kernels.SLACK];
    }
    if (rows(lot.units()[from]) > program.tile) {
      Arrays.fill(whole, 0);
      int usable = addExamples(lot.units()[from], lot.choices()[from]);
      add(request, lot.units()[from], lot.choices()[from], usable);
      return from + 1;
    }
    int n = 0;
    int end = from;
    while (end < to
        && n + rows(lot.units()[end]) <= program.tile
        && end - from < usable.length
        && (materialise || units.size(lot.units()[end]) > 1)) {
      int first = n;
      for (int i = 0; i < units.size(lot.units()[end]); i++) {
        n = read(lot.units()[end], lot.choices()[end], i, n);
      }
      usable[end - from] = (n - first) / rule.augmentation().views();
      end++;
    }
    if (n > 0) {
      pass(n);
    }
    int row = 0;
    for (int i = from; i < end; i++) {
      Arrays.fill(whole, 0);
      int past = row + usable[i - from] * rule.augmentation().views();
      addRows(row, past);
      row = past;
      add(request, lot.units()[i], lot.choices()[i], usable[i - from]);
    }
    return end;
  }

  /** How many rows of a tile a unit takes at most. */
  private long rows(int unit) {
    return (long) units.size(unit) * rule.augmentation().views();
  }

  /**
   * Reads one of a unit's examples, all its views.
   *
   * @param n rows that are in the tile already
   * @return rows that are then; as many where the example cannot be used
   */
  private int read(int unit, long choice, int i, int n) {
    if (!program.read(reader, units.example(unit, i), n)) {
      return n;
    }
    int views = rule.augmentation().views();
    for (int v = 0; v < views; v++) {
      place(choice, i, v, n + v);
    }
    return n + views;
  }

  private void place(long choice, int i, int view, int row) {
    if (view > 0) {
      program.view(reader, choice, i, view, row);
    }
    choices[row] = choice;
    ordinals[row] = i * rule.augmentation().views() + view;
  }

  private void addRows(int from, int to) {
    for (ParameterOp op : trainable) {
      op.addTo(from, to, whole);
    }
  }

  /** Clips what was written out and adds it. */
  private void add(StepRequest request, int unit, long choice, int usable) {
    boolean partly = usable < units.size(unit);
    if (usable == 0) {
      refused += partly ? 1 : 0;
      // Nothing, also where there is decay: a unit that is zeroed out must not differ from it.
      return;
    }
    int parts = (rule.averaged() ? units.size(unit) : 1) * rule.augmentation().views();
    if (parts > 1) {
      kernels.scale(1f / parts, whole, 0, layout.parameters());
    }
    Arrays.fill(squares[0], 0);
    SplittableRandom dice = request.noiseBeforeClipping() > 0 ? new SplittableRandom(choice) : null;
    for (int s = 0; s < slices.length; s++) {
      int at = slices[s].offset();
      int end = slices[s].end();
      if (rule.group()[s] >= 0) {
        if (decay(s) > 0) {
          kernels.addScaled(
              (float) decay(s), request.parameters(), at, whole, at, slices[s].size());
        }
        for (int i = at; dice != null && i < end; i++) {
          whole[i] += (float) (request.noiseBeforeClipping() * dice.nextGaussian());
        }
        squares[0][rule.group()[s]] += kernels.sumOfSquares(whole, at, end);
      }
    }
    boolean finite = clip(squares[0], request.thresholds(), 0);
    refused += partly || !finite ? 1 : 0;
    if (finite) {
      for (int s = 0; s < slices.length; s++) {
        if (rule.group()[s] >= 0) {
          int at = slices[s].offset();
          kernels.addScaled(factors[rule.group()[s]][0], whole, at, sum, at, slices[s].size());
        }
      }
    }
  }

  /** Adds the gradients of a unit's examples to the whole; how many could be used. */
  private int addExamples(int unit, long choice) {
    int found = 0;
    int n = 0;
    for (int i = 0; i < units.size(unit); i++) {
      if (!program.read(reader, units.example(unit, i), n)) {
        continue;
      }
      found++;
      for (int v = 0; v < rule.augmentation().views(); v++) {
        place(choice, i, v, n++);
        if (n == program.tile) {
          pass(n);
          addRows(0, n);
          n = 0;
        }
      }
    }
    if (n > 0) {
      pass(n);
      addRows(0, n);
    }
    return found;
  }

  /** Takes the examples that were read through the network and back. */
  private void pass(int n) {
    TileContext context = new TileContext(choices, ordinals);
    program.forward(n, context);
    for (int e = 0; e < n; e++) {
      program.loss(e);
    }
    program.backward(n, context);
  }
}
