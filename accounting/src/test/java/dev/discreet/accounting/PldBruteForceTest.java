package dev.discreet.accounting;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Mechanisms with few outcomes, up to three releases: every joint outcome is written down. */
class PldBruteForceTest {
  private static final int CASES = 12;

  /** The probabilities of one outcome with the unit and without it (or with another value). */
  private record Outcome(double p, double q) {}

  private static List<Outcome> outcomes(Mechanism mechanism) {
    if (mechanism instanceof RandomizedResponse response) {
      double other = (1 - response.truth()) / (response.categories() - 1);
      List<Outcome> all = new ArrayList<>();
      all.add(new Outcome(response.truth(), other));
      all.add(new Outcome(other, response.truth()));
      for (int i = 2; i < response.categories(); i++) {
        all.add(new Outcome(other, other));
      }
      return all;
    } else if (mechanism instanceof PureDp pure) {
      double up = 1 / (1 + Math.exp(-pure.epsilon()));
      return List.of(new Outcome(up, 1 - up), new Outcome(1 - up, up));
    } else if (mechanism instanceof ApproximateDp approximate) {
      double up = (1 - approximate.delta()) / (1 + Math.exp(-approximate.epsilon()));
      double down = 1 - approximate.delta() - up;
      return List.of(
          new Outcome(approximate.delta(), 0),
          new Outcome(0, approximate.delta()),
          new Outcome(up, down),
          new Outcome(down, up));
    }
    PoissonSampled sampled = (PoissonSampled) mechanism;
    double r = sampled.rate();
    return outcomes(sampled.inner()).stream()
        .map(o -> new Outcome((1 - r) * o.q + r * o.p, o.q))
        .toList();
  }

  private static List<Outcome> compose(List<Mechanism> mechanisms) {
    List<Outcome> all = List.of(new Outcome(1, 1));
    for (Mechanism mechanism : mechanisms) {
      List<Outcome> next = new ArrayList<>();
      for (Outcome before : all) {
        for (Outcome now : outcomes(mechanism)) {
          next.add(new Outcome(before.p * now.p, before.q * now.q));
        }
      }
      all = next;
    }
    return all;
  }

  /** Σ (P − e^ε·Q)₊, the worse direction. */
  private static double delta(List<Outcome> outcomes, double epsilon) {
    double forward = 0;
    double backward = 0;
    for (Outcome outcome : outcomes) {
      forward += Math.max(0, outcome.p - Math.exp(epsilon) * outcome.q);
      backward += Math.max(0, outcome.q - Math.exp(epsilon) * outcome.p);
    }
    return Math.max(forward, backward);
  }

  private static Mechanism mechanism(Random random) {
    Mechanism inner =
        switch (random.nextInt(4)) {
          case 0 -> new RandomizedResponse(0.3 + 0.6 * random.nextDouble(), 3);
          case 1 -> new RandomizedResponse(0.1 + 0.8 * random.nextDouble(), 2);
          case 2 -> new PureDp(2 * random.nextDouble());
          default -> new ApproximateDp(random.nextDouble(), 0.05 * random.nextDouble());
        };
    return random.nextBoolean() ? inner : new PoissonSampled(random.nextDouble(), inner);
  }

  static Stream<Arguments> cases() {
    Random random = new Random(13);
    List<Arguments> all = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      List<Mechanism> mechanisms = new ArrayList<>();
      for (int k = 1 + i % 3; k > 0; k--) {
        mechanisms.add(mechanism(random));
      }
      all.add(Arguments.of(mechanisms, 0.8 * random.nextDouble()));
    }
    all.add(
        Arguments.of(List.of(new RandomizedResponse(0.6, 3), new RandomizedResponse(0.6, 3)), 0.5));
    all.add(Arguments.of(List.of(new PureDp(0.1), new PureDp(0.1), new PureDp(0.1)), 0.15));
    return all.stream();
  }

  private static Ledger ledger(List<Mechanism> mechanisms) {
    Ledger ledger = Ledger.empty(Neighbouring.ADD_REMOVE);
    for (Mechanism mechanism : mechanisms) {
      ledger = ledger.plus(mechanism, 1);
    }
    return ledger;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void bracketsHoldTheEnumeratedValue(List<Mechanism> mechanisms, double epsilon) {
    PldAccountant pld = new PldAccountant();
    Ledger ledger = ledger(mechanisms);
    List<Outcome> outcomes = compose(mechanisms);
    double delta = delta(outcomes, epsilon);
    Guarantee asked = pld.delta(ledger, epsilon);
    assertAll(
        () -> assertTrue(asked.deltaLower() <= delta + 1e-12, delta + " is below " + asked),
        () -> assertTrue(asked.delta() >= delta - 1e-12, delta + " is above " + asked),
        // Few outcomes are no reason for a wide bracket.
        () -> assertEquals(delta, asked.delta(), 1e-3 + 0.01 * delta, "upper end"),
        () -> assertEquals(delta, asked.deltaLower(), 1e-3 + 0.01 * delta, "lower end"));
  }

  /** From above: at the stated ε no more than delta is left, at the lower end no less. */
  @ParameterizedTest
  @MethodSource("cases")
  void epsilonTurnsDeltaRound(List<Mechanism> mechanisms, double epsilon) {
    List<Outcome> outcomes = compose(mechanisms);
    double delta = delta(outcomes, epsilon);
    Guarantee back = new PldAccountant().epsilon(ledger(mechanisms), delta);
    double least = back.epsilonLower() * (1 - 1e-9);
    assertTrue(
        Double.isInfinite(back.epsilon()) || delta(outcomes, back.epsilon()) <= delta + 1e-12,
        back.toString());
    assertTrue(delta(outcomes, least) >= delta - 1e-12, back.toString());
  }

  /** The other accountants are above the enumerated value. */
  @ParameterizedTest
  @MethodSource("cases")
  void othersAreAbove(List<Mechanism> mechanisms, double epsilon) {
    double delta = delta(compose(mechanisms), epsilon);
    for (String name : new String[] {"rdp", "moments", "strong", "sequential"}) {
      double found = Accountants.named(name).delta(ledger(mechanisms), epsilon).delta();
      assertTrue(found >= delta - 1e-9, name + ": " + found + " is below " + delta);
    }
  }

  /** The oracle itself: one coin, by hand. */
  @Test
  void oracle() {
    double p = Math.E / (1 + Math.E);
    assertEquals(p - Math.exp(0.5) * (1 - p), delta(compose(List.of(new PureDp(1))), 0.5), 1e-15);
    assertEquals(27, compose(Collections.nCopies(3, new RandomizedResponse(0.5, 3))).size());
  }
}
