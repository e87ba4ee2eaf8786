package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.privacy.draws.KeyOdds;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.privacy.journal.SpentSoFar;
import dev.discreet.core.privacy.overtime.SharedNoise;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The one door through which anything computed from private data leaves. It writes the ledger
 * entry, then adds the noise, then returns. Noise is made nowhere else.
 *
 * <p><b>Formal guarantee.</b> {@link #ledger} covers everything that the session ever returned, and
 * the entry of each release was durable in the journal before the release was computed. A release
 * id is never used twice, in this session or in another on the same journal. Lots and noise are
 * functions of that id and of secret keys, which are drawn afresh for each session. The caller is
 * responsible for two things: that the stated sensitivities of values and scores are true, and that
 * a value released as sampled was computed from the lot that the sampler draws for {@link
 * #samplingKey} and that id.
 *
 * <p>Safe for use by several threads.
 *
 * <pre>{@code
 * try (PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE)) {
 *   Query mean = new Query.Mean(new ColumnBounds(0, 100));
 *   Answer answer = mean.ask(session, new Protection.Laplace(1), () -> column);
 *   Ledger ledger = session.ledger();
 * }
 * }</pre>
 */
@PublicApi
public final class PrivacySession implements AutoCloseable {
  /**
   * Noise is wider than accounted by this factor, which is more than rounded arithmetic can take
   * away.
   */
  private static final double WIDER = 1 + 0x1p-40;

  private final Journal journal;
  private final SamplingKey key;
  private final Noise noise;
  private final boolean isPrivate;
  private final String payer;
  private final Budget budget;
  // These three say which steps of shuffled epochs are paid for: those of this sampler, noise and
  // epoch.
  private Sampler paidSampler;
  private Mechanism paidMechanism;
  private long paidEpoch;
  // A run with noise over time: its plan, and the noise that its next step shares.
  private ResolvedPlan sharingPlan;
  private Noise.Shared sharing;

  private PrivacySession(Journal journal, Randomness randomness, boolean isPrivate, Budget budget) {
    this.journal = journal;
    this.budget = budget;
    this.key = randomness.samplingKey();
    this.noise = randomness.noise();
    this.isPrivate = isPrivate;
    Budget.Session asking =
        new Budget.Session(
            journal.neighbouring(),
            randomness.isSecure(),
            isPrivate,
            UUID.randomUUID().toString(),
            journal.sessions(),
            journal.identity());
    this.payer = budget.begin(asking);
    journal.start(asking.isSecure(), isPrivate, payer, asking.name());
  }

  /**
   * With a ledger in memory and secret keys.
   *
   * @param relation what neighbouring data sets are
   * @return a session without releases
   */
  public static PrivacySession open(Neighbouring relation) {
    return open(Journal.inMemory(relation), Randomness.secure());
  }

  /**
   * Continues where the journal ends. The session closes the journal.
   *
   * @param journal where releases are noted before they are made
   * @param randomness whose keys draw lots and noise
   * @return the session
   */
  public static PrivacySession open(Journal journal, Randomness randomness) {
    return open(journal, randomness, Budget.unlimited());
  }

  /**
   * As the other, with a budget that is asked before each release.
   *
   * @param journal where releases are noted before they are made
   * @param randomness whose keys draw lots and noise
   * @param budget what may refuse a release
   * @return the session
   */
  public static PrivacySession open(Journal journal, Randomness randomness, Budget budget) {
    return new PrivacySession(journal, randomness, true, budget);
  }

  /**
   * A session that also releases values without noise, at an infinite cost on the ledger.
   *
   * @param journal where releases are noted before they are made
   * @param randomness whose keys draw lots and noise
   * @return the session
   */
  public static PrivacySession nonPrivate(Journal journal, Randomness randomness) {
    return nonPrivate(journal, randomness, Budget.unlimited());
  }

  /**
   * As the other, with a budget that is asked before each release.
   *
   * @param journal where releases are noted before they are made
   * @param randomness whose keys draw lots and noise
   * @param budget what may refuse a release
   * @return the session
   */
  public static PrivacySession nonPrivate(Journal journal, Randomness randomness, Budget budget) {
    return new PrivacySession(journal, randomness, false, budget);
  }

  /**
   * The secret that draws this session's lots.
   *
   * @return the secret
   */
  public SamplingKey samplingKey() {
    return key;
  }

  /**
   * Releases a value that was computed without a lot, or from all units.
   *
   * @param mechanism what is charged
   * @param value what is released, with noise
   * @return the value with noise
   */
  public NoisyValue release(Mechanism mechanism, BoundedValue value) {
    return release(mechanism, id -> value);
  }

  /**
   * One release of a mechanism.
   *
   * @param mechanism what is charged, before the question is asked
   * @param question computes the value for a release id; the noise is added to the value's own
   *     integers
   * @return the value with noise
   */
  public NoisyValue release(Mechanism mechanism, LongFunction<? extends BoundedValue> question) {
    multipliers(noiseOf(mechanism));
    long id = charged(mechanism, 1);
    return noised(id, mechanism, question.apply(id), null);
  }

  /**
   * One choice by the exponential mechanism: charged, and then made.
   *
   * @param mechanism what is charged
   * @param question computes the scores for a release id
   * @return the candidate, with probability proportional to exp(ε·score/(2·sensitivity))
   */
  public int choose(Mechanism.Exponential mechanism, LongFunction<Scores> question) {
    Check.that(
        Double.isFinite(mechanism.epsilon()), "epsilon of a choice", "finite", mechanism.epsilon());
    return chooseEach(mechanism, 1, id -> Stream.of(question.apply(id)))[0];
  }

  /**
   * One choice by the exponential mechanism for each of several parts of the data. Neighbours
   * differ in few of them: as often is it charged, and then all are made.
   *
   * @param mechanism what is charged for each part that may differ
   * @param differ in how many parts neighbours can differ
   * @param question computes the scores of all parts, whose number no row decides
   * @return one candidate for each part
   */
  public int[] chooseEach(
      Mechanism.Exponential mechanism, long differ, LongFunction<Stream<Scores>> question) {
    Check.that(
        Double.isFinite(mechanism.epsilon()), "epsilon of a choice", "finite", mechanism.epsilon());
    Check.that(differ >= 1, "parts that differ", "at least 1", differ);
    long id = charged(mechanism, differ);
    return noise.choose(id, question.apply(id), mechanism.epsilon());
  }

  /**
   * Shows some of the keys that nobody declared: charged, and then drawn. A neighbour may differ in
   * no more keys than the odds say, by one unit each.
   *
   * @param odds by which keys are shown, and what that costs
   * @param question computes for a release id how many units have each key, in an order of the keys
   *     that no row decides
   * @return whether each key is shown
   */
  public boolean[] select(KeyOdds odds, LongFunction<long[]> question) {
    long id = charged(odds.mechanism(), 1);
    return noise.select(id, odds, question.apply(id));
  }

  /** Charges so many releases, and gives the id of the last. */
  private long charged(Mechanism mechanism, long times) {
    synchronized (journal) {
      long id = Math.addExact(journal.nextId(), times - 1);
      budget.charge(mechanism, times);
      journal.charge(mechanism, times, times, id);
      return id;
    }
  }

  /**
   * One step of a plan, with a new array for the noisy integers.
   *
   * @param plan what fixes the noise and the charge
   * @param step the step of the plan
   * @param question computes the value for a release id
   * @return the value with noise
   */
  public NoisyValue release(
      ResolvedPlan plan, long step, LongFunction<? extends BoundedValue> question) {
    return release(plan, step, question, null);
  }

  /**
   * One step of a plan. It is charged as the plan says, which may be for a whole epoch at once.
   *
   * @param plan what fixes the noise and the charge
   * @param step the step of the plan
   * @param question computes the value for a release id
   * @param to receives the noisy integers; the caller's own array, of the value's length
   * @return the value with noise
   */
  public NoisyValue release(
      ResolvedPlan plan, long step, LongFunction<? extends BoundedValue> question, long[] to) {
    Check.that(
        plan.neighbouring() == journal.neighbouring(),
        "neighbouring of the plan",
        "the session's, " + journal.neighbouring().label(),
        plan.neighbouring().label());
    Mechanism mechanism = plan.mechanism(step);
    multipliers(noiseOf(mechanism));
    if (plan.overTime().isPresent()) {
      return releaseOverTime(plan, plan.overTime().get(), step, mechanism, question, to);
    }
    Sampler sampler = plan.sampler();
    long together = sampler.stepsPerCharge();
    long id;
    synchronized (journal) {
      // The lots of an epoch have `together` consecutive ids, starting at a multiple of `together`.
      // Ids only rise, so none of these lots is drawn twice.
      id = journal.nextId();
      id += Math.floorMod(step - id, together);
      boolean paid =
          together > 1
              && sampler.equals(paidSampler)
              && mechanism.equals(paidMechanism)
              && id / together == paidEpoch;
      if (paid) {
        journal.use(id);
      } else {
        // A refusal of the budget leaves the journal as it is.
        budget.charge(mechanism);
        journal.charge(mechanism, 1, plan.equalCharges(step), id);
        paidSampler = sampler;
        paidMechanism = mechanism;
        paidEpoch = id / together;
      }
    }
    return noised(id, mechanism, question.apply(id), to);
  }

  /**
   * One step of a run whose steps share noise. The first step charges the whole run, and the others
   * follow it one by one: none is left out, repeated or taken after one that failed.
   */
  private NoisyValue releaseOverTime(
      ResolvedPlan plan,
      SharedNoise shared,
      long step,
      Mechanism mechanism,
      LongFunction<? extends BoundedValue> question,
      long[] to) {
    Noise.Shared running;
    long id;
    synchronized (journal) {
      boolean begins = step == 0 && sharing == null;
      Check.that(
          begins || sharing != null && plan.equals(sharingPlan) && step == sharing.next(),
          "step of a run with noise over time",
          sharing == null || sharing.next() >= plan.steps()
              ? "0, in a session that has not had such a run"
              : "the next one of its plan, " + sharing.next(),
          step);
      long free = journal.nextId();
      id = free + Math.floorMod(step - free, plan.sampler().stepsPerCharge());
      if (begins) {
        long charges = shared.charges();
        budget.charge(mechanism, charges);
        journal.charge(mechanism, charges, charges, id);
        sharingPlan = plan;
        sharing = noise.shared(shared, plan.steps());
      } else {
        journal.use(id);
      }
      running = sharing;
      running.begin();
    }
    return noised(id, mechanism, question.apply(id), to, running);
  }

  /**
   * Charges a step whose gradients are released without bound and noise, at an infinite cost on the
   * ledger. Only for a plan without noise, in a session that is non-private by name.
   *
   * @param plan a plan without noise
   * @param step the step of the plan
   */
  public void chargeUnprotected(ResolvedPlan plan, long step) {
    Check.that(!plan.isPrivate(), "plan of an unprotected step", "without noise", plan.noise());
    release(plan, step, id -> new Nothing(plan.groups()));
  }

  private record Nothing(int groups) implements BoundedValue {
    @Override
    public long[] integers() {
      return new long[0];
    }

    @Override
    public int exponent() {
      return 0;
    }

    @Override
    public int[] groupEnds() {
      return new int[groups];
    }

    @Override
    public double[] sensitivities() {
      return new double[groups];
    }
  }

  private NoisyValue noised(long id, Mechanism mechanism, BoundedValue value, long[] room) {
    return noised(id, mechanism, value, room, null);
  }

  /**
   * @param running the noise that steps share; null where each release has its own
   */
  private NoisyValue noised(
      long id, Mechanism mechanism, BoundedValue value, long[] room, Noise.Shared running) {
    Mechanism.AddedNoise added = noiseOf(mechanism);
    List<Double> multipliers = multipliers(added);
    Norm norm = norm(added);
    Check.that(
        value.norm() == norm,
        "norm of the value's sensitivities",
        norm + " for " + (norm == Norm.L1 ? "Laplace" : "Gaussian") + " noise",
        value.norm());
    int[] ends = value.groupEnds();
    double[] sensitivities = value.sensitivities();
    long[] integers = value.integers();
    Check.that(
        ends.length == multipliers.size() && sensitivities.length == ends.length,
        "groups of the value",
        "as many as noise multipliers, " + multipliers.size(),
        ends.length);
    for (int g = 0; g < ends.length; g++) {
      boolean last = g == ends.length - 1;
      Check.that(
          last ? ends[g] == integers.length : ends[g] >= 0 && ends[g] <= ends[g + 1],
          "ends of groups",
          "rising to the length, " + integers.length,
          ends[g]);
    }
    long[] to = room == null ? new long[integers.length] : room;
    Check.that(to != integers, "room for the value", "apart from it", "the same array");
    Check.that(
        to.length == integers.length,
        "room for the value",
        "of its length " + integers.length,
        to.length);
    if (multipliers.stream().allMatch(sigma -> sigma == 0)) {
      System.arraycopy(integers, 0, to, 0, to.length);
      return new NoisyValue(id, to, value.exponent(), sensitivities);
    }
    double[] deviations = new double[ends.length];
    for (int g = 0; g < ends.length; g++) {
      Check.that(
          sensitivities[g] > 0 && Double.isFinite(sensitivities[g]),
          "sensitivity",
          "finite and greater than 0",
          sensitivities[g]);
      deviations[g] = Math.scalb(WIDER * multipliers.get(g) * sensitivities[g], -value.exponent());
    }
    if (running != null) {
      running.add(id, integers, value.exponent(), ends, deviations, to);
      return new NoisyValue(id, to, value.exponent(), sensitivities);
    }
    if (norm == Norm.L1) {
      BigDecimal scale = new BigDecimal(multipliers.get(0));
      BigDecimal steps = new BigDecimal(Math.scalb(1.0, -value.exponent()));
      noise.addLaplace(
          id, integers, scale.multiply(new BigDecimal(sensitivities[0])).multiply(steps));
      System.arraycopy(integers, 0, to, 0, to.length);
    } else {
      // The value's own array will hold the next sum before that one gets its noise.
      noise.add(id, integers, ends, deviations, to);
    }
    return new NoisyValue(id, to, value.exponent(), sensitivities);
  }

  /** The noise that a mechanism adds, on a sample or on all. */
  private static Mechanism.AddedNoise noiseOf(Mechanism mechanism) {
    if (mechanism.unsampled() instanceof Mechanism.AddedNoise added) {
      return added;
    }
    throw new IllegalArgumentException(
        "mechanism of a release must be Gaussian or Laplace noise. Provided value: " + mechanism);
  }

  /** The norm to which the mechanism's noise is scaled. */
  private static Norm norm(Mechanism.AddedNoise added) {
    return switch (added.law()) {
      case GAUSSIAN -> Norm.L2;
      case LAPLACE -> Norm.L1;
    };
  }

  /** The noise multipliers; refused if this session cannot make such noise. */
  private List<Double> multipliers(Mechanism.AddedNoise added) {
    List<Double> multipliers = added.noiseScales();
    for (double sigma : multipliers) {
      Check.that(
          Double.isFinite(sigma) && (sigma > 0 || !isPrivate),
          "noise multiplier",
          "finite and greater than 0 (a run without noise is asked for by name: nonPrivate)",
          sigma);
    }
    return multipliers;
  }

  /**
   * What was released so far, including earlier sessions on the same journal. It is a promise only
   * where {@link #caveat} is empty.
   *
   * @return the ledger
   */
  public Ledger ledger() {
    synchronized (journal) {
      return journal.ledger();
    }
  }

  /**
   * Whether every key was secret, including those of earlier sessions on the same journal.
   *
   * @return false where someone could repeat the noise
   */
  public boolean isSecure() {
    return journal.isSecure();
  }

  /**
   * False where this session, or an earlier one on the same journal, is non-private by name.
   *
   * @return whether noise protects every release
   */
  public boolean isPrivate() {
    return journal.isPrivate();
  }

  /**
   * Says what is going to be charged in all, before the first of it: the budget sets it aside or
   * refuses it, and the journal states it from then on, as {@link Journal#intend} says.
   *
   * @param plan all the charges to come
   */
  public void intend(LedgerFile plan) {
    budget.reserve(plan, ledger());
    journal.intend(plan);
  }

  /**
   * Sets aside with the budget what this session alone is going to charge, or refuses it, before
   * the first release. The journal keeps no plan: other sessions may share it.
   *
   * @param plan all the charges of this session
   */
  public void reserve(LedgerFile plan) {
    budget.reserve(plan, Ledger.empty(plan.ledger().neighbouring()));
  }

  /**
   * Charges at once everything that other sessions are going to release, before the first of them
   * releases anything: a search pays so for all of its runs. Those sessions must be asked for no
   * budget of their own.
   *
   * @param plan everything that they may release
   */
  public void chargeElsewhere(LedgerFile plan) {
    intend(plan);
    plan.ledger().totals().forEach(budget::charge);
    journal.chargeElsewhere(plan.ledger());
  }

  /**
   * See {@link Journal#condition}.
   *
   * @param sentence what the promise depends on
   */
  public void condition(String sentence) {
    journal.condition(sentence);
  }

  /**
   * Records that values without noise are shown while the operator can still decide how to
   * continue.
   */
  public void watch() {
    journal.watch();
  }

  /**
   * Whether such values were shown, in this session or an earlier one on the same journal.
   *
   * @return whether someone may have seen private values
   */
  public boolean isWatched() {
    return journal.isWatched();
  }

  /**
   * What the journal's releases together may cost; empty where nobody fixed it beforehand.
   *
   * @return the budget of the journal
   */
  public Optional<PrivacyFilter> budget() {
    return journal.budget();
  }

  /**
   * What was spent so far, given that later releases may have been chosen by earlier ones.
   *
   * @param delta the δ at which the ledger is read where it has no budget
   * @return the cost, and what is left of a budget
   */
  public SpentSoFar spent(double delta) {
    return SpentSoFar.of(ledger(), budget(), false, delta);
  }

  /**
   * What every output of this session must say first; empty for a private run with secret keys.
   *
   * @return one line, or nothing
   */
  public String caveat() {
    return (isPrivate() ? "" : "NOT PRIVATE: this run was asked to add no noise. ")
        + (isSecure() ? "" : "INSECURE: lots and noise came from a seed that anyone can guess. ");
  }

  /** Gives what was reserved and not used back, to the journal and to the budget. */
  @Override
  public void close() {
    synchronized (journal) {
      if (journal.isClosed()) {
        return;
      }
      journal.close();
      // Whoever could stop a run by values that were never released may have told of them by that.
      budget.settle(journal.isWatched() ? journal.stated().ledger() : journal.ledger(payer));
    }
  }
}
