package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was typed wrongly is wrong usage, whichever verb it was told: exit 2, and one line. */
class WrongInputTest {
  private static final String DECLARED = "--label sick=no|yes --column age=0..100 ";

  @TempDir private Path folder;

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  /** With {@code @} for the folder. */
  private String refused(String arguments) throws IOException {
    List<String> before = Small.names(folder);
    String line = Run.of(arguments.replace("@", folder + "/")).line(2);
    assertEquals(before, Small.names(folder));
    return line;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          train --data @rows.csv --label sick=no|yes --column aeg=0..100 --out @o ! must have the column aeg. Its columns: age, sick
          train --data @rows.csv --label ill=no|yes --column age=0..100 --out @o ! must have the label column ill
          train --data @rows.csv D --unit-column who --out @o ! must have the unit column who
          train --data @gone.csv D --out @o ! data must be a file or folder that exists
          train @gone.yaml ! there is no
          train --data @x.npy --labels @gone.npy --label 0|1 --out @o ! gone.npy does not exist.
          evaluate --run @gone --data @rows.csv ! gone
          predict --run @gone --data @rows.csv --out @p.csv ! gone
          query mean --data @rows.csv --column aeg --bounds 0..9 --epsilon 1 ! must have the column aeg
          query mean --data @gone.csv --column age --bounds 0..9 --epsilon 1 ! gone.csv does not exist.
          query mean --data @semicolons.tsv --column age --bounds 0..9 --epsilon 1 ! must have its columns between commas, semicolons or tabs
          query mean --data @bars.csv --column age --bounds 0..9 --epsilon 1 ! Its only column: age|sick
          epsilon --ledger @gone.json --delta 1e-5 ! there is no
          train --data @book.ods D --out @o ! export this one as .csv
          train --data @rows.parquet D --out @o ! the module discreet-duckdb reads it, where that is on the class path
          train --data @rows.txt D --out @o ! a table as text is to be called .csv or .tsv
          train --data @rows D --out @o ! a table as text is to be called .csv or .tsv
          data describe --data @book.ods ! export this one as .csv
          train --data @rows.csv D --out @rows.csv/run ! rows.csv is none
          train --data @rows.csv D --unit-map @gone.csv --out @o ! gone.csv does not exist.
          train --data @rows.csv D --unit-map @rows.csv --out @o ! must have the column row
          train --data @rows.csv D --unit-map @map.csv --out @o ! map.csv must have every example's row (outside the guarantee, for your eyes)
          """)
  void itIsWrongUsage(String arguments, String message) throws IOException {
    write("rows.csv", "age,sick\n1,no\n2,yes\n3,no\n");
    write("map.csv", "row,unit\n0,a\n");
    write("bars.csv", "age|sick\n1|no\n");
    write("semicolons.tsv", "age;sick\n1;no\n");
    for (String name : List.of("book.ods", "rows.parquet", "rows.txt", "rows", "x.npy")) {
      write(name, "PK?");
    }
    String line = refused(arguments.replace(" D ", " " + DECLARED));
    assertTrue(line.contains(message), line);
    assertFalse(line.contains("IDX file needs"), line);
  }

  @Test
  void semicolonsAreRead() throws IOException {
    write("rows.csv", "age;sick\n1;no\n2;yes\n3;no\n");
    Run.of(
            "query count --data F --column age --epsilon 1 --insecure-seed 1"
                .replace("F", folder.resolve("rows.csv").toString()))
        .done();
  }
}
