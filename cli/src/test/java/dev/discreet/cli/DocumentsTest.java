package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents show works as shown; their Java is compiled by {@link PublicFaceTest}. */
class DocumentsTest {
  static List<String> blocks(String document, String language) throws IOException {
    Pattern block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    String text = Files.readString(Path.of("..", document));
    return block.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** To the last digit. */
  @Test
  void theAnswerInTheDocumentIsTheAnswer() throws IOException {
    List<String> blocks = blocks("docs/accounting.md", "");
    String command = blocks.get(0).lines().findFirst().orElseThrow();
    String answer = Run.of(command.replaceFirst("^\\./discreet ", "")).done().out();
    assertEquals(blocks.get(1), answer);
  }

  /** In the document's table of one setting: ε to the digits shown, the ends of pld exactly. */
  @Test
  void theFiguresOfTheComparisonAreItsFigures() throws IOException {
    String document = Files.readString(Path.of("..", "docs/accounting.md"));
    String command = found(document, "`\\./discreet (compare --noise[^`]*)`");
    List<?> rows = Run.of(command + " --json").array();
    for (Object each : rows) {
      Map<?, ?> row = (Map<?, ?>) each;
      String name = row.get("accountant").toString();
      BigDecimal shown =
          new BigDecimal(
              found(document, "(?m)^\\| `?" + Pattern.quote(name) + "`? \\| ([0-9.]+) "));
      double epsilon = (double) row.get("epsilon");
      assertEquals(epsilon, shown.doubleValue(), shown.ulp().doubleValue(), name);
      if (name.equals("pld")) {
        String bracket = found(document, "the truth lies in \\[([0-9., ]+)\\]");
        double lower = (double) row.get("epsilonLower");
        assertEquals(Digits.down(lower) + ", " + Digits.up(epsilon), bracket);
      }
    }
  }

  private static String found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), pattern);
    return matcher.group(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/accounting.md"})
  void theCommandsCanBePasted(String document, @TempDir Path folder) throws IOException {
    String text = Files.readString(Path.of("..", document));
    Pattern command = Pattern.compile("`\\./discreet ((?:epsilon|calibrate|compare) [^`…]*)`");
    List<String> commands = command.matcher(text).results().map(found -> found.group(1)).toList();
    assertFalse(commands.isEmpty());
    Path ledger = folder.resolve("ledger.json");
    Files.writeString(ledger, blocks("docs/accounting.md", "json").get(0));
    for (String each : commands) {
      String here =
          each.replace("FILE.json", ledger.toString())
              .replace("epsilon.svg", folder.resolve("epsilon.svg").toString());
      assertEquals(0, Run.of(here).code(), each);
    }
  }

  /** Every type of mechanism is shown, as it is written. */
  @Test
  void theLedgerInTheDocumentHasEveryMechanism() throws IOException {
    Ledger ledger = Ledger.parse(blocks("docs/accounting.md", "json").get(0));
    Set<Class<?>> shown = new HashSet<>();
    for (Ledger.Entry entry : ledger.entries()) {
      shown.add(entry.mechanism().getClass());
      shown.add(entry.mechanism().unsampled().getClass());
    }
    assertEquals(kinds(Mechanism.class).collect(Collectors.toSet()), shown);
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(DocumentsTest::kinds)
        : Stream.of(type);
  }

  /** No field of --json without a word about it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "epsilon --noise-multiplier 1 --sampler fixed --lot-size 1 --units 9 --steps 1 --delta 0"
            + " --statement",
        "epsilon --noise-multiplier 1 --sampler none --steps 1 --epsilon 1",
        "calibrate --mechanism laplace --epsilon 1",
        "calibrate --sampler none --steps 1 --epsilon 1 --delta 1e-5",
        "train --data gaussians --steps 1 --noise-multiplier 0.5 --quiet --out target/explained",
        "train --data gaussians --steps 1 --noise-multiplier 0.5 --dry-run",
        "train --data gaussians --steps 1 --insecure-seed 1 --noise-multiplier 0.5 --quiet"
            + " --out target/explained",
        "geometry --examples 10",
      })
  void everyJsonFieldIsExplained(String command) throws IOException {
    String document = Files.readString(Path.of("..", "docs/commands.md"));
    String force = command.startsWith("train") ? " --force" : "";
    for (String field : Run.of(command + force + " --json").object().keySet()) {
      assertTrue(document.contains("`" + field + "`"), field);
    }
  }

  static Stream<Path> documents() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : List.of("docs", "bench")) {
      try (Stream<Path> files = Files.walk(Path.of("..", folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(all::add);
      }
    }
    for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")) {
      all.add(Path.of("..", name));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkLeadsSomewhere(Path document) throws IOException {
    List<String> links =
        Pattern.compile("\\]\\(([^):#]+)\\)")
            .matcher(Files.readString(document))
            .results()
            .map(link -> link.group(1))
            .toList();
    assertEquals(
        List.of(),
        links.stream().filter(link -> !Files.exists(document.resolveSibling(link))).toList());
  }
}
