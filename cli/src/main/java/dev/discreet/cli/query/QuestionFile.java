package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.TextFile;
import dev.discreet.recipe.setting.NumberText;
import dev.discreet.recipe.setting.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Questions as YAML: what all have first, and below {@code questions} each with its verb, its
 * weight and its own options, written as {@code discreet query} has them.
 *
 * @param shared what holds for all
 * @param questions at least one
 */
public record QuestionFile(List<Key> shared, List<Asked> questions) {
  private static final String QUESTIONS = "questions";
  private static final String ASK = "ask";
  private static final String WEIGHT = "weight";
  private static final int MOST = 1000;

  /**
   * One option.
   *
   * @param place begins a message about it
   * @param values several for an option that may be repeated
   */
  public record Key(String place, String name, List<String> values) {
    /** Refuses an option that is no option of a command. */
    IllegalArgumentException unknown(String where) {
      return new IllegalArgumentException(
          Check.line(place + "unknown key '" + Check.shortened(name) + "' " + where));
    }
  }

  /**
   * One question.
   *
   * @param weight of its part of what all may cost
   */
  public record Asked(String place, String verb, double weight, List<Key> keys) {}

  public static QuestionFile read(Path path) throws IOException {
    return parse(path.toString(), TextFile.read(path));
  }

  /**
   * The same of a text.
   *
   * @param source what begins a message about a line
   */
  public static QuestionFile parse(String source, String text) {
    List<Key> shared = new ArrayList<>();
    List<Asked> questions = new ArrayList<>();
    Optional<Node> below = keys(source, RunFile.mapping(source, text), shared);
    String what = source + ": " + QUESTIONS;
    Check.that(
        below.isPresent() && below.get() instanceof SequenceNode,
        what,
        "a list, such as - ask: count",
        below.isPresent() ? below.get().getNodeId() : "none");
    List<Node> nodes = ((SequenceNode) below.get()).getValue();
    Check.that(!nodes.isEmpty() && nodes.size() <= MOST, what, "1 to " + MOST, nodes.size());
    for (Node node : nodes) {
      String place = RunFile.place(source, node);
      Check.that(
          node instanceof MappingNode, place + "a question", "keys and values", node.getNodeId());
      List<Key> keys = new ArrayList<>();
      Optional<Node> inner = keys(source, ((MappingNode) node).getValue(), keys);
      Check.that(inner.isEmpty(), place + QUESTIONS, "once, not inside a question", QUESTIONS);
      questions.add(asked(place, keys));
    }
    return new QuestionFile(List.copyOf(shared), List.copyOf(questions));
  }

  private static Asked asked(String place, List<Key> keys) {
    List<Key> own = new ArrayList<>();
    String verb = "";
    double weight = 1;
    for (Key key : keys) {
      if (key.name.equals(ASK) || key.name.equals(WEIGHT)) {
        Check.that(key.values.size() == 1, key.place + key.name, "one value", "a list");
        String value = key.values.get(0);
        verb = key.name.equals(ASK) ? value : verb;
        weight =
            key.name.equals(WEIGHT)
                ? NumberText.real(key.place + WEIGHT, "in [1e-6, 1e6]", w -> w >= 1e-6 && w <= 1e6)
                    .apply(value)
                : weight;
      } else {
        own.add(key);
      }
    }
    Check.that(!verb.isEmpty(), place + ASK, "given, as in ask: count", "none");
    return new Asked(place, verb, weight, own);
  }

  /** Adds the keys, and gives what stands below the one of the questions. */
  private static Optional<Node> keys(String source, List<NodeTuple> tuples, List<Key> to) {
    Set<String> seen = new HashSet<>();
    Node questions = null;
    for (NodeTuple tuple : tuples) {
      String place = RunFile.place(source, tuple.getKeyNode());
      String name = RunFile.text(tuple.getKeyNode(), place, "a key");
      Check.that(seen.add(name), place + name, "set once", name);
      if (name.equals(QUESTIONS)) {
        questions = tuple.getValueNode();
        continue;
      }
      List<String> values = new ArrayList<>();
      if (tuple.getValueNode() instanceof SequenceNode list) {
        list.getValue().forEach(each -> values.add(RunFile.text(each, place + name, "a list")));
        Check.that(!values.isEmpty(), place + name, "a list of one or more", "none");
      } else {
        values.add(RunFile.text(tuple.getValueNode(), place + name, "a value"));
      }
      to.add(new Key(place, name, values));
    }
    return Optional.ofNullable(questions);
  }
}
