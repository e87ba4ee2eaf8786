package dev.discreet.cli.console;

import dev.discreet.recipe.setting.NumberText;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;

/**
 * The numbers that options take, each with its name and range. A fraction such as 256/60000 is a
 * number too.
 */
public final class Quantity {
  private Quantity() {}

  /** To ask about. */
  public static final class Epsilon extends Real {
    public Epsilon() {
      super("epsilon", "in [0, infinity]", value -> value >= 0);
    }
  }

  /** To keep to: what nothing reaches, or everything, is no target. */
  public static final class TargetEpsilon extends Real {
    public TargetEpsilon() {
      super("epsilon", "in (0, infinity)", value -> value > 0 && Double.isFinite(value));
    }
  }

  public static final class Delta extends Real {
    public Delta() {
      super("delta", "in [0, 1)", value -> value >= 0 && value < 1);
    }
  }

  public static final class Confidence extends Real {
    public Confidence() {
      super("confidence", "in (0, 1)", value -> value > 0 && value < 1);
    }
  }

  public static final class NoiseMultiplier extends Real {
    public NoiseMultiplier() {
      super("noise multiplier", "in [0, infinity]", value -> value >= 0);
    }
  }

  public static final class SamplingRate extends Real {
    public SamplingRate() {
      super("sampling rate", "in [0, 1]", value -> value >= 0 && value <= 1);
    }
  }

  public static final class Steps extends Whole {
    public Steps() {
      super("steps", 1, NumberText.MOST);
    }
  }

  public static final class LotSize extends Whole {
    public LotSize() {
      super("lot size", 0, NumberText.MOST);
    }
  }

  public static final class Units extends Whole {
    public Units() {
      super("units", 1, NumberText.MOST);
    }
  }

  public static final class Group extends Whole {
    public Group() {
      super("group", 1, 1_000_000);
    }
  }

  public static final class ExamplesPerUnit extends Whole {
    public ExamplesPerUnit() {
      super("examples per unit", 1, 1_000_000);
    }
  }

  public static final class CellsPerUnit extends Whole {
    public CellsPerUnit() {
      super("cells per unit", 1, 65_536);
    }
  }

  public static final class BinCount extends Whole {
    public BinCount() {
      super("bins", 1, 100_000);
    }
  }

  public static final class Candidates extends Whole {
    public Candidates() {
      super("candidates", 2, 1_048_576);
    }
  }

  public static final class Cases extends Whole {
    public Cases() {
      super("cases", 1, 1_000_000);
    }
  }

  public static final class Seed extends Whole {
    public Seed() {
      super("seed", 0, NumberText.MOST);
    }
  }

  public static final class Seeds extends Whole {
    public Seeds() {
      super("seeds", 1, 1000);
    }
  }

  public static final class Lot extends Whole {
    public Lot() {
      super("lot", 1, 60_000);
    }
  }

  public static final class Threads extends Whole {
    public Threads() {
      super("threads", 1, 1024);
    }
  }

  public static final class Rounds extends Whole {
    public Rounds() {
      super("rounds", 1, 1000);
    }
  }

  public static final class Seconds extends Real {
    public Seconds() {
      super("seconds", "in (0, 3600]", value -> value > 0 && value <= 3600);
    }
  }

  private static class Real implements ITypeConverter<Double> {
    private final Function<String, Double> read;

    Real(String name, String range, DoublePredicate allowed) {
      read = NumberText.real(name, range, allowed);
    }

    @Override
    public Double convert(String text) {
      return read.apply(text);
    }
  }

  private static class Whole implements ITypeConverter<Long> {
    private final Function<String, Long> read;

    Whole(String name, long least, long most) {
      read = NumberText.whole(name, least, most);
    }

    @Override
    public Long convert(String text) {
      return read.apply(text);
    }
  }
}
