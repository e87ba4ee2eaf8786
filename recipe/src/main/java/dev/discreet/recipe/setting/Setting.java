package dev.discreet.recipe.setting;

import java.util.List;
import java.util.function.Function;

/**
 * One thing that can be set: an option, a key of run files, a line of a saved run.
 *
 * @param name in kebab-case: {@code lot-size} is the option {@code --lot-size} and the key {@code
 *     lot-size}
 * @param label of its value in help
 * @param rivals a name that this shares with settings it cannot stand beside; empty for none
 * @param read its value from its texts, one unless it may be repeated
 */
public record Setting<T>(
    String name,
    Group group,
    Kind kind,
    String label,
    String rivals,
    String description,
    Function<List<String>, T> read) {

  public enum Kind {
    ONE,
    REPEATED,
    FLAG
  }

  /** Where it stands in help. */
  public enum Group {
    DATA("Data"),
    MODEL("Model"),
    PRETRAIN("A public phase before"),
    PRIVACY("Privacy"),
    LOTS("Lots and length"),
    CLIPPING("Clipping"),
    OPTIMIZER("Optimizer"),
    RUN("The run"),
    /** What this one call is to do: no part of a run, and no key of a run file. */
    CALL("This call");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    public String heading() {
      return heading;
    }
  }

  /** The same with another default in its description. */
  public Setting<T> withDefault(String words) {
    int end = description.indexOf("Default: ");
    String text = description.substring(0, end) + "Default: " + words + ".";
    return new Setting<>(name, group, kind, label, rivals, text, read);
  }

  public String option() {
    return "--" + name;
  }

  public boolean inRunFile() {
    return group != Group.CALL;
  }
}
