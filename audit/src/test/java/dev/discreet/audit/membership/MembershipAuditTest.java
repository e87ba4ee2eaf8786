package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.bound.ScoreSample;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.files.DurableLines;
import dev.discreet.data.DataSet;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole audits of tiny models of rows whose labels can only be learnt by heart. */
class MembershipAuditTest {
  private static final int SHADOWS = 8;
  private static final double CERTAIN = 1e-6;

  // Guesses about one model that are judged so strictly prove nothing beside a larger one.
  private static final double DELTA = 1e-12;

  private static MembershipGame game(Recipe recipe) throws IOException {
    return game(recipe, RandomLabels.rows(1000));
  }

  private static MembershipGame game(Recipe recipe, DataSet data) throws IOException {
    MembershipRows rows = MembershipRows.halves(data, 600, 5);
    Recipe small =
        recipe
            .with("model", "dense(64) tanh dense(10)")
            .with("lot-size", "50")
            .with("epochs", "60");
    return MembershipGame.of(small, rows, 5, Preparation.QUIET);
  }

  private static Recipe nonPrivate() {
    return Recipe.of()
        .with("non-private", "true")
        .with("learning-rate", "0.5")
        .with("insecure-seed", "1");
  }

  private static List<MembershipAttack> attacks(MembershipGame game) {
    return MembershipAudit.of(game, Optional.empty(), SHADOWS, new ShadowJournal(), line -> {})
        .attacks(0.05);
  }

  @Test
  void whatAModelKnowsByHeartIsFoundOutByBothAttacks() throws IOException {
    MembershipGame game = game(nonPrivate());
    assertTrue(game.ledger().isEmpty() && game.cost().isEmpty());
    List<MembershipAttack> attacks = attacks(game);
    assertEquals(3, attacks.size());
    for (MembershipAttack attack : attacks) {
      assertTrue(attack.curve().area() > 0.9, attack.toString());
      assertTrue(attack.bound().epsilon() > 1, attack.toString());
    }
    // At few false alarms the loss is blind to who is easy anyway, and the ratio is not.
    assertTrue(attacks.get(1).curve().truePositiveRate(0.01) > 0.1, attacks.toString());
  }

  /** A false alarm has a probability of 10⁻⁶ at most, a sixth of it for each judgement. */
  @Test
  @Tag("statistical")
  void anHonestModelStaysUnderItsCertifiedCurve() throws IOException {
    MembershipGame game = game(Recipe.of().with("epsilon", "1"));
    Ledger ledger = game.ledger().orElseThrow();
    MembershipAudit audit =
        MembershipAudit.of(game, Optional.empty(), SHADOWS, new ShadowJournal(), line -> {});
    LikelihoodRatio ratio = new LikelihoodRatio(audit.shadows());
    float[] known = audit.target().statistics();
    boolean[] in = audit.target().in();
    List<double[]> all =
        List.of(
            RowStatistic.lossScores(game.task(), known), ratio.online(known), ratio.offline(known));
    ClaimedCurve curve = ClaimedCurve.of(ledger);
    double certified = certified(ledger);
    for (double[] scores : all) {
      assertFalse(curve.refutedBy(sample(scores, in), CERTAIN / 6));
      assertTrue(proven(scores, in) <= certified);
    }
  }

  private static double certified(Ledger ledger) {
    return new PldAccountant(1e-3).epsilon(ledger, DELTA).epsilon();
  }

  private static double proven(double[] scores, boolean[] in) {
    return CoinGuesses.bound(scores, in, DELTA, CERTAIN / 6).epsilon();
  }

  /** The test above can fail: a model that is not private refutes the same certificate. */
  @Test
  void aModelThatIsNotPrivateRefutesTheCertificateOfOneThatIs() throws IOException {
    Ledger ledger = game(Recipe.of().with("epsilon", "1")).ledger().orElseThrow();
    MembershipGame game = game(nonPrivate());
    ModelScores target = game.target();
    double[] scores = RowStatistic.lossScores(game.task(), target.statistics());
    assertTrue(ClaimedCurve.of(ledger).refutedBy(sample(scores, target.in()), CERTAIN / 6));
    double proven = proven(scores, target.in());
    assertTrue(proven > certified(ledger), proven + " and " + certified(ledger));
  }

