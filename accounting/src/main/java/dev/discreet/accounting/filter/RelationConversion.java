package dev.discreet.accounting.filter;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.AddedNoise;
import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.MechanismVisitor;
import dev.discreet.accounting.Neighbouring;
import java.util.Optional;

/**
 * What a release that was made for neighbours of add/remove is for neighbours of another relation.
 *
 * <p>Noise on a sum, of all units or of a Poisson sample: a unit that is zeroed out leaves the sum
 * as if it were removed, and one that is replaced is removed and another added, which moves the sum
 * by twice the bound. The mechanism stays what it is, and the other relation says how far the sum
 * moves. For a stated guarantee, replacing is two steps between neighbours: (ε, δ) becomes (2ε, (1
 * + e^ε)δ). Everything else is not known to hold.
 */
public final class RelationConversion implements MechanismVisitor<Optional<Mechanism>> {
  private final Neighbouring to;

  private RelationConversion(Neighbouring to) {
    this.to = to;
  }

  /**
   * The same releases, read under another relation.
   *
   * @param ledger what was released
   * @param relation which data sets are to be neighbours
   * @return a ledger that bounds how far the releases tell neighbours of that relation apart;
   *     refused where no rule is known
   */
  public static Ledger of(Ledger ledger, Neighbouring relation) {
    if (ledger.neighbouring() != relation && relation == Neighbouring.REPLACE_ONE) {
      ledger
          .entries()
          .forEach(
              entry ->
                  Check.that(
                      entry.part().isEmpty(),
                      "part of a release that is read under replace-one",
                      "none (a replaced unit may go from one part to another)",
                      entry.part()));
    }
    return new Ledger(
        relation,
        ledger.entries().stream()
            .map(
                entry ->
                    new Ledger.Entry(
                        of(entry.mechanism(), ledger.neighbouring(), relation)
                            .orElseThrow(() -> refusal(entry, ledger.neighbouring(), relation)),
                        entry.count(),
                        entry.part()))
            .toList());
  }

  private static IllegalArgumentException refusal(
      Ledger.Entry entry, Neighbouring from, Neighbouring to) {
    return new IllegalArgumentException(
        "neighbouring must be "
            + to.label()
            + " (no rule turns this release into one of that relation). Provided value: "
            + from.label()
            + " for "
            + entry.mechanism());
  }

  private static Optional<Mechanism> of(Mechanism mechanism, Neighbouring from, Neighbouring to) {
    if (from == to) {
      return Optional.of(mechanism);
    }
    return from == Neighbouring.ADD_REMOVE
        ? mechanism.accept(new RelationConversion(to))
        : Optional.empty();
  }

  private Optional<Mechanism> stated(double epsilon, double delta) {
    if (to != Neighbouring.REPLACE_ONE) {
      return Optional.empty();
    }
    double twice = (1 + Math.exp(epsilon)) * delta;
    return Optional.of(
        delta == 0
            ? new PureDp(2 * epsilon)
            : new ApproximateDp(2 * epsilon, Math.min(1, twice * (1 + 1e-15))));
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.Gaussian mechanism) {
    return Optional.of(mechanism);
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.JointGaussian mechanism) {
    return Optional.of(mechanism);
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.EstimatedNormGaussian mechanism) {
    return Optional.of(mechanism);
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.Laplace mechanism) {
    return Optional.of(mechanism);
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.RandomizedResponse mechanism) {
    return Optional.empty();
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.Exponential mechanism) {
    return stated(mechanism.epsilon(), 0);
  }

  @Override
  public Optional<Mechanism> visit(PureDp mechanism) {
    return stated(mechanism.epsilon(), 0);
  }

  @Override
  public Optional<Mechanism> visit(ApproximateDp mechanism) {
    return stated(mechanism.epsilon(), mechanism.delta());
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.RenyiCurve mechanism) {
    return Optional.empty();
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.PoissonSampled mechanism) {
    return mechanism.inner() instanceof AddedNoise ? Optional.of(mechanism) : Optional.empty();
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.FixedSizeSampled mechanism) {
    return Optional.empty();
  }

  @Override
  public Optional<Mechanism> visit(Mechanism.BestOf mechanism) {
    return Optional.empty();
  }
}
