package dev.discreet.examples;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.nio.file.Path;

/** Trains a network on images step by step, without a run file. */
public final class DigitImages {
  private DigitImages() {}

  /** Give it the folder that the model is saved to; it must not be there yet. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args.length > 0 ? args[0] : "digits");
    DataSet digits = DataSets.open("digits", DataOptions.none()); // generated: no download
    Examples rows = digits.train().examples();

    Network model = Network.parse("conv(8,5,stride=3) relu flatten dense(10)");
    PrivacyPlan plan = PrivacyPlan.target(3, 1e-6).lotSize(1_000).epochs(5).clip(0.5).build();
    Result result = Trainer.of(model, plan).learningRate(2).train(rows);

    System.out.println(result.privacy().statement());
    result.save(folder); // weights, model, ledger and statement
  }
}
