package dev.discreet.core.engine.cpu;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.ExampleReader;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepClock;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.layers.ForwardDirection;
import dev.discreet.core.engine.cpu.internal.layers.ParameterOp;
import dev.discreet.core.engine.cpu.internal.layers.StepWeights;
import dev.discreet.core.engine.cpu.internal.layers.Tangents;
import dev.discreet.core.engine.cpu.internal.layers.TileContext;
import dev.discreet.core.engine.cpu.internal.program.TileProgram;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.parallel.ThreadTeam;
import java.util.Arrays;
import java.util.List;

/**
 * Plain gradients and predictions on this machine's cores. Threads take every n-th tile, so sums
 * depend, in their last bits, on how many threads there are.
 */
final class CpuPublicGradients implements PublicGradients {
  private final Layout layout;
  private final Examples examples;
  private final Augmentation augmentation;
  private final int lanes;
  private final StepWeights shared;
  private final ThreadTeam team;
  private final TileProgram[] programs;
  private final float[][] sums;

  /** The nanoseconds that each thread worked on its tiles. */
  private final long[] busy;

  private StepClock clock = new StepClock();

  CpuPublicGradients(Cpu cpu, Layout layout, Examples examples, Augmentation augmentation) {
    this.layout = layout;
    this.examples = examples;
    this.augmentation = augmentation;
    this.lanes = cpu.kernels().lanes();
    this.shared = new StepWeights(layout, cpu.kernels().lanes());
    this.team = ThreadTeam.of(cpu.threads());
    int tile = cpu.tileFor(layout);
    this.programs = new TileProgram[team.size()];
    Arrays.setAll(
        programs,
        i -> new TileProgram(cpu.kernels(), shared, layout, examples.targets(), tile, List.of()));
    this.sums = new float[team.size()][];
    this.busy = new long[team.size()];
  }

  private interface TileTask {
    void run(int worker, TileProgram program, int from, int n);
  }

  /** Reads and runs forward every tile of those examples, then hands it over. */
  private void forEachTile(float[] parameters, int[] chosen, TileTask task) {
    forEachTile(
        parameters,
        chosen.length,
        (worker, program, from, n) -> {
          for (int e = 0; e < n; e++) {
            program.read(examples, chosen[from + e], e);
          }
        },
        task);
  }

  /** Reads and runs forward every tile of so many rows, then hands it over. */
  private void forEachTile(float[] parameters, int rows, TileTask reading, TileTask task) {
    shared.load(layout.check(parameters), false, team);
    clock.spent(StepPhase.WEIGHTS);
    team.run(
        worker -> {
          long began = System.nanoTime();
          TileProgram program = programs[worker];
          int step = program.tile * programs.length;
          for (int from = worker * program.tile; from < rows; from += step) {
            int n = Math.min(program.tile, rows - from);
            reading.run(worker, program, from, n);
            program.forward(n, TileContext.WHOLE);
            task.run(worker, program, from, n);
          }
          busy[worker] = System.nanoTime() - began;
        });
    clock.spent(StepPhase.GRADIENTS, busy);
  }

  private void backward(TileProgram program, int[] chosen, int from, int n) {
    for (int e = 0; e < n; e++) {
      program.loss(examples, chosen[from + e], e);
    }
    program.backward(n, TileContext.WHOLE);
  }

  @Override
  public void gradientSum(float[] parameters, int[] chosen, double[] sum) {
    clear();
    forEachTile(
        parameters,
        chosen,
        (worker, program, from, n) -> {
          backward(program, chosen, from, n);
          add(worker, program, n);
        });
    gather(1, sum);
  }

