package dev.discreet.cli.console;

import dev.discreet.accounting.Approximation;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.statement.WeakPromise;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a cost is told. Whether it is a guarantee is in every telling. */
public final class Costs {
  private Costs() {}

  public static boolean approximate(Cost cost) {
    return cost instanceof Approximation;
  }

  /** Whether anything is promised: an infinite epsilon, or a delta of 1, holds for everything. */
  public static boolean guaranteed(Cost cost) {
    return !approximate(cost) && Double.isFinite(cost.epsilon()) && cost.delta() < 1;
  }

  /** The certified lower end, 0 where none is known. */
  public static double epsilonLower(Cost cost) {
    return cost instanceof Guarantee guarantee ? guarantee.epsilonLower() : 0;
  }

  /** The certified lower end, 0 where none is known. */
  public static double deltaLower(Cost cost) {
    return cost instanceof Guarantee guarantee ? guarantee.deltaLower() : 0;
  }

  public static String note(Cost cost) {
    if (!approximate(cost)) {
      return cost.note();
    }
    return Approximation.LABEL + (cost.note().isEmpty() ? "" : "; " + cost.note());
  }

  /** What JSON says about any cost. */
  public static Map<String, Object> fields(Cost cost, Neighbouring neighbouring) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("accountant", cost.accountant());
    fields.put("neighbouring", neighbouring.label());
    fields.put("guarantee", guaranteed(cost));
    if (!note(cost).isEmpty()) {
      fields.put("note", note(cost));
    }
    return fields;
  }

  public static void note(Table table, Cost cost) {
    if (!cost.note().isEmpty()) {
      table.row("note", cost.note());
    }
  }

  /**
   * The stated ε or δ, with what kind of figure it is.
   *
   * @param alone whether it may be stated without conditions
   */
  public static String stated(double value, Cost cost, boolean alone) {
    if (approximate(cost)) {
      return "about " + Digits.plain(value) + " (" + Approximation.LABEL + ")";
    }
    return Digits.up(value)
        + (guaranteed(cost)
            ? " (upper end, rounded up: the figure to state"
                + (alone ? ")" : ", with its conditions)")
            : " (nothing is promised)");
  }

  /** What is weak about a promise, in one line; empty where nothing is. */
  public static Optional<String> weak(Cost cost, String unit, long units) {
    List<String> weak = WeakPromise.of(cost, unit, units);
    return weak.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", weak));
  }

  public static void weak(Table table, Cost cost, String unit, long units) {
    weak(cost, unit, units).ifPresent(words -> table.row("WEAK", words));
  }

  /** Warns of a weak promise before anything is spent on it. */
  public static void warn(PrintWriter err, double epsilon, double delta, String unit, long units) {
    Guarantee asked = Guarantee.epsilonAt(delta, epsilon, epsilon, "", "");
    weak(asked, unit, units).ifPresent(words -> err.println("WEAK: " + words));
    err.flush();
  }

  /** The same for JSON. */
  public static Map<String, Object> weakFields(Cost cost, String unit, long units) {
    List<String> weak = WeakPromise.of(cost, unit, units);
    return weak.isEmpty() ? Map.of() : Map.of("weak", weak);
  }

  public static void bracket(Table table, double lower, double upper, Cost cost) {
    if (guaranteed(cost)) {
      table.row("bracket", bracket(lower, upper));
    }
  }

  private static String bracket(double lower, double upper) {
    return lower == 0 && upper > 0
        ? "no lower end is known"
        : "the worst case lies in ["
            + Digits.down(lower)
            + ", "
            + Digits.up(upper)
            + "], certified";
  }
}
