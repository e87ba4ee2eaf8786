package dev.discreet.core.train;

/** What a privacy statement says of things beside the steps: what else is in a model, and whose. */
final class Beside {
  private Beside() {}

  static String of(Trainer trainer, String unit) {
    StringBuilder text = new StringBuilder();
    if (trainer.transfer != null) {
      text.append(trainer.transfer.statement(unit));
    }
    if (trainer.first != null) {
      text.append(Paragraph.of(trainer.first.statement(unit)));
    }
    if (trainer.transform != null) {
      text.append(
          Paragraph.of(
              "Public examples: "
                  + trainer.transform.publicExamples().size()
                  + " examples declared public steer the steps after their release. They are not"
                  + " protected, and none of them is an example of this run's data."));
    }
    if (trainer.optimizer instanceof Optimizer.Langevin) {
      text.append(
          Paragraph.of(
              "Langevin: The optimizer adds noise from a public seed to what was released. It"
                  + " protects no one, and nothing above counts it."));
    }
    return text.toString();
  }
}
