package dev.discreet.core.train;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.AdaptiveClipping;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyPlan;
import java.nio.file.Path;

/** A seeded training that stops where it is told to, and waits there to be killed. */
public final class KilledTraining {
  static final PrivacyPlan PLAN =
      PrivacyPlan.noise(1)
          .lotSize(20)
          .steps(200)
          .clip(1)
          .adaptiveClipping(AdaptiveClipping.quantile(0.5))
          .build();

  private KilledTraining() {}

  /** With everything that a checkpoint has to remember. */
  static Trainer trainer() {
    return Trainer.of(Problems.LINEAR, PLAN)
        .learningRate(0.2)
        .optimizer(new Optimizer.Adam())
        .ema(0.9)
        .insecureSeed(3);
  }

  /**
   * @param args the folder for checkpoints, and how many steps to take
   */
  public static void main(String[] args) {
    long steps = Long.parseLong(args[1]);
    trainer()
        .checkpoints(Path.of(args[0]), 32)
        .budget(() -> new Waiting(steps))
        .train(Problems.classes(400, 1));
  }

  /** Waits before the charge of the next step. */
  private static final class Waiting implements Budget {
    private long left;

    Waiting(long steps) {
      this.left = steps;
    }

    @Override
    public String begin(Session session) {
      return "";
    }

    @Override
    public void reserve(LedgerFile planned, Ledger charged) {}

    @Override
    public void charge(Mechanism mechanism) {
      if (left == 0) {
        System.out.println("waiting");
        while (true) {
          try {
            Thread.sleep(1_000_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      left--;
    }

    @Override
    public void settle(Ledger charged) {}
  }
}
