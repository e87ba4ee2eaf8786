package dev.discreet.data.named;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataSet;
import dev.discreet.data.Rows;
import dev.discreet.data.Split;
import dev.discreet.data.table.Csv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether a person is employed, from ten yes-no features of a census sample. */
final class PumsEmploymentSet {
  // Columns of the file that features are made of, each in bounds that move it into [0, 1].
  private static final List<String> COLUMNS =
      List.of(
          "sex=0..1",
          "married=0..1",
          "black=0..1",
          "asian=0..1",
          "educ=1..16",
          "militaryservice=0..1",
          "uscitizen=0..1",
          "disability=0..1",
          "englishability=0..1");
  private static final int SEX = 0;
  private static final int BLACK = 2;
  private static final int EDUCATION = 4;
  // The study does not say where it cuts. We read 13 as a bachelor's degree and what follows as
  // higher ones.
  private static final double BACHELOR = (13 - 1) / (16.0 - 1);

  private PumsEmploymentSet() {}

  static NamedSet set() {
    return new NamedSet(
        "pums-employment",
        "PUMS employment",
        "pums",
        25_766,
        0,
        0.2,
        Shape.vector(10),
        new Task.Classes(List.of("0", "1")),
        List.of(
            "sex",
            "married",
            "black",
            "asian",
            "collegedegree",
            "militaryservice",
            "uscitizen",
            "disability",
            "englishability",
            "blackfemale"),
        List.of(),
        List.of(),
        "US Census Bureau public-use microdata (Fulton County GA), as prepared for a course",
        List.of(
            new PublicFile(
                "FultonPUMS5full.csv",
                false,
                "0fe7af5cb71ff1713b0960c81e87fa1684a6234560353e4d82be8cf854dbce31",
                // The course's repository has had several files of this name, none of which we saw
                // with these contents: a local copy only.
                List.of())));
  }

  /** The set is public, so what is split off to test on is public too. */
  static DataSet read(NamedSet set, Path file, Neighbouring relation) throws IOException {
    Rows rows =
        Csv.read(
                file,
                Column.parse("employed=0|1"),
                COLUMNS.stream().map(Column::parse).toList(),
                Optional.empty())
            .fitting();
    Rows features =
        new Rows(new Features(rows.examples()), set.task(), rows.unitOf(), rows.fingerprints());
    Split.Parts parts = Split.of(features, set.testShare(), relation, false);
    return new DataSet(
            set.title(),
            set.task(),
            parts.train(),
            parts.test().map(part -> new DataSet.Part(part.examples(), part.units(), true)))
        .published();
  }

  /** A degree in place of years of education, and black women as a feature of their own. */
  private record Features(Examples columns) implements Examples {
    @Override
    public int size() {
      return columns.size();
    }

    @Override
    public Shape input() {
      return Shape.vector(COLUMNS.size() + 1);
    }

    @Override
    public int targets() {
      return columns.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      columns.input(example, to, at);
      to[at + EDUCATION] = to[at + EDUCATION] >= BACHELOR - 1e-6 ? 1 : 0;
      to[at + COLUMNS.size()] = to[at + SEX] * to[at + BLACK];
    }

    @Override
    public void target(int example, float[] to, int at) {
      columns.target(example, to, at);
    }
  }
}
