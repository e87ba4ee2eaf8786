package dev.discreet.cli;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.math.BigDecimal;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * The numbers that options take, each with its name and range. A fraction such as 256/60000 is a
 * number too.
 */
public final class Quantity {
  /** Of anything countable; a double holds it exactly, with room to spare. */
  private static final long MOST = 1_000_000_000_000L;

  private Quantity() {}

  /** Reads a number that {@code allowed} holds for; {@code range} says which that are. */
  public static Function<String, Double> real(String name, String range, DoublePredicate allowed) {
    return new Real(name, range, allowed)::convert;
  }

  /** Reads a whole number from {@code least} to {@code most}. */
  public static Function<String, Long> whole(String name, long least, long most) {
    return new Whole(name, least, most)::convert;
  }

  /** To ask about. */
  static final class Epsilon extends Real {
    Epsilon() {
      super("epsilon", "in [0, infinity]", value -> value >= 0);
    }
  }

  /** To keep to: what nothing reaches, or everything, is no target. */
  public static final class TargetEpsilon extends Real {
    TargetEpsilon() {
      super("epsilon", "in (0, infinity)", value -> value > 0 && Double.isFinite(value));
    }
  }

  public static final class Delta extends Real {
    Delta() {
      super("delta", "in [0, 1)", value -> value >= 0 && value < 1);
    }
  }

  static final class NoiseMultiplier extends Real {
    NoiseMultiplier() {
      super("noise multiplier", "in [0, infinity]", value -> value >= 0);
    }
  }

  static final class SamplingRate extends Real {
    SamplingRate() {
      super("sampling rate", "in [0, 1]", value -> value >= 0 && value <= 1);
    }
  }

  static final class Steps extends Whole {
    Steps() {
      super("steps", 1, MOST);
    }
  }

  static final class LotSize extends Whole {
    LotSize() {
      super("lot size", 0, MOST);
    }
  }

  public static final class Units extends Whole {
    Units() {
      super("units", 1, MOST);
    }
  }

  static final class Group extends Whole {
    Group() {
      super("group", 1, 1_000_000);
    }
  }

  static final class ExamplesPerUnit extends Whole {
    ExamplesPerUnit() {
      super("examples per unit", 1, 1_000_000);
    }
  }

  static final class BinCount extends Whole {
    BinCount() {
      super("bins", 1, 100_000);
    }
  }

  static final class Candidates extends Whole {
    Candidates() {
      super("candidates", 2, 1_048_576);
    }
  }

  static final class Cases extends Whole {
    Cases() {
      super("cases", 1, 1_000_000);
    }
  }

  static final class Seed extends Whole {
    Seed() {
      super("seed", 0, MOST);
    }
  }

  static final class Seeds extends Whole {
    Seeds() {
      super("seeds", 1, 1000);
    }
  }

  static final class Lot extends Whole {
    Lot() {
      super("lot", 1, 60_000);
    }
  }

  static final class Threads extends Whole {
    Threads() {
      super("threads", 1, 1024);
    }
  }

  static final class Rounds extends Whole {
    Rounds() {
      super("rounds", 1, 1000);
    }
  }

  static final class Seconds extends Real {
    Seconds() {
      super("seconds", "in (0, 3600]", value -> value > 0 && value <= 3600);
    }
  }

  /** Any number; NaN is in no range. */
  private static class Real implements ITypeConverter<Double> {
    private static final String NUMBER =
        "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|[+-]?Infinity|NaN";
    private static final Pattern RATIO = Pattern.compile("(" + NUMBER + ")(?:/(" + NUMBER + "))?");

    private final String name;
    private final String range;
    private final DoublePredicate allowed;

    Real(String name, String range, DoublePredicate allowed) {
      this.name = name;
      this.range = range;
      this.allowed = allowed;
    }

    @Override
    public Double convert(String text) {
      Matcher ratio = RATIO.matcher(text);
      Check.that(ratio.matches(), name, "a number", text);
      double value = Double.parseDouble(ratio.group(1));
      if (ratio.group(2) != null) {
        value /= Double.parseDouble(ratio.group(2));
      }
      Check.that(allowed.test(value), name, range, text);
      boolean underflow = value == 0 && ratio.group(1).matches("[^1-9eE]*[1-9].*");
      Check.that(!underflow, name, "0 or at least " + Digits.exact(Double.MIN_VALUE), text);
      return value;
    }
  }

  /** Digits, or a form such as 1e4 that means a whole number. */
  private static class Whole implements ITypeConverter<Long> {
    private final String name;
    private final long least;
    private final long most;

    Whole(String name, long least, long most) {
      this.name = name;
      this.least = least;
      this.most = most;
    }

    @Override
    public Long convert(String text) {
      long value;
      try {
        value = new BigDecimal(text).longValueExact();
      } catch (ArithmeticException | NumberFormatException e) {
        value = least - 1; // a fraction, no number, or one that is far too large
      }
      String range = "a whole number in [" + least + ", " + most + "]";
      Check.that(value >= least && value <= most, name, range, text);
      return value;
    }
  }
}
