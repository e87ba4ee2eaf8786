package dev.discreet.audit.membership;

import dev.discreet.core.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A game that was played: the scores of the target and of its shadows.
 *
 * @param game who played, and by which recipe
 * @param target what is attacked
 * @param shadows what the attacker trained; empty where only the loss is looked at
 */
public record MembershipAudit(MembershipGame game, ModelScores target, List<ModelScores> shadows) {
  public MembershipAudit {
    shadows = List.copyOf(shadows);
  }

  /**
   * Trains what is not there yet.
   *
   * @param finished the model of a run; empty to train a target
   * @param shadows how many; 0 for none
   * @param journal has scores of earlier, and keeps new ones
   * @param progress hears a line after each model
   */
  public static MembershipAudit of(
      MembershipGame game,
      Optional<Model> finished,
      int shadows,
      ShadowJournal journal,
      Consumer<String> progress) {
    ModelScores target =
        finished.map(game::target).orElseGet(() -> journal.scores("target", game::target));
    List<ModelScores> scores = new ArrayList<>();
    long began = System.nanoTime();
    int trained = 0;
    for (int i = 0; i < shadows; i++) {
      int number = i;
      String name = "shadow-" + i;
      boolean known = journal.knows(name);
      scores.add(journal.scores(name, () -> game.shadow(number)));
      if (!known) {
        double each = (System.nanoTime() - began) * 1e-9 / ++trained;
        progress.accept(
            String.format(
                Locale.ROOT,
                "shadow %d of %d, %.1f s each, %.0f s left",
                i + 1,
                shadows,
                each,
                each * (shadows - 1 - i)));
      }
    }
    return new MembershipAudit(game, target, scores);
  }

  /**
   * What the attacks found out.
   *
   * @param errorRate the chance that the bound of one of them says too much
   */
  public List<MembershipAttack> attacks(double errorRate) {
    return MembershipAttack.all(game.task(), target, shadows, game.delta(), errorRate);
  }
}
