package dev.discreet.audit.game;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.audit.bound.ClaimedCurve;
import dev.discreet.audit.bound.EpsilonLowerBound;
import dev.discreet.audit.bound.GaussianFit;
import dev.discreet.audit.bound.ScoreSample;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Two neighbouring inputs and the code that is run on them.
 *
 * <p><b>Why the error rate holds</b>, for any plays that are independent, whatever the attacker
 * chose:
 *
 * <ul>
 *   <li>Looks are learned from the first fifth of the plays. To the others, which are independent
 *       of it, each look is a function that was fixed before.
 *   <li>Of these a quarter chooses the cut, its direction and the point of the claim, for one look
 *       and one question. To the other three quarters the event "the score is above the cut" was
 *       fixed before. So its counts are binomial, and Clopper and Pearson's two bounds are both
 *       right with the probability that was asked for. How well the choice was made enters the
 *       power alone.
 *   <li>Which look proves most is chosen by the plays that judge. That is paid for: every look gets
 *       an equal part of the error rate for the curve and another for the bound on ε, and all of
 *       them hold at once with the rate that is stated (Boole). Looks may depend on each other.
 *   <li>The bound on μ is shown and never judged by. It has the same part of its own for each look,
 *       and as a bound on μ it holds for any scores, since a score is a function of the release. To
 *       read it as ε needs a release that <em>is</em> Gaussian, in all of its bits.
 * </ul>
 *
 * @param name what the command calls it, in lower case
 * @param pair in what the two inputs differ, in words
 * @param gaussian whether what is shown is a sum with Gaussian noise, without a lot or an order
 *     that is drawn, so that a fit of μ means something
 * @param share how many plays it gets, relative to others: less where a play is slow
 * @param sides plays one side
 */
public record MechanismGame(String name, String pair, boolean gaussian, double share, Sides sides) {
  /** The δ at which claims are stated that have none of their own. */
  static final double DELTA = 1e-3;

  // The first fifth of the plays teaches the attacker what to look at.
  private static final int TEACHES = 5;

  private static final int LEAST_PLAYS = 100;

  /** Runs the code under audit. */
  @FunctionalInterface
  public interface Sides {
    /**
     * Plays one side some times, each independent of the others.
     *
     * @param with whether the person is in the data
     * @return one play or more
     */
    Plays play(boolean with);
  }

  /** Plays both sides, and judges them by the claim of the ledger that they wrote. */
  public GameResult play(int trials, double errorRate) {
    return play(trials, errorRate, Optional.empty());
  }

  /**
   * The same with another claim.
   *
   * @param trials plays of each side, before {@code share}
   * @param errorRate the chance that an honest claim is called violated, and that the bound is too
   *     large
   * @param claim what is claimed; empty for what the ledgers say
   */
  GameResult play(int trials, double errorRate, Optional<Ledger> claim) {
    Check.that(errorRate > 0 && errorRate < 0.5, "error rate", "in (0, 0.5)", errorRate);
    int plays = (int) Math.max(LEAST_PLAYS, Math.min(1 << 30, trials * share));
    List<Side> played =
        IntStream.range(0, 2).parallel().mapToObj(i -> Side.of(sides, i == 1, plays)).toList();
    Side without = played.get(0);
    Side with = played.get(1);
    // A ledger that told the two apart would be a leak of its own. One that differs from play to
    // play is no claim.
    boolean oneLedger = with.ledgers.equals(without.ledgers) && with.ledgers.size() == 1;
    Ledger ledger = claim.orElse(with.ledgers.iterator().next());
    PldAccountant accountant = new PldAccountant(1e-3);
    Guarantee pure = accountant.epsilon(ledger, 0);
    Guarantee stated = Double.isFinite(pure.epsilon()) ? pure : accountant.epsilon(ledger, DELTA);
    ClaimedCurve curve = ClaimedCurve.of(ledger);

    int taught = plays / TEACHES;
    List<Look> looks =
        Look.learned(with.plays.subList(0, taught), without.plays.subList(0, taught));
    List<Transcript> withLeft = with.plays.subList(taught, plays);
    List<Transcript> withoutLeft = without.plays.subList(taught, plays);
    // Half of the error rate for the curve and half for the bound, evenly over the looks.
    double each = errorRate / (2 * looks.size());
    boolean violated = !oneLedger;
    String seen = oneLedger ? "" : "ledger";
    double fitted = gaussian ? 0 : Double.NaN;
    EpsilonLowerBound best = null;
    for (Look look : looks) {
      ScoreSample scores = new ScoreSample(look.scores(withLeft), look.scores(withoutLeft));
      EpsilonLowerBound bound = EpsilonLowerBound.of(scores, stated.delta(), each);
      if (gaussian) {
        fitted = Math.max(fitted, GaussianFit.of(scores, each).epsilon(stated.delta()));
      }
      boolean refuted = curve.refutedBy(scores, each) || bound.epsilon() > stated.epsilon();
      if (best == null || bound.epsilon() > best.epsilon()) {
        best = bound;
        seen = violated ? seen : look.name();
      }
      if (refuted && !violated) {
        violated = true;
        seen = look.name();
      }
    }
    return new GameResult(
        name,
        pair,
        ledger.neighbouring(),
        plays,
        stated.epsilon(),
        stated.delta(),
        best.epsilon(),
        fitted,
        seen,
        errorRate,
        violated);
  }

  /** As many plays of one side as were asked for. */
  private record Side(List<Transcript> plays, Set<Ledger> ledgers) {
    static Side of(Sides sides, boolean with, int plays) {
      List<Transcript> all = new ArrayList<>();
      Set<Ledger> ledgers = new LinkedHashSet<>();
      while (all.size() < plays) {
        Plays some = sides.play(with);
        ledgers.add(some.ofOne());
        all.addAll(some.transcripts());
      }
      return new Side(all.subList(0, plays), ledgers);
    }
  }
}
