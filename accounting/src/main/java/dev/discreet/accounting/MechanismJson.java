package dev.discreet.accounting;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Mechanisms as JSON objects. A kind is one row, which says its name, its fields and how it is made
 * of them; writing and reading both follow the row.
 */
final class MechanismJson {
  private static final Row<Gaussian> GAUSSIAN =
      row("gaussian", Gaussian::new, number("noiseMultiplier", Gaussian::noiseMultiplier));
  private static final Row<JointGaussian> JOINT_GAUSSIAN =
      row(
          "joint-gaussian",
          JointGaussian::new,
          numbers("noiseMultipliers", JointGaussian::noiseMultipliers));
  private static final Row<EstimatedNormGaussian> ESTIMATED_NORM_GAUSSIAN =
      row(
          "estimated-norm-gaussian",
          EstimatedNormGaussian::new,
          number("noiseMultiplier", EstimatedNormGaussian::noiseMultiplier),
          small("projections", EstimatedNormGaussian::projections));
  private static final Row<Laplace> LAPLACE =
      row("laplace", Laplace::new, number("scale", Laplace::scale));
  private static final Row<RandomizedResponse> RANDOMIZED_RESPONSE =
      row(
          "randomized-response",
          RandomizedResponse::new,
          number("truth", RandomizedResponse::truth),
          small("categories", RandomizedResponse::categories));
  private static final Row<Exponential> EXPONENTIAL =
      row("exponential", Exponential::new, number("epsilon", Exponential::epsilon));
  private static final Row<PureDp> PURE =
      row("pure", PureDp::new, number("epsilon", PureDp::epsilon));
  private static final Row<ApproximateDp> APPROXIMATE =
      row(
          "approximate",
          ApproximateDp::new,
          number("epsilon", ApproximateDp::epsilon),
          number("delta", ApproximateDp::delta));
  private static final Row<RenyiCurve> RENYI_CURVE =
      row(
          "renyi-curve",
          RenyiCurve::new,
          numbers("orders", RenyiCurve::orders),
          numbers("divergences", RenyiCurve::divergences));
  private static final Row<PoissonSampled> POISSON_SAMPLED =
      row(
          "poisson-sampled",
          PoissonSampled::new,
          number("rate", PoissonSampled::rate),
          mechanism("inner", PoissonSampled::inner));
  private static final Row<FixedSizeSampled> FIXED_SIZE_SAMPLED =
      row(
          "fixed-size-sampled",
          FixedSizeSampled::new,
          whole("lotSize", FixedSizeSampled::lotSize),
          whole("units", FixedSizeSampled::units),
          mechanism("inner", FixedSizeSampled::inner));
  private static final Row<BestOf> BEST_OF =
      row(
          "best-of",
          BestOf::new,
          new Field<>("runs", BestOf::runs, MechanismJson::write, MechanismJson::runs),
          new Field<>(
              "candidates",
              BestOf::candidates,
              all -> all.stream().map(LedgerJson::write).toList(),
              MechanismJson::candidates));

  /** In the order in which a refusal names them. */
  private static final Map<String, Row<? extends Mechanism>> ROWS =
      Stream.of(
              GAUSSIAN,
              JOINT_GAUSSIAN,
              ESTIMATED_NORM_GAUSSIAN,
              LAPLACE,
              RANDOMIZED_RESPONSE,
              EXPONENTIAL,
              PURE,
              APPROXIMATE,
              RENYI_CURVE,
              POISSON_SAMPLED,
              FIXED_SIZE_SAMPLED,
              BEST_OF)
          .collect(byType());

  private static final Row<RandomRuns.NegativeBinomial> NEGATIVE_BINOMIAL =
      row(
          "negative-binomial",
          RandomRuns.NegativeBinomial::new,
          number("eta", RandomRuns.NegativeBinomial::eta),
          number("gamma", RandomRuns.NegativeBinomial::gamma));
  private static final Row<RandomRuns.Poisson> POISSON =
      row("poisson", RandomRuns.Poisson::new, number("mu", RandomRuns.Poisson::mu));
  private static final Map<String, Row<? extends RandomRuns>> LAWS =
      Stream.of(NEGATIVE_BINOMIAL, POISSON).collect(byType());

  private MechanismJson() {}

