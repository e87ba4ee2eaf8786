package dev.discreet.core.engine.cpu;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PartialSums;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.internal.features.MirroredFeatures;
import dev.discreet.core.engine.cpu.internal.features.StoredFeatures;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.ScalarKernels;
import dev.discreet.core.engine.cpu.internal.kernels.SimdKernels;
import dev.discreet.core.engine.cpu.internal.layers.ParameterForm;
import dev.discreet.core.engine.cpu.internal.layers.SpreadSums;
import dev.discreet.core.engine.cpu.internal.program.TileProgram;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import java.io.Serializable;
import java.util.List;

/**
 * The engine on this machine's cores. Threads and tile change the speed of a result, never the
 * result. Everyone else gets it by {@link Engine#named}.
 *
 * @param tile examples that go through the network together; 0 to let the network's size decide
 * @param vectors whether to use the Vector API
 * @param spread dense layers with so many weights are summed by all threads together ({@link
 *     SpreadSums}); 0 for those where that is faster
 */
public record Cpu(int threads, int tile, boolean vectors, int spread)
    implements Engine, Serializable {
  /**
   * Floats of a tile's buffers: three times what a core's second-level cache holds, because no
   * layer touches all of them, and larger tiles fill more blocks of products.
   */
  private static final int CACHE = 840_000;

  /**
   * A sum for each thread of fewer weights costs less than rows that are written and read again.
   */
  private static final int LARGE = 1 << 14;

  /**
   * Multiply-adds for which one more thread is worth waking: about 10 µs of work, where handing it
   * over takes 1 to 4.
   */
  private static final double WORTH_A_THREAD = 400_000;

  /** Floats of rows that are kept for such sums: 16 MiB. */
  private static final int ROOM = 1 << 22;

  public Cpu {
    Check.that(threads >= 1 && threads <= 1024, "threads", "in [1, 1024]", threads);
    Check.that(tile >= 0 && tile <= 4096, "tile", "in [0, 4096]", tile);
    Check.that(spread >= 0, "spread", "at least 0", spread);
  }

  public Cpu(int threads, int tile, boolean vectors) {
    this(threads, tile, vectors, 0);
  }

  /** Every core, and the Vector API where this Java has it. */
  public Cpu() {
    this(Runtime.getRuntime().availableProcessors(), 0, hasVectors());
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Cpu withThreads(int threads) {
    return new Cpu(threads, tile, vectors, spread);
  }

  /** Whether the module {@code jdk.incubator.vector} was added to this Java. */
  static boolean hasVectors() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }

  @Override
  public PrivateData features(Layout layout, PrivateData data, Augmentation augmentation) {
    return layout.afterFeatures() == layout
        ? data
        : seen(layout, LocalData.required(data, "the engine " + name()), augmentation);
  }

  @Override
  public boolean keepsFeatures() {
    return true;
  }

  private LocalData seen(Layout layout, LocalData data, Augmentation augmentation) {
    return isStored(data)
        ? data
        : PrivateData.of(features(layout, data.examples(), augmentation.hasViews()), data.units());
  }

  private static boolean isStored(LocalData data) {
    return data.examples() instanceof StoredFeatures || data.examples() instanceof MirroredFeatures;
  }

  @Override
  public GradientSource source(
      Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
    LocalData local = LocalData.required(data, "the engine " + name());
    // Some rows find out anew whose they are each time that they are asked.
    LocalData rows = PrivateData.of(local.examples(), local.units());
    Layout trained = layout.afterFeatures();
    rule.check(isStored(rows) ? trained : layout, rows);
    if (trained != layout) {
      rows = seen(layout, rows, rule.augmentation());
    }
    return new CpuGradientSource(
        new CpuPartialSums(this, this::kernels, trained, rule, rows.targets(), sampler, grid),
        rows);
  }

  @Override
  public PartialSums partialSums(
      Layout layout, UnitRule rule, int targets, Sampler sampler, Grid grid, int lanes) {
    Check.that(
        sampler.drawsEachByItself(),
        "sampler of units in several places",
        "one that draws each unit by itself: poisson, full-batch or cyclic",
        sampler.getClass().getSimpleName());
    boolean own = lanes() == lanes;
    return new CpuPartialSums(
        this,
        () -> own ? kernels() : new ScalarKernels(lanes),
        layout,
        rule,
        targets,
        sampler,
        grid);
  }

  @Override
  public int lanes() {
    return kernels().lanes();
  }

  /** Makes all. */
  @Override
  public void check(Augmentation augmentation) {}

  @Override
  public PublicGradients open(Layout layout, Examples examples) {
    return open(layout, examples, Augmentation.NONE);
  }

  @Override
  public PublicGradients open(Layout layout, Examples examples, Augmentation augmentation) {
    Check.that(
        examples.input().equals(layout.input()),
        "input of the examples",
        "the network's " + layout.input(),
        examples.input());
    augmentation.check(layout);
    Layout trained = layout.afterFeatures();
    return new CpuPublicGradients(
        this,
        trained,
        trained == layout ? examples : features(layout, examples, augmentation.hasViews()),
        augmentation);
  }

  private Examples features(Layout layout, Examples images, boolean mirrored) {
    return mirrored
        ? MirroredFeatures.of(layout, images, this::kernels, threads)
        : StoredFeatures.of(layout, images, this::kernels, threads);
  }

  /**
   * Enough that rounding a chunk costs a fiftieth of adding it up (about 0.4 ns a parameter against
   * 0.08 ns a multiply-add), few enough that cores share a lot evenly and sums round little.
   */
  @Override
  public double unitsPerChunk(Layout layout) {
    return Math.min(75, Math.max(8, 240.0 * layout.parameters() / products(layout.nodes())));
  }

  /** Multiply-adds of one example's forward pass. */
  private static double products(List<Layout.Node> nodes) {
    double sum = 0;
    for (Layout.Node node : nodes) {
      sum += ParameterForm.of(node).products(node) + products(node.body());
    }
    return sum;
  }

  Kernels kernels() {
    if (!hasVectors()) {
      MissingVectors.warnOnce();
    }
    // Where there are vectors, the plain twin adds up in as many lanes, and agrees to the bit.
    return vectors
        ? new SimdKernels()
        : new ScalarKernels(hasVectors() ? new SimdKernels().lanes() : 16);
  }

  /**
   * How many threads work on a step: fewer than there are where a lot is so small that the others
   * would only delay it. The expected lot is public, so this tells nothing of the drawn one.
   */
  int threadsFor(Layout layout, double expectedExamples) {
    // Forward, and back by inputs and by weights.
    double work = 3 * expectedExamples * products(layout.nodes());
    return tile > 0 ? threads : (int) Math.max(1, Math.min(threads, work / WORTH_A_THREAD));
  }

  /** Rows are kept for a few tiles where the tile was told. */
  SpreadSums spreadSums(Layout layout, UnitRule rule) {
    int large = spread > 0 ? spread : LARGE + 1;
    return new SpreadSums(layout, rule, large, tile > 0 ? 1000 * tile : ROOM, threads);
  }

  int tileFor(Layout layout) {
    if (tile > 0) {
      return tile;
    }
    // Without convolutions all work is in products with large matrices, and the more rows share a
    // reading of one the better.
    boolean dense =
        layout.allNodes().stream()
            .map(ParameterForm::of)
            .noneMatch(ParameterForm.CONVOLUTION::equals);
    int fits = CACHE / Math.max(1, TileProgram.footprint(layout));
    return dense ? 96 : Math.min(64, Math.max(1, fits));
  }
}
