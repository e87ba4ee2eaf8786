package dev.discreet.accounting;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.jr.ob.JSON;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A ledger as JSON. Infinite numbers are the string "Infinity"; unknown or missing fields are
 * refused by name.
 */
final class LedgerJson {
  private static final String TYPES =
      "gaussian, joint-gaussian, estimated-norm-gaussian, laplace, randomized-response, exponential,"
          + " pure, approximate, renyi-curve, poisson-sampled, fixed-size-sampled, best-of";

  private static final Set<String> FIELDS =
      new TreeSet<>(
          List.of(
              "neighbouring", "entries", "unit", "units", "unitsAre", "accountant", "conditions"));
  static final String DECLARED = "declared";
  static final String TAKEN = "taken as public";

  private LedgerJson() {}

  static String write(LedgerFile file) {
    Map<String, Object> who = new LinkedHashMap<>();
    if (!file.unit().isEmpty()) {
      who.put("unit", file.unit());
    }
    if (file.units() > 0) {
      who.put("units", file.units());
      who.put("unitsAre", file.unitsAre());
    }
    if (!file.accountant().isEmpty()) {
      who.put("accountant", file.accountant());
    }
    if (!file.conditions().isEmpty()) {
      who.put("conditions", file.conditions());
    }
    return write(who, file.ledger());
  }

  static String write(Ledger ledger) {
    return write(new LinkedHashMap<>(), ledger);
  }

  private static String write(Map<String, Object> root, Ledger ledger) {
    root.put("neighbouring", ledger.neighbouring().label());
    root.put("entries", describe(ledger.entries()));
    try {
      return JsonNumbers.SHORTEST.asString(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Object> describe(List<Ledger.Entry> entries) {
    List<Object> all = new ArrayList<>();
    for (Ledger.Entry entry : entries) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("mechanism", describe(entry.mechanism()));
      fields.put("count", entry.count());
      if (!entry.part().isEmpty()) {
        fields.put("part", entry.part());
      }
      all.add(fields);
    }
    return all;
  }

  private static Map<String, Object> describe(Mechanism mechanism) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (mechanism instanceof Gaussian m) {
      fields.put("type", "gaussian");
      fields.put("noiseMultiplier", number(m.noiseMultiplier()));
    } else if (mechanism instanceof JointGaussian m) {
      fields.put("type", "joint-gaussian");
      fields.put("noiseMultipliers", numbers(m.noiseMultipliers()));
    } else if (mechanism instanceof EstimatedNormGaussian m) {
      fields.put("type", "estimated-norm-gaussian");
      fields.put("noiseMultiplier", number(m.noiseMultiplier()));
      fields.put("projections", m.projections());
    } else if (mechanism instanceof Laplace m) {
      fields.put("type", "laplace");
      fields.put("scale", number(m.scale()));
    } else if (mechanism instanceof RandomizedResponse m) {
      fields.put("type", "randomized-response");
      fields.put("truth", m.truth());
      fields.put("categories", m.categories());
    } else if (mechanism instanceof Exponential m) {
      fields.put("type", "exponential");
      fields.put("epsilon", number(m.epsilon()));
    } else if (mechanism instanceof PureDp m) {
      fields.put("type", "pure");
      fields.put("epsilon", number(m.epsilon()));
    } else if (mechanism instanceof ApproximateDp m) {
      fields.put("type", "approximate");
      fields.put("epsilon", number(m.epsilon()));
      fields.put("delta", m.delta());
    } else if (mechanism instanceof RenyiCurve m) {
      fields.put("type", "renyi-curve");
      fields.put("orders", numbers(m.orders()));
      fields.put("divergences", numbers(m.divergences()));
    } else if (mechanism instanceof PoissonSampled m) {
      fields.put("type", "poisson-sampled");
      fields.put("rate", m.rate());
      fields.put("inner", describe(m.inner()));
    } else if (mechanism instanceof FixedSizeSampled m) {
      fields.put("type", "fixed-size-sampled");
      fields.put("lotSize", m.lotSize());
      fields.put("units", m.units());
      fields.put("inner", describe(m.inner()));
    } else if (mechanism instanceof BestOf m) {
      fields.put("type", "best-of");
      fields.put("runs", describe(m.runs()));
      fields.put("candidates", m.candidates().stream().map(LedgerJson::describe).toList());
    }
    return fields;
  }

  private static Map<String, Object> describe(RandomRuns runs) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (runs instanceof RandomRuns.NegativeBinomial law) {
      fields.put("type", "negative-binomial");
      fields.put("eta", law.eta());
      fields.put("gamma", law.gamma());
    } else if (runs instanceof RandomRuns.Poisson law) {
      fields.put("type", "poisson");
      fields.put("mu", law.mu());
    }
    return fields;
  }

