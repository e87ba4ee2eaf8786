package dev.discreet.accounting;

import static dev.discreet.accounting.Neighbouring.ADD_REMOVE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.BestOf;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.Exponential;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.Mechanism.RenyiCurve;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerJsonTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  static List<Mechanism> mechanisms() {
    List<Mechanism> plain =
        List.of(
            new Gaussian(1.1),
            new Gaussian(0),
            new Gaussian(INFINITY),
            new Gaussian(Double.MIN_VALUE),
            new JointGaussian(List.of(1.5, 0.1 + 0.2, INFINITY)),
            new EstimatedNormGaussian(0.9, 17),
            new EstimatedNormGaussian(INFINITY, Integer.MAX_VALUE),
            new Laplace(1.0 / 3),
            new Laplace(INFINITY),
            new RandomizedResponse(0.75, 2),
            new RandomizedResponse(1, Integer.MAX_VALUE),
            new Exponential(0.3),
            new Exponential(INFINITY),
            new PureDp(Math.PI),
            new PureDp(INFINITY),
            new ApproximateDp(0.4, 1e-6),
            new ApproximateDp(INFINITY, 1));
    Stream<Mechanism> poisson =
        plain.stream().map(inner -> new PoissonSampled(256 / 60000.0, inner));
    Stream<Mechanism> fixed = plain.stream().map(inner -> new FixedSizeSampled(256, 60_000, inner));
    Stream<Mechanism> curve =
        Stream.of(new RenyiCurve(List.of(1.5, 2.0, 1e12), List.of(0.0, 0.25, INFINITY)));
    List<Ledger.Entry> run =
        List.of(new Ledger.Entry(new PoissonSampled(0.01, new Gaussian(1.1)), 100));
    Stream<Mechanism> best =
        Stream.of(
            new BestOf(new RandomRuns.NegativeBinomial(-0.5, 0.125), List.of(run, List.of())),
            new BestOf(new RandomRuns.Poisson(12), List.of(run)));
    return Stream.of(plain.stream(), poisson, fixed, curve, best).flatMap(s -> s).toList();
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void everyMechanismComesBack(Mechanism mechanism) {
    Ledger ledger = Ledger.of(ADD_REMOVE, mechanism, 14_062);
    assertEquals(ledger, Ledger.parse(ledger.toJson()));
  }

  @Test
  void noMechanismWasForgottenAbove() {
    Set<Class<?>> seen = mechanisms().stream().map(Object::getClass).collect(Collectors.toSet());
    assertEquals(kinds(Mechanism.class).collect(Collectors.toSet()), seen);
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(LedgerJsonTest::kinds)
        : Stream.of(type);
  }

  @ParameterizedTest
  @EnumSource
  void everyRelationComesBack(Neighbouring relation) {
    Ledger ledger = Ledger.empty(relation);
    assertEquals(ledger, Ledger.parse(ledger.toJson()));
    assertTrue(ledger.toJson().contains("\"" + relation.label() + "\""));
  }

  @Test
  void orderAndPartsComeBack() {
    Ledger ledger =
        Ledger.empty(Neighbouring.ZERO_OUT)
            .plus(new Gaussian(1), 3)
            .plus(new Laplace(2), 1)
            .plus(Ledger.of(Neighbouring.ZERO_OUT, new Gaussian(1), 4).onPart("a \"quoted\" part"))
            .plus(new Gaussian(1), 5);
    assertEquals(ledger, Ledger.parse(ledger.toJson()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10_000_000, (1L << 53) - 1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE})
  void everyCountComesBack(long count) {
    Ledger ledger = Ledger.of(ADD_REMOVE, new Gaussian(1), count);
    assertEquals(ledger, Ledger.parse(ledger.toJson()));
  }

  /** The file format, spelt out: it must not drift by accident. */
  @Test
  void format() {
    Ledger ledger =
        Ledger.of(ADD_REMOVE, new PoissonSampled(0.25, new Gaussian(INFINITY)), 7)
            .plus(Ledger.of(ADD_REMOVE, new ApproximateDp(0.5, 0.125), 1).onPart("x"));
    assertEquals(
        "{\"neighbouring\":\"add/remove\",\"entries\":["
            + "{\"mechanism\":{\"type\":\"poisson-sampled\",\"rate\":0.25,"
            + "\"inner\":{\"type\":\"gaussian\",\"noiseMultiplier\":\"Infinity\"}},\"count\":7},"
            + "{\"mechanism\":{\"type\":\"approximate\",\"epsilon\":0.5,\"delta\":0.125},"
            + "\"count\":1,\"part\":\"x\"}]}",
        ledger.toJson());
  }
}
