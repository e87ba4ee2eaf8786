package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents show works as shown. */
class DocumentsTest {
  /** Of an excerpt that has none. */
  private static final String IMPORTS =
      "import dev.discreet.accounting.*; import dev.discreet.accounting.Mechanism.*;";

  private static List<String> blocks(String document, String language) throws IOException {
    Pattern block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    String text = Files.readString(Path.of("..", document));
    return block.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/accounting.md"})
  void theJavaCompiles(String document, @TempDir Path classes) throws IOException {
    List<String> examples = blocks(document, "java");
    assertFalse(examples.isEmpty());
    for (String example : examples) {
      Map<Boolean, List<String>> lines =
          example.lines().collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
      String imports = String.join("\n", lines.get(true));
      String source =
          (imports.isEmpty() ? IMPORTS : imports)
              + "\nclass Example { void example() {\n"
              + String.join("\n", lines.get(false))
              + "\n} }";
      JavaFileObject file =
          new SimpleJavaFileObject(
              URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
              return source;
            }
          };
      StringWriter said = new StringWriter();
      List<String> options =
          List.of(
              "-cp", System.getProperty("java.class.path"), "-d", classes.toString(), "-proc:none");
      boolean compiled =
          ToolProvider.getSystemJavaCompiler()
              .getTask(said, null, null, options, null, List.of(file))
              .call();
      assertTrue(compiled, said.toString());
    }
  }

  /** All but the digits, which the tests of the accountants hold. */
  @Test
  void theAnswerInTheReadmeIsTheAnswer() throws IOException {
    List<String> blocks = blocks("README.md", "");
    String command = blocks.get(0).lines().findFirst().orElseThrow();
    String answer = Run.of(command.replaceFirst("^\\./discreet ", "")).done().out();
    Pattern digits = Pattern.compile("\\d+\\.\\d+");
    assertEquals(
        digits.matcher(blocks.get(1)).replaceAll("#"), digits.matcher(answer).replaceAll("#"));
  }

  @Test
  void everyLinkInTheReadmeLeadsSomewhere() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    List<String> links =
        Pattern.compile("\\]\\(([^):]+)\\)")
            .matcher(readme)
            .results()
            .map(link -> link.group(1))
            .toList();
    assertFalse(links.isEmpty());
    assertEquals(
        List.of(), links.stream().filter(link -> !Files.exists(Path.of("..", link))).toList());
  }
}