  private static ScoreSample sample(double[] scores, boolean[] in) {
    double[][] sides = new double[2][];
    for (int side = 0; side < 2; side++) {
      boolean members = side == 0;
      sides[side] =
          IntStream.range(0, in.length)
              .filter(i -> in[i] == members)
              .mapToDouble(i -> scores[i])
              .toArray();
    }
    return new ScoreSample(sides[0], sides[1]);
  }

  @Test
  void anAuditThatWasKilledGoesOn(@TempDir Path folder) throws IOException {
    MembershipGame game = game(nonPrivate());
    String notice = MembershipGame.NOTICE;
    List<String> lines = new ArrayList<>();
    MembershipAudit first;
    try (ShadowJournal journal = new ShadowJournal(folder, notice, game.digest())) {
      first = MembershipAudit.of(game, Optional.empty(), 4, journal, lines::add);
    }
    assertEquals(4, lines.size());
    // A kill in the middle of a line leaves a part of it.
    Path file = folder.resolve(ShadowJournal.FILE);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 100));
    lines.clear();
    MembershipAudit again;
    try (ShadowJournal journal = new ShadowJournal(folder, notice, game.digest())) {
      again = MembershipAudit.of(game, Optional.empty(), 6, journal, lines::add);
    }
    // The fourth was lost, and two are new. A run with a seed repeats to the bit.
    assertEquals(3, lines.size(), lines.toString());
    assertArrayEquals(first.target().statistics(), again.target().statistics());
    for (int i = 0; i < 4; i++) {
      assertArrayEquals(first.shadows().get(i).in(), again.shadows().get(i).in());
      assertArrayEquals(first.shadows().get(i).statistics(), again.shadows().get(i).statistics());
    }
    assertTrue(DurableLines.read(file).get(0).startsWith("OUTSIDE THE GUARANTEE: "));
    assertTrue(Files.readString(file).lines().findFirst().orElseThrow().contains(notice));
    MembershipGame other = game(nonPrivate().with("learning-rate", "0.25"));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ShadowJournal(folder, notice, other.digest()).close());
  }

  /** Else whoever knows all rows but one could try out what that one is. */
  @Test
  void whatIsKeptOfAGameConfirmsNoGuessOfARow() throws IOException {
    DataSet rows = RandomLabels.rows(1000);
    Examples examples = rows.train().examples();
    float[] inputs = new float[1000 * RandomLabels.COLUMNS];
    float[] labels = new float[1000];
    for (int i = 0; i < 1000; i++) {
      examples.input(i, inputs, i * RandomLabels.COLUMNS);
      examples.target(i, labels, i);
    }
    labels[999] = 9 - labels[999];
    Examples guessed = Examples.of(examples.input(), inputs, 1, labels);
    DataSet other =
        rows.with(new DataSet.Part(guessed, rows.train().units(), false), Optional.empty());
    assertEquals(game(nonPrivate(), rows).digest(), game(nonPrivate(), other).digest());
    // More rows are another game.
    assertNotEquals(
        game(nonPrivate(), rows).digest(), game(nonPrivate(), RandomLabels.rows(1001)).digest());
  }

  @Test
  void shadowsOfOneSeedHaveNoNoiseInCommon() throws IOException {
    MembershipGame game = game(Recipe.of().with("epsilon", "1").with("insecure-seed", "1"));
    // The second is trained with the others, so equal noise would show in none of these; the
    // repeated one must be the same, and the next pair another.
    assertArrayEquals(game.shadow(0).statistics(), game.shadow(0).statistics());
    double distance = 0;
    float[] one = game.shadow(0).statistics();
    float[] next = game.shadow(2).statistics();
    for (int i = 0; i < one.length; i++) {
      distance += Math.abs(one[i] - next[i]);
    }
    assertTrue(distance > 0.01 * one.length, "" + distance);
  }

  @Test
  void refusesARelationThatDoesNotProtectPresence() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> game(Recipe.of().with("epsilon", "1").with("neighbouring", "replace-one")));
    assertTrue(refused.getMessage().contains("add/remove"), refused.getMessage());
  }
}