  @Override
  public void gradientSum(float[] parameters, int[] chosen, long[] choices, double[] sum) {
    int views = augmentation.views();
    ExampleReader[] readers = new ExampleReader[programs.length];
    Arrays.setAll(readers, i -> new ExampleReader(layout, examples, augmentation));
    clear();
    forEachTile(
        parameters,
        Math.multiplyExact(chosen.length, views),
        (worker, program, from, n) -> {
          for (int e = 0; e < n; e++) {
            int i = (from + e) / views;
            int view = (from + e) % views;
            if (e == 0 || view == 0) {
              Check.that(
                  program.read(readers[worker], chosen[i], e),
                  "public example",
                  "one that the network can use",
                  chosen[i]);
            }
            program.view(readers[worker], choices[i], 0, view, e);
          }
        },
        (worker, program, from, n) -> {
          for (int e = 0; e < n; e++) {
            program.loss(e);
          }
          program.backward(n, TileContext.WHOLE);
          add(worker, program, n);
        });
    gather(1.0 / views, sum);
  }

  private void clear() {
    team.run(
        worker -> {
          if (sums[worker] == null) {
            sums[worker] = new float[layout.parameters() + Kernels.SLACK];
          }
          Arrays.fill(sums[worker], 0);
        });
    clock.spent(StepPhase.GATHER);
  }

  private void add(int worker, TileProgram program, int n) {
    for (ParameterOp op : program.withParameters) {
      op.addTo(0, n, sums[worker]);
    }
  }

  private void gather(double factor, double[] sum) {
    team.run(
        worker -> {
          int end = (int) ((worker + 1L) * sum.length / sums.length);
          for (int i = (int) ((long) worker * sum.length / sums.length); i < end; i++) {
            sum[i] = 0;
            for (float[] each : sums) {
              sum[i] += each[i];
            }
            sum[i] *= factor;
          }
        });
    clock.spent(StepPhase.GATHER);
  }

  @Override
  public float[][] perExampleGradients(float[] parameters, int[] chosen) {
    float[][] rows = new float[chosen.length][];
    forEachTile(
        parameters,
        chosen,
        (worker, program, from, n) -> {
          backward(program, chosen, from, n);
          for (int e = 0; e < n; e++) {
            float[] row = new float[layout.parameters() + Kernels.SLACK];
            for (ParameterOp op : program.withParameters) {
              op.addTo(e, e + 1, row);
            }
            rows[from + e] = Arrays.copyOf(row, layout.parameters());
          }
        });
    return rows;
  }

  @Override
  public double[] directionalDerivatives(float[] parameters, int[] chosen, float[] v) {
    layout.check(v);
    shared.load(layout.check(parameters), false, team);
    ForwardDirection direction = new ForwardDirection(layout, lanes);
    direction.load(shared, v, team);
    Tangents[] tangents = new Tangents[programs.length];
    Arrays.setAll(tangents, i -> new Tangents(direction));
    double[] derivatives = new double[chosen.length];
    forEachTile(
        parameters,
        chosen,
        (worker, program, from, n) -> {
          for (int e = 0; e < n; e++) {
            program.loss(examples, chosen[from + e], e);
          }
          program.tangent(n, tangents[worker]);
          for (int e = 0; e < n; e++) {
            derivatives[from + e] = program.directional(tangents[worker], e);
          }
        });
    return derivatives;
  }

  @Override
  public float[] predict(float[] parameters, int[] chosen) {
    int outputs = layout.outputs();
    float[] all = new float[chosen.length * outputs];
    forEachTile(
        parameters,
        chosen,
        (worker, program, from, n) ->
            System.arraycopy(program.outputs(), 0, all, from * outputs, n * outputs));
    return all;
  }

  @Override
  public double loss(float[] parameters, int[] chosen) {
    double[] losses = new double[chosen.length];
    forEachTile(
        parameters,
        chosen,
        (worker, program, from, n) -> {
          for (int e = 0; e < n; e++) {
            losses[from + e] = program.loss(examples, chosen[from + e], e);
          }
        });
    return Arrays.stream(losses).sum() / chosen.length;
  }

  @Override
  public void timedBy(StepClock stepClock) {
    this.clock = stepClock;
  }

  @Override
  public void close() {
    team.close();
  }
}
