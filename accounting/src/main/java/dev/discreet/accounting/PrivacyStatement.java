package dev.discreet.accounting;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a release promises, in plain words for the person who signs for it. Only a {@link Guarantee}
 * can be stated; an infinite one is told as what it is, no promise.
 *
 * @param unit who is protected, as a singular noun: "example", "patient", …
 */
public record PrivacyStatement(
    String unit, Ledger ledger, Guarantee guarantee, double truePositiveRate) {
  private static final double FALSE_POSITIVES = 0.01;
  private static final int WIDTH = 88;

  // Most of the time of a statement goes into the attack. A looser bracket is as certified, takes
  // about half of it, and states a rate that is at most about 1% higher.
  private static final double ATTACK_TOLERANCE = 1e-2;

  public PrivacyStatement {
    // Nobody may slip a paragraph of his own into a statement that others sign.
    Check.that(
        !unit.isBlank() && unit.chars().noneMatch(Character::isISOControl),
        "unit",
        "a singular noun on one line",
        unit);
  }

  public static PrivacyStatement of(String unit, Ledger ledger, double delta) {
    return new PrivacyStatement(
        unit,
        ledger,
        new PldAccountant().epsilon(ledger, delta),
        new TradeOff(new PldAccountant(ATTACK_TOLERANCE), ledger)
            .truePositiveRate(FALSE_POSITIVES));
  }

  private boolean promises() {
    return Double.isFinite(guarantee.epsilon());
  }

  public String text() {
    StringBuilder text = new StringBuilder("PRIVACY STATEMENT\n\n");
    paragraph(text, "Promise", promise() + ", delta = " + shortest(guarantee.delta()) + ".");
    paragraph(
        text,
        "Who is protected",
        (promises() ? "Each single " + unit : "No " + unit) + ". " + relation());
    paragraph(text, "What was released", releases());
    paragraph(text, "Accountant", accountant());
    paragraph(
        text,
        "What an attacker could do",
        String.format(
            Locale.ROOT,
            "Someone who sees everything released, knows all other data and wrongly accuses %s%% of the absent can "
                + "recognise at most %.2f%% of the present. Guessing blindly recognises %s%%.",
            number(100 * FALSE_POSITIVES),
            100 * roundUp(truePositiveRate),
            number(100 * FALSE_POSITIVES)));
    if (promises()) {
      coverage(text);
    } else {
      paragraph(text, "Covered", "Nothing.");
    }
    return text.toString().stripTrailing() + "\n";
  }

  private String promise() {
    if (!promises()) {
      return "None. There is no guarantee: no finite epsilon (" + guarantee.note() + ")";
    }
    String epsilon = String.format(Locale.ROOT, "%.4f", roundUp(guarantee.epsilon()));
    return "epsilon = "
        + epsilon
        + (lowerEndIsKnown()
            ? String.format(
                Locale.ROOT,
                " (certified: the true value lies between %.4f and %s)",
                Math.floor(guarantee.epsilonLower() * 1e4) / 1e4,
                epsilon)
            : " (certified: the true value is not above it)");
  }

  private boolean lowerEndIsKnown() {
    return guarantee.epsilonLower() > 0 || guarantee.epsilon() == 0;
  }

  private void coverage(StringBuilder text) {
    paragraph(
        text,
        "Covered",
        "Everything computed from the noisy releases listed above, now or later, by anyone and with any other knowledge.");
    paragraph(
        text,
        "Not covered",
        "Facts that hold whether or not one "
            + unit
            + " takes part; several "
            + unit
            + "s of the same person together (the promise weakens with each); releases not listed above; what the "
            + "operator saw while the program ran; access to the machine, its memory or its random generator.");
  }

  private String relation() {
    return switch (ledger.neighbouring()) {
      case ADD_REMOVE ->
          "Neighbouring data differ by the presence of one " + unit + " (add/remove).";
      case REPLACE_ONE ->
          "Neighbouring data differ by the whole content of one " + unit + " (replace-one).";
      case ZERO_OUT ->
          "Neighbouring data differ by the contribution of one "
              + unit
              + " being set to zero (zero-out); the number of "
              + unit
              + "s is not protected.";
    };
  }

  private String releases() {
    List<Ledger.Entry> entries = ledger.entries();
    if (entries.isEmpty()) {
      return "Nothing.";
    }
    int shown = Math.min(entries.size(), 8);
    String list =
        entries.stream()
            .limit(shown)
            .map(PrivacyStatement::describe)
            .collect(Collectors.joining("; "));
    return list
        + (entries.size() > shown ? "; and " + (entries.size() - shown) + " more entries." : ".");
  }

  private static String describe(Ledger.Entry entry) {
    String part = entry.part().isEmpty() ? "" : " on part " + entry.part();
    return entry.count() + " x " + describe(entry.mechanism()) + part;
  }

  private static String describe(Mechanism mechanism) {
    if (mechanism instanceof Mechanism.Gaussian m) {
      return "Gaussian noise, multiplier " + number(m.noiseMultiplier());
    } else if (mechanism instanceof Mechanism.JointGaussian m) {
      return m.noiseMultipliers().size()
          + " Gaussians on one sample, together of multiplier "
          + number(m.combined().noiseMultiplier());
    } else if (mechanism instanceof Mechanism.EstimatedNormGaussian m) {
      return "Gaussian noise, multiplier "
          + number(m.noiseMultiplier())
          + ", norms estimated from "
          + m.projections()
          + " projections";
    } else if (mechanism instanceof Mechanism.Laplace m) {
      return "Laplace noise, scale " + number(m.scale());
    } else if (mechanism instanceof Mechanism.RandomizedResponse m) {
      return "randomised response, truth " + number(m.truth()) + " among " + m.categories();
    } else if (mechanism instanceof Mechanism.Exponential m) {
      return "exponential mechanism, epsilon " + number(m.epsilon());
    } else if (mechanism instanceof Mechanism.PureDp m) {
      return "a mechanism of epsilon " + number(m.epsilon());
    } else if (mechanism instanceof Mechanism.ApproximateDp m) {
      return "a mechanism of epsilon " + number(m.epsilon()) + " and delta " + number(m.delta());
    } else if (mechanism instanceof Mechanism.RenyiCurve m) {
      return "a mechanism bounded at " + m.orders().size() + " Renyi orders";
    } else if (mechanism instanceof Mechanism.PoissonSampled m) {
      return describe(m.inner()) + ", on a Poisson sample of rate " + number(m.rate());
    } else if (mechanism instanceof Mechanism.FixedSizeSampled m) {
      return describe(m.inner())
          + ", on "
          + m.lotSize()
          + " of "
          + m.units()
          + " drawn without replacement";
    }
    throw new AssertionError("unknown mechanism " + mechanism);
  }

  private String accountant() {
    String name = guarantee.accountant();
    String method =
        switch (name) {
          case "pld" -> "Privacy loss distributions (pld)";
          case "rdp" -> "Renyi differential privacy (rdp)";
          case "moments" -> "The moments accountant (moments)";
          case "strong" -> "Strong composition (strong)";
          case "sequential" -> "Sequential composition (sequential)";
          default -> name;
        };
    if (!promises()) {
      return method + ".";
    }
    return method
        + (lowerEndIsKnown() ? ", both ends certified" : ", an upper bound")
        + (name.equals("pld")
            ? "; discretisation, truncation and floating-point error are charged to the upper end."
            : ".")
        + (guarantee.note().isEmpty() ? "" : " Note: " + guarantee.note() + ".");
  }

  /** To four digits, never below the value: a statement may promise less, not more. */
  private static double roundUp(double value) {
    return Double.isInfinite(value)
        ? value
        : BigDecimal.valueOf(value).setScale(4, RoundingMode.CEILING).doubleValue();
  }

  /** Every digit of it: a rounded δ might promise more. */
  private static String shortest(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toString().replace("E", "e");
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value)
            .replaceAll("(\\.\\d*?)0+(e|$)", "$1$2")
            .replaceAll("\\.(e|$)", "$1")
            .replaceAll("e-0", "e-");
  }

  private static void paragraph(StringBuilder out, String title, String body) {
    StringBuilder line = new StringBuilder(title).append(": ");
    for (String word : body.split(" ")) {
      if (line.length() + word.length() > WIDTH) {
        out.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder("  ");
      }
      line.append(word).append(' ');
    }
    out.append(line.toString().stripTrailing()).append("\n\n");
  }
}