  /** One JSON object; {@link #read} reads it back. */
  static Map<String, Object> write(Mechanism mechanism) {
    return mechanism.accept(
        new MechanismVisitor<>() {
          @Override
          public Map<String, Object> visit(Gaussian m) {
            return GAUSSIAN.write(m);
          }

          @Override
          public Map<String, Object> visit(JointGaussian m) {
            return JOINT_GAUSSIAN.write(m);
          }

          @Override
          public Map<String, Object> visit(EstimatedNormGaussian m) {
            return ESTIMATED_NORM_GAUSSIAN.write(m);
          }

          @Override
          public Map<String, Object> visit(Laplace m) {
            return LAPLACE.write(m);
          }

          @Override
          public Map<String, Object> visit(RandomizedResponse m) {
            return RANDOMIZED_RESPONSE.write(m);
          }

          @Override
          public Map<String, Object> visit(Exponential m) {
            return EXPONENTIAL.write(m);
          }

          @Override
          public Map<String, Object> visit(PureDp m) {
            return PURE.write(m);
          }

          @Override
          public Map<String, Object> visit(ApproximateDp m) {
            return APPROXIMATE.write(m);
          }

          @Override
          public Map<String, Object> visit(RenyiCurve m) {
            return RENYI_CURVE.write(m);
          }

          @Override
          public Map<String, Object> visit(PoissonSampled m) {
            return POISSON_SAMPLED.write(m);
          }

          @Override
          public Map<String, Object> visit(FixedSizeSampled m) {
            return FIXED_SIZE_SAMPLED.write(m);
          }

          @Override
          public Map<String, Object> visit(BestOf m) {
            return BEST_OF.write(m);
          }
        });
  }

  static Mechanism read(Object value) {
    return read(value, "mechanism", "mechanism type", ROWS);
  }

  private static Map<String, Object> write(RandomRuns runs) {
    return runs.match(NEGATIVE_BINOMIAL::write, POISSON::write);
  }

  private static RandomRuns runs(JsonObject fields, String name) {
    return read(fields.get(name), "runs", "type of runs", LAWS);
  }

  private static List<List<Ledger.Entry>> candidates(JsonObject fields, String name) {
    List<List<Ledger.Entry>> candidates = new ArrayList<>();
    for (Object each : fields.list(name)) {
      Check.that(each instanceof List, "candidate", "a list of entries", each);
      candidates.add(LedgerJson.entries((List<?>) each));
    }
    return candidates;
  }

  private static <K> K read(
      Object value, String owner, String typeName, Map<String, Row<? extends K>> rows) {
    JsonObject fields = new JsonObject(value, owner, null);
    String type = fields.text("type");
    Row<? extends K> row = rows.get(type);
    if (row == null) {
      Check.that(false, typeName, "one of " + String.join(", ", rows.keySet()), type);
    }
    return row.read(fields);
  }

  /** One field of a kind: how a mechanism gives it, and how JSON holds it. */
  private record Field<M, T>(
      String name,
      Function<M, T> get,
      Function<T, Object> write,
      BiFunction<JsonObject, String, T> read) {

    T read(JsonObject fields) {
      return read.apply(fields, name);
    }

    void write(M mechanism, Map<String, Object> to) {
      to.put(name, write.apply(get.apply(mechanism)));
    }
  }

  /** One kind. */
  private record Row<M>(String type, List<Field<M, ?>> fields, Function<JsonObject, M> make) {

    Map<String, Object> write(M mechanism) {
      Map<String, Object> to = new LinkedHashMap<>();
      to.put("type", type);
      fields.forEach(field -> field.write(mechanism, to));
      return to;
    }

    M read(JsonObject from) {
      return make.apply(from.only(fields.stream().map(Field::name).toArray(String[]::new)));
    }
  }

  private interface Three<A, B, C, M> {
    M make(A a, B b, C c);
  }

  private static <M, A> Row<M> row(String type, Function<A, M> make, Field<M, A> a) {
    return new Row<>(type, List.of(a), fields -> make.apply(a.read(fields)));
  }

  private static <M, A, B> Row<M> row(
      String type, BiFunction<A, B, M> make, Field<M, A> a, Field<M, B> b) {
    return new Row<>(type, List.of(a, b), fields -> make.apply(a.read(fields), b.read(fields)));
  }

  private static <M, A, B, C> Row<M> row(
      String type, Three<A, B, C, M> make, Field<M, A> a, Field<M, B> b, Field<M, C> c) {
    return new Row<>(
        type,
        List.of(a, b, c),
        fields -> make.make(a.read(fields), b.read(fields), c.read(fields)));
  }

  private static <M> Field<M, Double> number(String name, Function<M, Double> get) {
    return new Field<>(name, get, JsonObject::number, JsonObject::number);
  }

  private static <M> Field<M, List<Double>> numbers(String name, Function<M, List<Double>> get) {
    return new Field<>(
        name, get, all -> all.stream().map(JsonObject::number).toList(), JsonObject::numbers);
  }

  private static <M> Field<M, Long> whole(String name, Function<M, Long> get) {
    return new Field<>(name, get, value -> value, JsonObject::whole);
  }

  private static <M> Field<M, Integer> small(String name, Function<M, Integer> get) {
    return new Field<>(name, get, value -> value, JsonObject::small);
  }

  private static <M> Field<M, Mechanism> mechanism(String name, Function<M, Mechanism> get) {
    return new Field<>(name, get, MechanismJson::write, (fields, field) -> read(fields.get(field)));
  }

  private static <R extends Row<?>> Collector<R, ?, Map<String, R>> byType() {
    return Collectors.toMap(Row::type, row -> row, (a, b) -> a, LinkedHashMap::new);
  }
}
