package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.recipe.setting.ColumnsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclareCommandTest {
  @TempDir private Path folder;

  private Path table(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Run declare(Path data, String... others) {
    String[] all = new String[4 + others.length];
    System.arraycopy(new String[] {"data", "declare", "--data", data.toString()}, 0, all, 0, 4);
    System.arraycopy(others, 0, all, 4, others.length);
    return Run.of(all);
  }

  /** Whatever the rows hold, and however they are broken. */
  @Test
  void onlyTheHeaderIsInADraft() throws IOException {
    String header = "id,age,sex,income,sick\n";
    String first = declare(table("a.csv", header + "p1,39,f,1,no\n")).out();
    for (String rows :
        List.of(
            "",
            "p9;\"1,2\n",
            "marked,77,marked,1e9,yes\nmarked,,,,\n",
            "\"an open quote, and\nno end\n",
            "1,2\n")) {
      assertEquals(first, declare(table("b.csv", header + rows)).out(), rows);
    }
    assertEquals(
        List.of("id=?", "age=?", "sex=?", "income=?", "sick=?"),
        List.copyOf(ColumnsFile.parse("draft", first).columns().values()));
    Run said = declare(folder.resolve("a.csv"));
    assertTrue(said.err().contains("those that " + folder.resolve("a.csv") + " begins with"));
    assertFalse(said.err().contains("p1"), said.err());
  }

  @Test
  void aDraftIsRefusedUntilItIsFilledIn() throws IOException {
    StringBuilder rows = new StringBuilder("id;age;no;sick\n");
    for (int i = 0; i < 200; i++) {
      rows.append("p%d;%d,5;%d;%s\n".formatted(i, i % 90, i % 2, i % 2 == 0 ? "no" : "yes"));
    }
    Path data = table("people.csv", rows.toString());
    Path draft = folder.resolve("columns.yaml");
    Run written =
        declare(
            data,
            "--label",
            "sick=no|yes",
            "--unit-column",
            "id",
            "--decimal",
            "comma",
            "--missing",
            "row",
            "--to",
            draft.toString());
    assertEquals(0, written.code(), written.err());
    assertTrue(written.out().startsWith("Wrote " + draft), written.out());
    String text = Files.readString(draft);
    for (String line :
        List.of(
            "label: sick",
            "unit-column: id",
            "decimal: comma",
            "missing: row",
            "  age: '?'",
            "#   text,hash=1024,words=1..2")) {
      assertTrue(text.contains("\n" + line + "\n"), line + " in " + text);
    }
    assertFalse(text.contains("people"), text);
    assertFalse(text.contains("id: '?'"), text);
    List<String> train =
        List.of(
            "train",
            "--data",
            data.toString(),
            "--columns",
            draft.toString(),
            "--steps",
            "2",
            "--noise-multiplier",
            "2",
            "--held-out",
            "none",
            "--quiet",
            "--out",
            folder.resolve("run").toString());
    String open = Run.of(train.toArray(String[]::new)).line(2);
    assertTrue(
        open.contains("column age must be declared in the file (LOW..HIGH for a number"), open);
    assertTrue(open.contains("Provided value: ?"), open);
    Files.writeString(
        draft, text.replace("age: '?'", "age: 0..120").replace("\n  no: '?'", "\n  no: 0|1"));
    Run.of(train.toArray(String[]::new)).done();
    assertTrue(
        Files.readString(folder.resolve("run").resolve("run.yaml")).contains("no=0|1"),
        "columns by the draft");
    assertTrue(declare(data, "--to", draft.toString()).line(2).contains("or --force replaces it"));
    assertEquals(0, declare(data, "--to", draft.toString(), "--force").code());
  }

  @Test
  void namesThatYamlReadsOtherwiseStayNames() throws IOException {
    Path data =
        table(
            "odd.csv",
            "\"yes\",'~',\"a: b\",#c,\"- d\",1,\"x*\",x1..x3,\"two\nlines\",a=b,,\"\u00e4\u2028b\",?\n");
    Run drafted = declare(data);
    assertEquals(
        List.of("yes", "'~'", "a: b", "#c", "- d", "1", "x*", "x1..x3", "?"),
        List.copyOf(ColumnsFile.parse("draft", drafted.out()).columns().keySet()));
    assertTrue(drafted.err().contains("cannot be declared: 4"), drafted.err());
    assertEquals(
        List.of("c1", "c2"),
        List.copyOf(
            ColumnsFile.parse("draft", declare(data, "--header", "c1..c2").out())
                .columns()
                .keySet()));
    assertEquals("", declare(data, "--header", "c1..c2").err());
  }

  @Test
  void whatIsNoTableIsRefused() throws IOException {
    Path data = table("t.csv", "a,b\n");
    assertTrue(declare(data, "--label", "c").line(2).contains("must have the label column c"));
    assertTrue(declare(data, "--unit-column", "c").line(2).contains("the unit column c"));
    assertTrue(declare(data, "--label", "a=old").line(2).contains("LOW..HIGH for a number"));
    assertTrue(
        declare(data, "--to", folder.resolve("no/c.yaml").toString()).line(2).contains("to"));
    assertTrue(Run.of("data declare --data mnist").line(2).contains("one of rows and columns"));
    assertTrue(Run.of("data declare").line(2).contains("--data NAME|PATH is missing"));
  }
}
