package dev.discreet.recipe.setting;

import dev.discreet.accounting.PublicApi;
import java.util.List;
import java.util.Optional;

/**
 * One thing that can be set: an option, a key of run files, a line of a saved run. All that is
 * known about it stands here, once: its name, its values, its default and its help.
 *
 * <pre>{@code
 * Setting<?> epsilon = Settings.named("epsilon").orElseThrow();
 * System.out.println(epsilon.option() + ": " + epsilon.description());
 * }</pre>
 *
 * @param <T> what its values are, such as whole numbers
 */
@PublicApi
public final class Setting<T> {
  private final String name;
  private final Group group;
  private final Section section;
  private final ValueType<T> type;
  private final Optional<T> fixed;
  private final String otherwise;
  private final String rivals;
  private final String called;
  private final String help;

  /** Where it stands in help. */
  public enum Group {
    /** What to train on. */
    DATA("Data", Section.DATA),
    /** What to train, and what it begins with. */
    MODEL("Model", Section.MODEL),
    /** What to train on before, where that is public. */
    PRETRAIN("A public phase before", Section.MODEL),
    /** Who is protected, and how well. */
    PRIVACY("Privacy", Section.PLAN),
    /** How lots are drawn, and how many. */
    LOTS("Lots and length", Section.PLAN),
    /** How gradients are bounded. */
    CLIPPING("Clipping", Section.PLAN),
    /** How gradients move the parameters. */
    OPTIMIZER("Optimizer", Section.LEARNING),
    /** How {@code regress} fits, which no other verb does. */
    REGRESSION("Regression", Section.MODEL),
    /** Who computes, and what is written. */
    RUN("The run", Section.OUTPUTS),
    /** What this one call is to do: no part of a run, and no key of a run file. */
    CALL("This call", Section.NONE);

    private final String heading;
    private final Section section;

    Group(String heading, Section section) {
      this.heading = heading;
      this.section = section;
    }

    /** {@return the line above its settings in help} */
    public String heading() {
      return heading;
    }
  }

  private Setting(
      String name,
      Group group,
      Section section,
      ValueType<T> type,
      Optional<T> fixed,
      String otherwise,
      String rivals,
      String called,
      String help) {
    this.name = name;
    this.group = group;
    this.section = section;
    this.type = type;
    this.fixed = fixed;
    this.otherwise = otherwise;
    this.rivals = rivals;
    this.called = called;
    this.help = help;
  }

  /**
   * A setting without a default.
   *
   * @param name in kebab-case: {@code lot-size} is the option {@code --lot-size} and the key {@code
   *     lot-size}
   * @param help sentences without the default, which is added to them; empty where the words that
   *     may be written say it all
   */
  static <T> Setting<T> of(Group group, String name, ValueType<T> type, String help) {
    // A flag has no value for a message to be about, so messages name it as it is written.
    String spoken = type.form() == ValueType.Form.FLAG ? name : name.replace('-', ' ');
    return new Setting<>(name, group, group.section, type, Optional.empty(), "", "", spoken, help);
  }

  /** With a default that is always the same. */
  Setting<T> otherwise(T value) {
    String words = String.join(",", type.writer().apply(value));
    return new Setting<>(
        name, group, section, type, Optional.of(value), words, rivals, called, help);
  }

  /**
   * With a default that follows from other settings and public facts, told in words; also, in the
   * help of one verb, with the default that holds there.
   *
   * @param words what the default is
   * @return that setting; this one stays as it is
   */
  public Setting<T> derived(String words) {
    return new Setting<>(name, group, section, type, Optional.empty(), words, rivals, called, help);
  }

  /** This setting as one of several that decide the same thing: only one of them may be set. */
  Setting<T> rivals(String decided) {
    return new Setting<>(name, group, section, type, fixed, otherwise, decided, called, help);
  }

  /** With another name in messages than its own without hyphens. */
  Setting<T> called(String words) {
    return new Setting<>(name, group, section, type, fixed, otherwise, rivals, words, help);
  }

  /** As a part of another section than the one that its group belongs to. */
  Setting<T> in(Section part) {
    return new Setting<>(name, group, part, type, fixed, otherwise, rivals, called, help);
  }

  /** {@return the name in kebab-case, such as {@code lot-size}} */
  public String name() {
    return name;
  }

  /** {@return where it stands in help} */
  public Group group() {
    return group;
  }

  /** {@return which part of a run it is about} */
  public Section section() {
    return section;
  }

  /** {@return what values it may have} */
  public ValueType<T> type() {
    return type;
  }

  /**
   * The default, where it is always the same.
   *
   * @return the default
   */
  public Optional<T> fixed() {
    return fixed;
  }

  /**
   * What those settings decide that cannot stand beside each other; empty for none.
   *
   * @return one word
   */
  public String rivals() {
    return rivals;
  }

  /**
   * What it is and what holds where it is not set: the text of help and of the document.
   *
   * @return sentences
   */
  public String description() {
    String says = help.isEmpty() && !type.words().isEmpty() ? type.words() + "." : help;
    String gap = says.isEmpty() ? "" : " ";
    return otherwise.isEmpty() ? says : says + gap + "Default: " + otherwise + ".";
  }

  /**
   * The value that texts stand for; refuses those that stand for none.
   *
   * @param texts one, unless it may be repeated
   * @return the value
   */
  public T read(List<String> texts) {
    return type.reader().apply(called, texts);
  }

  /**
   * The texts of a value.
   *
   * @param value one that it may have
   * @return one text, unless it may be repeated
   */
  public List<String> write(T value) {
    return type.writer().apply(value);
  }

  /** {@return the option on the command line, such as {@code --lot-size}} */
  public String option() {
    return "--" + name;
  }

  /** {@return whether a run file may set it} */
  public boolean inRunFile() {
    return section != Section.NONE;
  }

  @Override
  public String toString() {
    return name;
  }
}
