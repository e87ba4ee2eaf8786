package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.core.schedule.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a value changes over a run, whatever its start: {@code constant}, {@code linear(0.1)}, {@code
 * cosine}, {@code step(0.5,100)}.
 *
 * @param factor the share of the start that is reached in the end, or kept at each decay
 * @param steps until then, or between decays; 0 for the length of the run
 */
public record ScheduleShape(String kind, double factor, long steps) {
  public static final ScheduleShape CONSTANT = new ScheduleShape("constant", 0, 0);

  private static final Pattern TEXT = Pattern.compile("(\\w+)(?:\\((.*)\\))?");
  private static final Function<String, Long> STEPS =
      NumberText.whole("steps of a schedule", 1, 1_000_000_000_000L);
  private static final Function<String, Double> FACTOR =
      NumberText.real("share of a schedule", "in [0, infinity)", v -> v >= 0 && v < 1e300);

  /** Refuses a kind that is none of those in {@link #parse}. */
  public ScheduleShape {
    Check.that(
        List.of("constant", "linear", "cosine", "step").contains(kind),
        "kind of schedule",
        "one of constant, linear, cosine, step",
        kind);
  }

  public static ScheduleShape parse(String text) {
    Matcher call = TEXT.matcher(text);
    String kind = call.matches() ? call.group(1) : text;
    List<String> values =
        call.matches() && call.group(2) != null
            ? Arrays.stream(call.group(2).split(",", -1)).map(String::strip).toList()
            : List.of();
    boolean known =
        switch (kind) {
          case "constant" -> values.isEmpty();
          case "linear", "cosine" -> values.size() <= 2;
          case "step" -> values.size() == 2;
          default -> false;
        };
    Check.that(
        known,
        "schedule",
        "constant, linear, linear(SHARE), linear(SHARE,STEPS), cosine in the same forms, or"
            + " step(FACTOR,STEPS)",
        text);
    return new ScheduleShape(
        kind,
        values.isEmpty() ? 0 : FACTOR.apply(values.get(0)),
        values.size() < 2 ? 0 : STEPS.apply(values.get(1)));
  }

  /** As it is written: what {@link #parse} reads as the same shape. */
  public String text() {
    String share = Digits.exact(factor);
    return steps > 0
        ? kind + "(" + share + "," + steps + ")"
        : factor > 0 ? kind + "(" + share + ")" : kind;
  }

  /** From {@code start}, in a run of so many steps. */
  public Schedule from(double start, long runSteps) {
    long until = steps == 0 ? runSteps : steps;
    return switch (kind) {
      case "linear" -> Schedule.linear(start, factor * start, until);
      case "cosine" -> Schedule.cosine(start, factor * start, until);
      case "step" -> Schedule.stepDecay(start, factor, until);
      case "constant" -> Schedule.constant(start);
      default -> throw new IllegalStateException("no schedule for " + kind);
    };
  }
}
