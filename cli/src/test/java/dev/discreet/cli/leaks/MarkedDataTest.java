package dev.discreet.cli.leaks;

import static dev.discreet.cli.leaks.MarkedCase.of;
import static dev.discreet.cli.leaks.MarkedCases.AMIDST;
import static dev.discreet.cli.leaks.MarkedCases.EVERYONE;
import static dev.discreet.cli.leaks.MarkedCases.MORE;
import static dev.discreet.cli.leaks.MarkedCases.PEOPLE;
import static dev.discreet.cli.leaks.MarkedCases.PUBLIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Main;
import dev.discreet.cli.leaks.WhatWasTold.Compared;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Every verb that spends, on data without and with one person whose rows are marked: no mark comes
 * out, and nothing differs that noise does not explain (docs/trust/leaks.md).
 *
 * <p>{@code -Dmarked=all} also repeats every case with keys that differ.
 */
class MarkedDataTest {
  /** Verbs that release something of private rows, and pay for it. */
  private static final Set<String> SPENDING =
      Set.of(
          "train",
          "tune",
          "regress",
          "data describe",
          "data declare",
          "query count",
          "query sum",
          "query ask",
          "query mean",
          "query variance",
          "query ratio",
          "query histogram",
          "query quantile");

  /**
   * Verbs that tell of rows without noise, to the operator alone and with that label. The label of
   * audits is tested in AuditCommandTest and AuditMembershipCommandTest.
   */
  private static final Set<String> LABELLED =
      Set.of("evaluate", "geometry", "audit", "audit membership");

  /** Verbs to which no private row comes, or which tell it to whoever gives it. */
  private static final Set<String> OTHERS =
      Set.of(
          "predict", // a line for each row that it is given, about that row alone
          "export", // reads a model, which was released before
          "data list",
          "data fetch",
          "epsilon",
          "calibrate",
          "compare",
          "account open",
          "account cover",
          "account show",
          "account verify",
          "account settle",
          "account limit",
          "account import",
          "account close",
          "reproduce",
          "audit mechanism", // samples of a mechanism on made-up neighbours
          "bench accountants",
          "bench device",
          "bench scaling",
          "bench step",
          "help",
          "completion",
          "version");

  /** Runs on the data without the marked person, which several cases share. */
  private static final Map<List<Object>, WhatWasTold> TOLD = new HashMap<>();

  @TempDir private static Path folder;

  private static int places;

  private static final String HEADER_AND_MARKED =
      "id,income,city,sick,note\np77,3,Ares,no,plain\n" + NeighbouringData.USABLE.get(0) + "\n";

  /** Of names of one length, so that sizes can be compared. */
  private static Path place() throws IOException {
    return Files.createDirectories(folder.resolve(String.format("%04d", places++)));
  }

  private static WhatWasTold told(MarkedCase of, boolean marked, Optional<Long> seed)
      throws IOException {
    return of.told(place(), marked, seed);
  }

  private static WhatWasTold without(MarkedCase of, Optional<Long> seed) throws IOException {
    List<Object> key =
        Arrays.asList(of.verb(), of.options(), of.data().without(), of.data().declared(), seed);
    WhatWasTold told = TOLD.get(key);
    if (told == null) {
      told = told(of, false, seed);
      TOLD.put(key, told);
    }
    return told;
  }

  private static void compare(MarkedCase of, Optional<Long> seed, Compared compared)
      throws IOException {
    WhatWasTold one = without(of, seed);
    assertEquals(0, one.code(), one.err());
    WhatWasTold other = told(of, true, seed);
    one.sameAs(other, compared);
    assertEquals(Optional.empty(), other.told(new Marks(of.data().with())));
  }

