package dev.discreet.bench;

import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.RdpAccountant;
import dev.discreet.accounting.calibration.Calibration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an answer of the accountants takes, for noise multiplier 1.3, rate 0.01, 5,000 steps, delta
 * 1e-5.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
public class AccountingBenchmark {
  private static final double DELTA = 1e-5;

  private static Ledger ledger(double noiseMultiplier) {
    Mechanism step = new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(noiseMultiplier));
    return Ledger.of(Neighbouring.ADD_REMOVE, step, 5000);
  }

  @Benchmark
  public Guarantee pld() {
    return new PldAccountant().epsilon(ledger(1.3), DELTA);
  }

  @Benchmark
  public Guarantee rdp() {
    return new RdpAccountant().epsilon(ledger(1.3), DELTA);
  }

  @Benchmark
  public Calibration calibrate() {
    return Calibration.noiseMultiplier(
        new PldAccountant(), 2.68, DELTA, AccountingBenchmark::ledger);
  }
}
