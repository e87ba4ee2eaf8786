package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import java.util.Set;

/**
 * What one session may spend on the people in its data. Whoever keeps the budget of a population
 * hands out one of these for each session, which asks it before it releases anything. A run that is
 * started again or resumed has a new session, and gets another one.
 *
 * <p>The order of calls is {@link #begin}, {@link #reserve} (at most once, before the first
 * release), {@link #charge} (before each release), {@link #settle} (at the end). After a crash
 * there was no settling: then what was reserved stays spent until somebody settles by the run's
 * journal, which is durable before each release whatever the budget does.
 *
 * <p>An implementation refuses by an {@link IllegalArgumentException}. What it throws out of {@code
 * reserve} or {@code charge}, of whatever type, keeps the release from being made.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(network, plan).budget(Budget::unlimited);
 * }</pre>
 */
@PublicApi
public interface Budget {

  /**
   * A session, as its budget hears of it.
   *
   * @param neighbouring what neighbouring data sets are to it
   * @param isSecure whether its keys are secret
   * @param isPrivate whether noise protects every release
   * @param name random, and kept in its journal
   * @param earlier the names of the sessions that wrote to the same journal before
   * @param journal tells the journal's file from its copies; empty where it is not in a file
   */
  record Session(
      Neighbouring neighbouring,
      boolean isSecure,
      boolean isPrivate,
      String name,
      Set<String> earlier,
      String journal) {
    /**
     * Copies.
     *
     * @param neighbouring what neighbouring data sets are to it
     * @param isSecure whether its keys are secret
     * @param isPrivate whether noise protects every release
     * @param name random
     * @param earlier the names of those before
     * @param journal tells the journal's file from its copies
     */
    public Session {
      earlier = Set.copyOf(earlier);
    }
  }

  /**
   * Hears first that a session goes on with a run that somebody has paid for, or refuses that. Only
   * who paid for the earlier parts may pay for the rest.
   *
   * @param payers what {@link #begin} gave for the earlier parts
   */
  default void goesOn(Set<String> payers) {
    Check.that(
        payers.isEmpty(),
        "budget of a run that goes on",
        "of whoever paid for it before",
        "none or another");
  }

  /**
   * Hears of the session before it does anything, or refuses it.
   *
   * @param session who asks
   * @return names this budget and the run in it, for the journal to keep: by that it can be told
   *     later whose journal it is; empty where the budget does not ask
   */
  String begin(Session session);

  /**
   * Sets aside what is going to be charged in all, or refuses it.
   *
   * @param planned with the relation, the unit and their public number, for which it is stated
   * @param charged what earlier parts of the same run have charged already; empty for a new run
   */
  void reserve(LedgerFile planned, Ledger charged);

  /**
   * Takes what one charge of a mechanism costs: out of what was reserved, or else out of what is
   * left; or refuses it. When this returns the charge is durable.
   *
   * @param mechanism what is going to be released
   */
  void charge(Mechanism mechanism);

  /**
   * The same for several charges of one mechanism at once.
   *
   * @param mechanism what is going to be released
   * @param times how often
   */
  default void charge(Mechanism mechanism, long times) {
    for (long i = 0; i < times; i++) {
      charge(mechanism);
    }
  }

  /**
   * Gives back what was reserved and will not be charged any more.
   *
   * @param charged everything that was charged, in earlier parts of the same run too
   */
  void settle(Ledger charged);

  /**
   * Allows everything: a run then spends what its plan states.
   *
   * @return a budget that refuses nothing
   */
  static Budget unlimited() {
    return Unlimited.INSTANCE;
  }

  /** The budget of those who keep none. */
  enum Unlimited implements Budget {
    /** The only one. */
    INSTANCE;

    @Override
    public String begin(Session session) {
      return "";
    }

    @Override
    public void reserve(LedgerFile planned, Ledger charged) {}

    @Override
    public void charge(Mechanism mechanism) {}

    @Override
    public void settle(Ledger charged) {}
  }
}