  @ParameterizedTest
  @MethodSource("dev.discreet.cli.leaks.MarkedCases#cases")
  void noMarkComesOutAndNothingDiffersButNoise(MarkedCase of) throws IOException {
    if (of.isSeeded()) {
      compare(of, Optional.of(7L), of.compared());
    }
    // One case of each verb is enough where keys differ: then only what noise hides is compared.
    if (!of.isSeeded() || MarkedCases.ALL || FIRST.contains(of)) {
      if (of.verb().equals("tune")) {
        // Other noise chooses another candidate.
        assertEquals(
            Optional.empty(), told(of, true, Optional.empty()).told(new Marks(of.data().with())));
      } else {
        compare(of, Optional.empty(), Compared.BUT_FOR_NOISE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.discreet.cli.leaks.MarkedCases#searched")
  void noMarkComesOut(MarkedCase of) throws IOException {
    WhatWasTold told = told(of, true, Optional.empty());
    assertEquals(0, told.code(), told.err());
    assertEquals(Optional.empty(), told.told(new Marks(of.data().with())));
  }

  private static final Set<MarkedCase> FIRST = first();

  private static Set<MarkedCase> first() {
    Map<String, MarkedCase> first = new HashMap<>();
    MarkedCases.cases()
        .filter(each -> !each.options().contains("--dry-run"))
        .forEach(each -> first.putIfAbsent(each.verb(), each));
    return Set.copyOf(first.values());
  }

  private static void leaves(CommandLine command, String name, Set<String> found) {
    command
        .getSubcommands()
        .forEach((verb, sub) -> leaves(sub, (name + " " + verb).strip(), found));
    // A verb with others below it may do something by itself, too.
    if (command.getSubcommands().isEmpty() || command.getCommand() instanceof Callable) {
      found.add(name);
    }
  }

  /** A new verb must say here what it tells; one that spends must be among the cases. */
  @Test
  void everyVerbIsListed() {
    Set<String> found = new TreeSet<>();
    leaves(new CommandLine(Main.class), "", found);
    Set<String> listed = new TreeSet<>(SPENDING);
    listed.addAll(LABELLED);
    listed.addAll(OTHERS);
    assertEquals(listed, found, "verbs; a new one belongs in SPENDING, LABELLED or OTHERS");
    Set<String> run = new TreeSet<>();
    MarkedCases.cases().forEach(each -> run.add(each.verb()));
    assertEquals(new TreeSet<>(SPENDING), run);
  }

  /** An account remembers what was spent by whom, and nothing of the rows. */
  @Test
  void accountsTellTheSame() throws IOException {
    Map<Boolean, List<String>> told = new HashMap<>();
    for (boolean marked : List.of(false, true)) {
      Path place = place();
      Path table = place.resolve("rows.csv");
      Files.write(table, (marked ? AMIDST.with() : AMIDST.without()).get("rows.csv"));
      String people = " --data " + table + " " + PEOPLE;
      String declared = String.join(" ", AMIDST.declared()) + " " + PUBLIC;
      String fit = "--epsilon 1 --delta 1e-6 ";
      List<String> all = new ArrayList<>();
      for (String each :
          List.of(
              "account open " + table + " --epsilon 20 --delta 1e-5 " + PEOPLE,
              "query sum --column income --bounds 0..1000 --epsilon 1 --examples-per-unit 2 --json"
                  + people,
              "train --quiet --steps 1 --sampler full-batch --held-out none --json --out "
                  + place.resolve("out")
                  + people
                  + fit
                  + declared,
              "regress --json --out "
                  + place.resolve("fit")
                  + people
                  + fit.replace("--epsilon 1 ", "--epsilon 0.01 ")
                  + declared,
              "data describe --json --spend 1 --ledger "
                  + place.resolve("ledger")
                  + people
                  + "--delta 1e-6 "
                  + declared,
              "data declare --spend 1 --column income=0..1000 --to "
                  + place.resolve("columns.yaml")
                  + people,
              "account show " + table,
              "account verify " + table)) {
        WhatWasTold one = WhatWasTold.by(place, table, List.of(each.split(" +")));
        assertEquals(0, one.code(), one::toString);
        assertEquals(Optional.empty(), one.told(new Marks(AMIDST.with())));
        all.addAll(one.lines());
      }
      told.put(marked, all);
    }
    assertLinesMatch(told.get(false).stream().map(Pattern::quote), told.get(true).stream());
  }

  /** A run that goes on where all is done already says once more what it said. */
  @Test
  void aRunThatGoesOnTellsTheSame() throws IOException {
    List<WhatWasTold> both = new ArrayList<>();
    for (boolean marked : List.of(false, true)) {
      String options = EVERYONE + "--checkpoints $/kept";
      WhatWasTold first =
          told(of("", "train", AMIDST, Compared.BUT_FOR_NOISE, options), marked, Optional.of(7L));
      assertEquals(0, first.code(), first::toString);
      List<String> again =
          new ArrayList<>(List.of("train", "--accept-misfits", "--insecure-seed", "7", "--data"));
      Path rows = first.folder().resolve("data");
      again.add(rows.resolve("rows.csv").toString());
      again.addAll(AMIDST.declared());
      String resumed = options.replace("--quiet", "").replace("--checkpoints", "--resume");
      again.addAll(List.of(resumed.replace("$", first.folder().toString()).strip().split(" +")));
      WhatWasTold told = WhatWasTold.by(first.folder(), rows, again);
      assertEquals(0, told.code(), told::toString);
      assertTrue(told.err().contains("goes on after step 2"), told.err());
      assertEquals(Optional.empty(), told.told(new Marks(AMIDST.with())));
      both.add(told);
    }
    both.get(0).sameAs(both.get(1), Compared.BUT_FOR_NOISE);
  }

  static Stream<MarkedCase> faults() {
    Map<String, MarkedCase> first = new HashMap<>();
    MarkedCases.cases()
        .filter(each -> each.data().data().equals("rows.csv"))
        .filter(each -> !each.options().contains("--dry-run"))
        .forEach(each -> first.putIfAbsent(each.verb(), each));
    return first.values().stream();
  }

  /** A fault of the whole file: refused before anything is spent, whoever's row it is in. */
  @ParameterizedTest
  @MethodSource("faults")
  void aFaultyFileIsRefusedBeforeAnythingIsSpent(MarkedCase of) throws IOException {
    String table = new String(AMIDST.with().get("rows.csv"), StandardCharsets.UTF_8);
    for (String faulty :
        List.of(
            table.replace("id,income", "id,other"),
            table.replace(Marks.ID + ",734.19", Marks.ID + ",\"734.19"))) {
      Map<String, byte[]> files = Map.of("rows.csv", NeighbouringData.text(faulty));
      NeighbouringData data = new NeighbouringData(files, files, "rows.csv", AMIDST.declared());
      // The stack trace has the messages of all causes in it.
      List<String> options = new ArrayList<>(of.options());
      options.add("--debug");
      WhatWasTold told =
          told(
              new MarkedCase(of.name(), of.verb(), data, of.compared(), options),
              true,
              Optional.empty());
      assertNotEquals(0, told.code(), told::toString);
      assertTrue(told.err().contains("\tat dev.discreet."), told::toString);
      assertEquals(Optional.empty(), told.told(new Marks(files)), told::toString);
      told.files()
          .forEach(
              (name, bytes) ->
                  assertFalse(new String(bytes, StandardCharsets.UTF_8).contains("charge"), name));
      assertFalse(told.files().containsKey("out/"), told::toString);
    }
  }

  private static Map<String, byte[]> changed(Map<String, byte[]> files, String name, String text) {
    Map<String, byte[]> all = new HashMap<>(files);
    all.put(name, NeighbouringData.text(text));
    return all;
  }

  /** A map of units and a zip are refused as a whole for one entry, of which nothing is told. */
  @Test
  void aFaultyMapOrZipIsNotQuoted() throws IOException {
    NeighbouringData mapped = NeighbouringData.npy().withUnitMap();
    String map = new String(mapped.with().get("people.csv"), StandardCharsets.UTF_8);
    String last = NeighbouringData.PEOPLE + "," + Marks.ID + "\n";
    List<NeighbouringData> faulty = new ArrayList<>();
    for (String line : List.of("", Marks.ID + ",p3\n", last + last, "1" + last)) {
      Map<String, byte[]> files = changed(mapped.with(), "people.csv", map.replace(last, line));
      faulty.add(new NeighbouringData(files, files, mapped.data(), mapped.declared()));
    }
    NeighbouringData images = NeighbouringData.images();
    String name = "dog/" + Marks.ID + ".png";
    for (String other : List.of("dog\\" + Marks.ID + ".png", "../" + Marks.ID + ".png", "twice")) {
      Map<String, byte[]> all = new HashMap<>(images.with());
      boolean twice = other.equals("twice");
      all.put(twice ? name.replace('Z', 'z') : other, all.get(name));
      String zip = new String(NeighbouringData.zip(all), StandardCharsets.ISO_8859_1);
      zip = twice ? zip.replace(name.replace('Z', 'z'), name) : zip;
      Map<String, byte[]> files = Map.of("images.zip", zip.getBytes(StandardCharsets.ISO_8859_1));
      faulty.add(new NeighbouringData(files, files, "images.zip", images.declared()));
    }
    for (NeighbouringData data : faulty) {
      WhatWasTold told =
          told(of("", "train", data, Compared.BUT_FOR_NOISE, EVERYONE), true, Optional.empty());
      assertNotEquals(0, told.code(), told::toString);
      String said = told.err().replace(told.folder().toString(), "");
      assertTrue(said.contains("(outside the guarantee, for your eyes)"), said);
      assertEquals(Optional.empty(), new Marks(data.with()).in(NeighbouringData.text(said)), said);
      assertFalse(said.contains("16") || said.contains("17"), said);
      assertFalse(told.files().containsKey("out/"), told::toString);
    }
  }

  /** A refusal that depends on rows says that it is outside the guarantee. */
  @Test
  void whatRefusesForOneRowIsLabelled() throws IOException {
    Path people = Files.writeString(folder.resolve("public.csv"), HEADER_AND_MARKED);
    MarkedCase overlapping =
        of(
            "",
            "train",
            AMIDST,
            Compared.BUT_FOR_NOISE,
            EVERYONE.replace("--held-out none", "") + "--public-test " + people);
    assertEquals(0, told(overlapping, false, Optional.empty()).code());
    String few = "id,income,city,sick,note\np01,5,Ares,no,plain\np02,7,Bern,yes,plain\n";
    Map<String, byte[]> files = Map.of("rows.csv", NeighbouringData.text(few));
    NeighbouringData tiny = new NeighbouringData(files, files, "rows.csv", AMIDST.declared());
    String whole = EVERYONE.replace("--held-out none", "--test-share 0");
    Map<String, byte[]> single =
        Map.of("rows.csv", NeighbouringData.text(few.substring(0, few.indexOf("p02"))));
    String lines = few.substring(few.indexOf("p01"));
    Map<String, byte[]> crowd = Map.of("rows.csv", NeighbouringData.text(few + lines.repeat(200)));
    for (WhatWasTold refused :
        List.of(
            told(overlapping, true, Optional.empty()),
            told(
                of(
                    "",
                    "train",
                    new NeighbouringData(crowd, crowd, "rows.csv", AMIDST.declared()),
                    Compared.BUT_FOR_NOISE,
                    EVERYONE),
                true,
                Optional.empty()),
            told(of("", "train", tiny, Compared.BUT_FOR_NOISE, EVERYONE), true, Optional.empty()),
            told(
                of(
                    "",
                    "train",
                    new NeighbouringData(single, single, "rows.csv", AMIDST.declared()),
                    Compared.BUT_FOR_NOISE,
                    whole),
                true,
                Optional.empty()))) {
      assertEquals(2, refused.code(), refused::toString);
      assertTrue(refused.err().contains("outside the guarantee, for your eyes"), refused.err());
      assertEquals(Optional.empty(), refused.told(new Marks(AMIDST.with())));
    }
  }

  /** What is told without noise is told with a label. */
  @Test
  void whatIsNotNoisedIsLabelled() throws IOException {
    MarkedCase train = of("", "train", AMIDST, Compared.BUT_FOR_NOISE, EVERYONE);
    WhatWasTold trained = told(train, true, Optional.empty());
    Path run = trained.folder().resolve("out");
    for (String json : List.of("", " --json")) {
      WhatWasTold evaluated =
          WhatWasTold.by(run, run, List.of(("evaluate --run " + run + json).split(" ")));
      assertEquals(0, evaluated.code(), evaluated::toString);
      assertTrue(
          evaluated.out().contains("private rows: outside the guarantee, for your eyes"),
          evaluated::toString);
      assertEquals(Optional.empty(), evaluated.told(new Marks(AMIDST.with())));
    }
    String data = trained.folder().resolve("data/rows.csv").toString();
    List<String> geometry = new ArrayList<>(List.of("geometry", "--data", data));
    geometry.addAll(AMIDST.declared());
    WhatWasTold refused = WhatWasTold.by(run, run, geometry);
    assertEquals(2, refused.code(), refused::toString);
    Path plot = trained.folder().resolve("plot.svg");
    geometry.addAll(List.of("--outside-the-guarantee", "--plot", plot.toString()));
    WhatWasTold shown = WhatWasTold.by(run, run, geometry);
    assertEquals(0, shown.code(), shown::toString);
    assertTrue(shown.out().toLowerCase(Locale.ROOT).contains("outside the guarantee"), shown.out());
    assertTrue(Files.readString(plot).toLowerCase(Locale.ROOT).contains("outside the guarantee"));
  }

  /** The comparison can fail: rows that count change what is learnt. */
  @Test
  void aMarkedRowThatCountsIsLearntFrom() throws IOException {
    MarkedCase of = of("", "train", MORE, Compared.BUT_FOR_NOISE, EVERYONE);
    WhatWasTold one = told(of, false, Optional.of(7L));
    WhatWasTold other = told(of, true, Optional.of(7L));
    one.sameAs(other, Compared.BUT_FOR_NOISE);
    assertThrows(AssertionError.class, () -> one.sameAs(other, Compared.TO_THE_BYTE));
  }
}