  private static Object number(double value) {
    return Double.isInfinite(value) ? "Infinity" : (Object) value;
  }

  private static List<Object> numbers(List<Double> values) {
    return values.stream().map(LedgerJson::number).toList();
  }

  static Ledger read(String json) {
    return file(json).ledger();
  }

  static LedgerFile file(String json) {
    Check.that(json != null, "ledger", "given", null);
    Object root;
    try (JsonParser parser = JSON.std.createParser(json)) {
      root = JSON.std.anyFrom(parser);
      Check.that(parser.nextToken() == null, "ledger", "one JSON value", parser.getText());
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "ledger must be JSON. Provided value: text that breaks" + where(e, json), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Fields fields = new Fields(root, "ledger", FIELDS);
    Ledger ledger =
        new Ledger(Neighbouring.of(fields.text("neighbouring")), entries(fields.list("entries")));
    long units = fields.has("units") ? fields.whole("units") : 0;
    String are = units > 0 ? fields.text("unitsAre") : TAKEN;
    Check.that(
        are.equals(DECLARED) || are.equals(TAKEN), "unitsAre", DECLARED + " or " + TAKEN, are);
    return new LedgerFile(
        ledger,
        fields.has("unit") ? fields.text("unit") : "",
        units,
        are.equals(DECLARED),
        fields.has("accountant") ? fields.text("accountant") : "",
        fields.has("conditions") ? fields.text("conditions") : "");
  }

  private static List<Ledger.Entry> entries(List<?> items) {
    List<Ledger.Entry> entries = new ArrayList<>();
    for (Object item : items) {
      Fields entry = new Fields(item, "ledger entry", Set.of("mechanism", "count", "part"));
      entries.add(
          new Ledger.Entry(
              mechanism(entry.get("mechanism")),
              entry.whole("count"),
              entry.has("part") ? entry.text("part") : ""));
    }
    return entries;
  }

  private static RandomRuns runs(Object value) {
    Fields all = new Fields(value, "runs", null);
    String type = all.text("type");
    return switch (type) {
      case "negative-binomial" -> {
        Fields f = all.only("eta", "gamma");
        yield new RandomRuns.NegativeBinomial(f.number("eta"), f.number("gamma"));
      }
      case "poisson" -> new RandomRuns.Poisson(all.only("mu").number("mu"));
      default ->
          throw new IllegalArgumentException(
              "type of runs must be one of negative-binomial, poisson. Provided value: " + type);
    };
  }

  /** In our words: the parser's speak of its insides. */
  private static String where(JacksonException e, String json) {
    JsonLocation at = e.getLocation();
    if (at == null || e instanceof StreamConstraintsException) {
      return " our limits (nested too deeply, or too long a name or number)";
    }
    String reason =
        Math.max(0, at.getCharOffset()) >= json.stripTrailing().length()
            ? "it ends too early"
            : e.getOriginalMessage().startsWith("Duplicate ")
                ? "a field is given twice"
                : "not expected there";
    int column = Math.max(1, at.getColumnNr());
    return " at line " + at.getLineNr() + ", column " + column + " (" + reason + ")";
  }

  private static Mechanism mechanism(Object value) {
    Fields all = new Fields(value, "mechanism", null);
    String type = all.text("type");
    return switch (type) {
      case "gaussian" -> new Gaussian(all.only("noiseMultiplier").number("noiseMultiplier"));
      case "joint-gaussian" ->
          new JointGaussian(all.only("noiseMultipliers").numbers("noiseMultipliers"));
      case "estimated-norm-gaussian" -> {
        Fields f = all.only("noiseMultiplier", "projections");
        yield new EstimatedNormGaussian(f.number("noiseMultiplier"), f.small("projections"));
      }
      case "laplace" -> new Laplace(all.only("scale").number("scale"));
      case "randomized-response" -> {
        Fields f = all.only("truth", "categories");
        yield new RandomizedResponse(f.number("truth"), f.small("categories"));
      }
      case "exponential" -> new Exponential(all.only("epsilon").number("epsilon"));
      case "pure" -> new PureDp(all.only("epsilon").number("epsilon"));
      case "approximate" -> {
        Fields f = all.only("epsilon", "delta");
        yield new ApproximateDp(f.number("epsilon"), f.number("delta"));
      }
      case "renyi-curve" -> {
        Fields f = all.only("orders", "divergences");
        yield new RenyiCurve(f.numbers("orders"), f.numbers("divergences"));
      }
      case "poisson-sampled" -> {
        Fields f = all.only("rate", "inner");
        yield new PoissonSampled(f.number("rate"), mechanism(f.get("inner")));
      }
      case "fixed-size-sampled" -> {
        Fields f = all.only("lotSize", "units", "inner");
        yield new FixedSizeSampled(f.whole("lotSize"), f.whole("units"), mechanism(f.get("inner")));
      }
      case "best-of" -> {
        Fields f = all.only("runs", "candidates");
        List<List<Ledger.Entry>> candidates = new ArrayList<>();
        for (Object each : f.list("candidates")) {
          Check.that(each instanceof List, "candidate", "a list of entries", each);
          candidates.add(entries((List<?>) each));
        }
        yield new BestOf(runs(f.get("runs")), candidates);
      }
      default ->
          throw new IllegalArgumentException(
              "mechanism type must be one of " + TYPES + ". Provided value: " + type);
    };
  }

  /** The fields of one JSON object, asked for by name and type. */
  private static final class Fields {
    private final Map<?, ?> map;
    private final String owner;

    Fields(Object value, String owner, Set<String> allowed) {
      Check.that(value instanceof Map, owner, "a JSON object", value);
      this.map = (Map<?, ?>) value;
      this.owner = owner;
      if (allowed != null) {
        map.keySet()
            .forEach(
                key ->
                    Check.that(allowed.contains(key), owner + " field", "one of " + allowed, key));
      }
    }

    Fields only(String... names) {
      Set<String> allowed = new TreeSet<>(List.of(names));
      allowed.add("type");
      return new Fields(map, owner, allowed);
    }

    boolean has(String name) {
      return map.containsKey(name);
    }

    Object get(String name) {
      Check.that(has(name), owner + " field " + name, "given", "none");
      return map.get(name);
    }

    String text(String name) {
      Object value = get(name);
      Check.that(value instanceof String, name, "a string", value);
      return (String) value;
    }

    double number(String name) {
      return number(name, get(name));
    }

    private static double number(String name, Object value) {
      if ("Infinity".equals(value)) {
        return Double.POSITIVE_INFINITY;
      }
      Check.that(value instanceof Number, name, "a number", value);
      double number = ((Number) value).doubleValue();
      Check.that(Double.isFinite(number), name, "finite or the string Infinity", value);
      return number;
    }

    long whole(String name) {
      if (get(name) instanceof Integer || get(name) instanceof Long) {
        return ((Number) get(name)).longValue();
      }
      double value = number(name);
      Check.that(
          value == Math.rint(value) && Math.abs(value) < 0x1p53, name, "a whole number", get(name));
      return (long) value;
    }

    int small(String name) {
      long value = whole(name);
      Check.that(value == (int) value, name, "at most 2^31 - 1", value);
      return (int) value;
    }

    List<?> list(String name) {
      Object value = get(name);
      Check.that(value instanceof List, name, "a list", value);
      return (List<?>) value;
    }

    List<Double> numbers(String name) {
      return list(name).stream().map(value -> number(name, value)).toList();
    }
  }
}
