package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.SyntaxRow.Argument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Walks the table of layers and losses: every kind has a row, and every row reads what it writes.
 */
class NetworkSyntaxTest {

  /** Every record that a sealed interface permits, however deep. */
  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(NetworkSyntaxTest::kinds)
        : Stream.of(type);
  }

  private static Set<Class<?>> written(List<? extends SyntaxRow<?>> rows) {
    return rows.stream().map(SyntaxRow::kind).collect(Collectors.toSet());
  }

  @Test
  void everyKindHasARow() {
    assertEquals(kinds(Layer.class).collect(Collectors.toSet()), written(NetworkSyntax.LAYERS));
    assertEquals(kinds(Loss.class).collect(Collectors.toSet()), written(NetworkSyntax.LOSSES));
  }

  @Test
  void layersStandInTheOrderOfTheirNames() {
    List<String> names = NetworkSyntax.LAYERS.stream().map(SyntaxRow::name).toList();
    assertEquals(names.stream().sorted().distinct().toList(), names);
  }

  @Test
  void everyRowReadsWhatItWrites() {
    for (SyntaxRow<? extends Layer> row : NetworkSyntax.LAYERS) {
      for (String text : texts(row)) {
        Network network = Network.parse(text);
        assertEquals(row.kind(), network.layers().get(0).getClass(), text);
        assertEquals(text, network.toString());
        assertEquals(network, Network.parse(network.toString()));
      }
    }
    for (SyntaxRow<? extends Loss> row : NetworkSyntax.LOSSES) {
      for (String text : texts(row)) {
        Network network = Network.parse("relu loss=" + text);
        assertEquals(row.kind(), network.loss().getClass(), text);
        assertEquals(text, network.loss().toString());
        assertEquals(network, Network.parse(network.toString()));
      }
    }
  }

  /** Every argument of a row changes what is read. */
  @Test
  void everyOptionMatters() {
    for (SyntaxRow<? extends Layer> row : NetworkSyntax.LAYERS) {
      List<String> texts = texts(row);
      for (String text : texts.subList(1, texts.size())) {
        assertNotEquals(Network.parse(texts.get(0)), Network.parse(text));
      }
    }
    assertTrue(texts(NetworkSyntax.LAYERS.get(1)).size() > 5);
  }

  /** A row without its options, and with each one of them. */
  private static List<String> texts(SyntaxRow<?> row) {
    if (row instanceof SyntaxRow.Call<?> call) {
      String values =
          call.arguments().stream()
              .filter(argument -> !argument.named())
              .map(argument -> sample(argument, false))
              .collect(Collectors.joining(","));
      List<String> texts = new ArrayList<>();
      texts.add(values.isEmpty() ? row.name() : row.name() + "(" + values + ")");
      for (Argument<?, ?> argument : call.arguments()) {
        if (argument.named()) {
          texts.add(
              row.name()
                  + "("
                  + (values.isEmpty() ? "" : values + ",")
                  + argument.name()
                  + "="
                  + sample(argument, true)
                  + ")");
        }
      }
      return texts;
    }
    return List.of(row.name() + "(relu)", row.name() + "(dense(3) tanh)");
  }

  /** A value that is not as usual. */
  private static String sample(Argument<?, ?> argument, boolean option) {
    ArgumentType<?> type = argument.type();
    if (type == ArgumentType.WHOLE) {
      return "3";
    } else if (type == ArgumentType.WEIGHTS) {
      return "1|0.25";
    } else if (type == ArgumentType.NUMBER) {
      return "0.125";
    } else if (type == ArgumentType.SIDES) {
      return option ? "2x1" : "3x2";
    }
    assertEquals(ArgumentType.TRUE_OR_FALSE, type);
    return Boolean.toString(!(Boolean) argument.usual().apply(null));
  }
}
