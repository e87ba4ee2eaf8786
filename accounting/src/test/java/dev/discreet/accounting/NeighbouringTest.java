package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static dev.discreet.accounting.Neighbouring.REPLACE_ONE;
import static dev.discreet.accounting.Neighbouring.ZERO_OUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.statement.GroupPrivacy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * DESIGN.md rule 2: what each relation does to the sensitivity. Each of these fails when a factor
 * of two is lost. (That the sampled pairs have the right absolute size is held by {@link
 * PldFixturesTest}.)
 */
class NeighbouringTest {
  private static final double DELTA = 1e-5;

  /** Each accountant with each kind of additive noise. */
  static Stream<Arguments> additiveNoise() {
    return Accountants.all().stream()
        .flatMap(
            accountant ->
                Stream.of(
                    arguments(accountant, new Gaussian(8), new Gaussian(4)),
                    arguments(
                        accountant,
                        new JointGaussian(List.of(6.0, 9.0)),
                        new JointGaussian(List.of(3.0, 4.5))),
                    arguments(accountant, new Laplace(10), new Laplace(5)),
                    arguments(
                        accountant,
                        new PoissonSampled(1, new Gaussian(8)),
                        new PoissonSampled(1, new Gaussian(4)))));
  }

  @ParameterizedTest
  @MethodSource("additiveNoise")
  void replacingAUnitCostsWhatHalfTheNoiseCosts(
      Accountant accountant, Mechanism noise, Mechanism half) {
    double replaced = accountant.epsilon(Ledger.of(REPLACE_ONE, noise, 4), DELTA).epsilon();
    double removed = accountant.epsilon(Ledger.of(ADD_REMOVE, noise, 4), DELTA).epsilon();
    double halved = accountant.epsilon(Ledger.of(ADD_REMOVE, half, 4), DELTA).epsilon();
    Expect.relative(halved, replaced, 1e-9);
    assertTrue(replaced > 1.5 * removed, replaced + " against " + removed);
    Expect.relative(
        accountant.delta(Ledger.of(ADD_REMOVE, half, 4), 1).delta(),
        accountant.delta(Ledger.of(REPLACE_ONE, noise, 4), 1).delta(),
        1e-8);
  }

  static Stream<Accountant> accountants() {
    return Accountants.all().stream();
  }

  @ParameterizedTest
  @MethodSource("accountants")
  void zeroingAUnitCostsWhatRemovingItCosts(Accountant accountant) {
    for (Mechanism mechanism :
        List.of(
            new Gaussian(4),
            new JointGaussian(List.of(6.0, 9.0)),
            new Laplace(5),
            new PoissonSampled(0.1, new Gaussian(4)),
            new PoissonSampled(0.1, new Laplace(5)))) {
      assertEquals(
          accountant.epsilon(Ledger.of(ADD_REMOVE, mechanism, 2), DELTA).epsilon(),
          accountant.epsilon(Ledger.of(ZERO_OUT, mechanism, 2), DELTA).epsilon());
    }
  }

  /**
   * A drawn unit displaces another: 2C where Poisson sampling has C. Both neighbours may be samples
   * of one size, which makes the bound on several releases a little larger.
   */
  @ParameterizedTest
  @MethodSource("accountants")
  void aLotOfFixedSizeCostsAtLeastWhatHalfTheNoiseCostsUnderPoissonSampling(Accountant accountant) {
    if (accountant instanceof GaussianLimit) {
      return; // its two limits are for different relations
    }
    for (Mechanism[] pair :
        new Mechanism[][] {
          {new Gaussian(4), new Gaussian(2)}, {new Laplace(8), new Laplace(4)},
        }) {
      Ledger fixed = Ledgers.addRemove(Ledgers.fixedSize(0.05, pair[0]), 100);
      Ledger poisson = Ledgers.addRemove(new PoissonSampled(0.05, pair[1]), 100);
      Guarantee least = (Guarantee) accountant.epsilon(poisson, DELTA);
      Guarantee found = (Guarantee) accountant.epsilon(fixed, DELTA);
      assertTrue(found.epsilon() >= least.epsilon() * (1 - 1e-9), found + " against " + least);
      assertTrue(found.epsilon() <= 1.25 * least.epsilon(), found + " against " + least);
      assertEquals(least.epsilonLower(), found.epsilonLower(), 1e-3 * least.epsilon());
    }
  }

  /** Where both neighbours are samples of one size the sampled pair is only a lower end. */
  @ParameterizedTest
  @EnumSource(
      value = Neighbouring.class,
      names = {"REPLACE_ONE", "ZERO_OUT"})
  void aLotOfFixedSizeUnderTheOtherRelations(Neighbouring relation) {
    PldAccountant pld = new PldAccountant();
    Guarantee answer = pld.epsilon(Ledgers.fixedSize(relation, 4, 0.05, 20), DELTA);
    double farthest = relation == REPLACE_ONE ? 2 : 4;
    Guarantee attained = pld.epsilon(Ledgers.poisson(farthest, 0.05, 20), DELTA);
    Expect.relative(attained.epsilonLower(), answer.epsilonLower(), 1e-3);
    assertTrue(answer.epsilon() >= pld.epsilon(Ledgers.poisson(2, 0.05, 20), DELTA).epsilonLower());
    // No more than two displaced units would cost one after the other.
    Guarantee twice =
        GroupPrivacy.epsilon(new RdpAccountant(), Ledgers.poisson(2, 0.05, 20), 2, DELTA);
    assertTrue(answer.epsilon() <= twice.epsilon());
  }

  /** A replaced unit is one that leaves and another that comes. */
  @Test
  void replacingUnderPoissonSamplingLiesBetweenOneUnitAndTwo() {
    for (Mechanism inner : List.of(new Gaussian(2), new Laplace(4))) {
      PldAccountant pld = new PldAccountant();
      Mechanism sampled = new PoissonSampled(0.05, inner);
      Ledger removed = Ledger.of(ADD_REMOVE, sampled, 50);
      Guarantee replaced = pld.epsilon(Ledger.of(REPLACE_ONE, sampled, 50), DELTA);
      assertTrue(replaced.epsilonLower() >= 0.999 * pld.epsilon(removed, DELTA).epsilonLower());
      Guarantee two = GroupPrivacy.epsilon(new RdpAccountant(), removed, 2, DELTA);
      assertTrue(replaced.epsilon() <= two.epsilon());
    }
  }

  /** These state a guarantee that holds between neighbours already. */
  @ParameterizedTest
  @EnumSource
  void statedGuaranteesDoNotScale(Neighbouring relation) {
    PldAccountant pld = new PldAccountant();
    for (Mechanism stated : List.of(new PureDp(0.3), new RandomizedResponse(0.6, 3))) {
      assertEquals(
          pld.epsilon(Ledger.of(ADD_REMOVE, stated, 5), DELTA),
          pld.epsilon(Ledger.of(relation, stated, 5), DELTA));
    }
  }

  @Test
  void sensitivities() {
    assertEquals(1, ADD_REMOVE.sensitivity());
    assertEquals(2, REPLACE_ONE.sensitivity());
    assertEquals(1, ZERO_OUT.sensitivity());
  }

  @ParameterizedTest
  @EnumSource
  void labelsAreReadBack(Neighbouring relation) {
    assertEquals(relation, Neighbouring.of(relation.label()));
  }

  @Test
  void otherLabelsAreRefused() {
    Expect.refused(
        "neighbouring must be one of add/remove, replace-one, zero-out. Provided value: ADD_REMOVE",
        () -> Neighbouring.of("ADD_REMOVE"));
  }
}
