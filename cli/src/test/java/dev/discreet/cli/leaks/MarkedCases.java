package dev.discreet.cli.leaks;

import static dev.discreet.cli.leaks.MarkedCase.of;

import dev.discreet.cli.leaks.WhatWasTold.Compared;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every spending verb, in all formats, under all relations, with all samplers and units. */
final class MarkedCases {
  /** Whether the long run was asked for. */
  static final boolean ALL = "all".equals(System.getProperty("marked"));

  /** Cases that wait for an accountant or a clock, for the long run alone. */
  private static final Set<String> SLOW =
      Set.of("estimated norms", "a plan only", "defaults", "CIFAR", "fixed size, replaced people");

  static final String TRAIN =
      "--quiet --steps 2 --noise-multiplier 1 --clip 1 --delta 1e-5 --held-out none --out $/out ";
  static final String PUBLIC = "--declared-units 20 ";
  static final String LOTS = TRAIN + PUBLIC + "--lot-size 8 ";
  private static final String ALOUD = LOTS.replace("--quiet ", "");
  static final String EVERYONE = TRAIN + PUBLIC + "--sampler full-batch ";
  private static final String GRID = "$/tune.yaml " + EVERYONE.replace("--held-out none", "");
  private static final String ROW =
      " --bounds 0..1000 --column income --epsilon 1 --ledger $/ledger ";
  private static final String OTHERWISE = String.join(" ", NeighbouringData.OTHERWISE) + " ";
  static final String PEOPLE = "--unit-column id --unit person ";

  private static final List<String> OTHER =
      List.of("p99,100,Ares,no,plain", "p99,200,Bern,no,plain");
  private static final List<String> ZERO = List.of(Marks.ID + ",,,,", Marks.ID + ",,,,");
  static final NeighbouringData MORE = NeighbouringData.oneMore(NeighbouringData.USABLE);
  static final NeighbouringData AMIDST = NeighbouringData.oneMoreAmidst(NeighbouringData.USABLE);
  private static final NeighbouringData UNUSABLE =
      NeighbouringData.oneMore(NeighbouringData.UNUSABLE);

  /** A question reads one column: rows without a number in it. */
  private static final NeighbouringData NO_NUMBERS =
      NeighbouringData.oneMore(NeighbouringData.UNUSABLE.subList(2, 6));

  private static final NeighbouringData REPLACED =
      NeighbouringData.replaced(OTHER, NeighbouringData.USABLE);
  private static final NeighbouringData ZEROED =
      NeighbouringData.replaced(ZERO, NeighbouringData.USABLE);
  private static final NeighbouringData NUMBERS = AMIDST.predictingIncome();
  private static final NeighbouringData OTHERS =
      NeighbouringData.oneMoreAmidst(NeighbouringData.UNUSABLE.subList(2, 7)).withOtherCells();
  private static final NeighbouringData IN_A_FILE =
      NeighbouringData.oneMoreAmidst(NeighbouringData.UNUSABLE.subList(2, 7)).declaredInAFile();
  private static final NeighbouringData ONE_ROW =
      NeighbouringData.oneMore(NeighbouringData.USABLE.subList(0, 1));

  private MarkedCases() {}

  private static List<String> many() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.addAll(NeighbouringData.USABLE);
    }
    return rows;
  }

  static Stream<MarkedCase> cases() {
    return all().filter(each -> ALL || !SLOW.contains(each.name()));
  }

  private static Stream<MarkedCase> all() {
    return Stream.of(formats(), samplersAndUnits(), algorithms(), searches(), questions(), fits())
        .flatMap(each -> each);
  }

  private static Stream<MarkedCase> formats() {
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of(
        of("a table", "train", MORE, noise, EVERYONE),
        of("a table with tabs", "train", MORE.tabs(), noise, EVERYONE),
        of("a packed table", "train", MORE.gzip(), noise, EVERYONE),
        of("a table written otherwise", "train", AMIDST.otherwiseWritten(), noise, EVERYONE),
        of("cells that are missing or others", "train", OTHERS, noise, EVERYONE + PEOPLE),
        of(
            "missing cells of all columns",
            "train",
            AMIDST,
            noise,
            EVERYONE + "--missing own --missing-cells none|99"),
        of("columns in a file", "train", IN_A_FILE, noise, EVERYONE + PEOPLE),
        of("dates", "train", MORE.dated(), Compared.TO_THE_BYTE, LOTS + PEOPLE),
        of("JSON", "train", MORE.json(), noise, EVERYONE + PEOPLE),
        of("free text", "train", AMIDST.byNotes("text,hash=16,letters=1..2"), noise, EVERYONE),
        of(
            "tokens",
            "train",
            MORE.byNotes("tokens,vocabulary=plain|fever,length=4"),
            noise,
            EVERYONE + "--model embedding(4,2)~flatten~dense(2)"),
        of("IDX", "train", NeighbouringData.idx(), noise, EVERYONE),
        of("npy", "train", NeighbouringData.npy(), noise, EVERYONE),
        of("npz", "train", NeighbouringData.npz(), noise, EVERYONE),
        of("CIFAR", "train", NeighbouringData.cifar(), noise, EVERYONE),
        of("CIFAR in a tar", "train", NeighbouringData.cifarTar(), noise, EVERYONE),
        of("features", "train", NeighbouringData.features(), noise, EVERYONE),
        of("images", "train", NeighbouringData.images(), noise, EVERYONE),
        of("images in a zip", "train", NeighbouringData.zippedImages(), noise, EVERYONE),
        of("a unit map", "train", NeighbouringData.npy().withUnitMap(), noise, EVERYONE));
  }

  private static Stream<MarkedCase> samplersAndUnits() {
    Compared noise = Compared.BUT_FOR_NOISE;
    String replaced = TRAIN + "--neighbouring replace-one ";
    return Stream.of(
        of("Poisson, rows", "train", AMIDST, noise, LOTS),
        of("Poisson, people", "train", AMIDST, noise, LOTS + PEOPLE),
        of("unusable rows", "train", UNUSABLE, Compared.TO_THE_BYTE, LOTS),
        of("a person without usable rows", "train", UNUSABLE, Compared.TO_THE_BYTE, LOTS + PEOPLE),
        of("one row each", "train", ONE_ROW, noise, EVERYONE + "--unit person --one-row-each"),
        of(
            "a person with 120 rows",
            "train",
            NeighbouringData.oneMoreAmidst(many()),
            noise,
            EVERYONE + PEOPLE + "--examples-per-unit 3"),
        // Nothing is declared: the number of units is that of every neighbour.
        of("Poisson, replaced rows", "train", REPLACED, noise, replaced + "--lot-size 8"),
        of(
            "fixed size, replaced rows",
            "train",
            REPLACED,
            noise,
            replaced.replace("--steps 2", "--steps 1") + "--lot-size 8 --sampler fixed-size"),
        of(
            "shuffled, replaced rows",
            "train",
            REPLACED,
            noise,
            replaced + "--lot-size 8 --sampler shuffled"),
        of(
            "fixed size, replaced people",
            "train",
            REPLACED,
            noise,
            replaced + PEOPLE + "--lot-size 4 --sampler fixed-size --public-ids"),
        of(
            "shuffled, zeroed rows",
            "train",
            ZEROED,
            noise,
            TRAIN + "--neighbouring zero-out --lot-size 8 --sampler shuffled"),
        of(
            "full batch, zeroed people",
            "train",
            ZEROED,
            noise,
            TRAIN + PEOPLE + "--neighbouring zero-out --sampler full-batch"),
        of("micro-batches", "train", REPLACED, noise, LOTS + "--micro-batch 2"));
  }

  private static Stream<MarkedCase> algorithms() {
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of(
        of(
            "a released score",
            "train",
            AMIDST,
            noise,
            EVERYONE.replace("--held-out none", "") + "--metric-noise 2 --json"),
        of(
            "all figures released",
            "train",
            AMIDST,
            noise,
            EVERYONE.replace("--held-out none", "")
                + "--metric-noise 2 --held-out-figures all --json"),
        of(
            "a score on the console",
            "train",
            AMIDST,
            noise,
            EVERYONE.replace("--held-out none", "--held-out console")),
        of(
            "a number to predict",
            "train",
            NUMBERS,
            noise,
            EVERYONE.replace("--held-out none", "") + "--metric-noise 2 --json"),
        of(
            "classes of different weight",
            "train",
            MORE,
            noise,
            EVERYONE + "--class-weights no=1|yes=3 --threshold 0.4 --json"),
        of("principal directions", "train", MORE, noise, EVERYONE + "--pca 1 --pca-noise 5"),
        of(
            "adaptive clipping",
            "train",
            MORE,
            noise,
            EVERYONE + "--clip-quantile 0.5 --count-noise 3 --json"),
        of(
            "noise over time",
            "train",
            MORE,
            noise,
            TRAIN + PUBLIC + "--sampling-rate 1 --noise-over-time banded(3)"),
        of(
            "a network",
            "train",
            MORE,
            noise,
            EVERYONE.replace("--clip 1", "--clip-per-layer 1,1") + "--model mlp(3)"),
        of("Langevin", "train", MORE, noise, EVERYONE + "--optimizer langevin"),
        of("estimated norms", "train", MORE, noise, EVERYONE + "--norm-projections 8"),
        of("noise before", "train", MORE, noise, EVERYONE + "--noise-before-clipping 0.1"),
        of("checkpoints", "train", MORE, noise, EVERYONE + "--checkpoints $/kept"),
        of("a saved run file", "train", MORE, noise, EVERYONE + "--save-run $/saved"),
        of(
            "scores on the way",
            "train",
            AMIDST,
            noise,
            EVERYONE.replace("--held-out none", "--held-out console")
                + "--evaluate-every 1 --watch-private"),
        of("defaults", "train", MORE, noise, "--quiet --declared-units 20 --epsilon 5 --out $/out"),
        of("a plan only", "train", AMIDST, Compared.TO_THE_BYTE, ALOUD + "--dry-run"));
  }

  /** Here noise chooses among candidates, or a clock among lines: marks alone are searched for. */
  static Stream<MarkedCase> searched() {
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.concat(
        Stream.of(
            of("rows that count", "tune", AMIDST, noise, GRID),
            of("not quiet", "train", AMIDST, noise, ALOUD)),
        Stream.of("count", "sum", "mean", "quantile", "histogram --bins 3")
            .map(
                each ->
                    of(
                        "in words",
                        "query " + each.split(" ")[0],
                        AMIDST,
                        noise,
                        each.replaceFirst("\\w+", "") + ROW)));
  }

  private static Stream<MarkedCase> searches() {
    return Stream.of(
        of("a grid", "tune", UNUSABLE, Compared.TO_THE_BYTE, GRID),
        of(
            "at random",
            "tune",
            UNUSABLE,
            Compared.TO_THE_BYTE,
            GRID.replace("tune.yaml", "random.yaml") + PEOPLE));
  }

  private static Stream<MarkedCase> questions() {
    Compared noise = Compared.BUT_FOR_NOISE;
    Stream<MarkedCase> noisier =
        Stream.of("count", "sum", "mean")
            .map(
                each ->
                    of(
                        "Gaussian noise",
                        "query " + each,
                        MORE,
                        noise,
                        ROW + "--mechanism gaussian --delta 1e-5 --json"));
    Stream<MarkedCase> quantiles =
        Stream.of("--no-interval", "--quantile 0.9 --candidates 11 --confidence 0.9")
            .map(each -> of(each, "query quantile", MORE, noise, ROW + each + " --json"));
    Stream<MarkedCase> otherwise =
        Stream.of("mean", "histogram --bins 3")
            .map(
                each ->
                    of(
                        "a table written otherwise",
                        "query " + each.split(" ")[0],
                        AMIDST.otherwiseWritten(),
                        noise,
                        each.replaceFirst("\\w+", "") + ROW + OTHERWISE + "--json"));
    Stream<MarkedCase> bins =
        Stream.of("--column income --edges 0,10,500,1000 ", "--column city --categories Ares|Bern ")
            .map(
                each ->
                    of(
                        each.split(" ")[2],
                        "query histogram",
                        MORE,
                        noise,
                        each + "--epsilon 1 --ledger $/ledger --json"));
    return Stream.of(asked(), tables(), undeclared(), files(), noisier, quantiles, otherwise, bins)
        .flatMap(each -> each);
  }

  /** Several questions of one file. */
  private static Stream<MarkedCase> files() {
    String file = "$/questions.yaml --ledger $/ledger --json ";
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of(
        of("a file", "query ask", MORE, noise, file + "--delta 1e-5"),
        of("a file, replaced", "query ask", REPLACED, noise, file + "--neighbouring replace-one"));
  }

  /** In cells, of rows that meet a condition. */
  private static Stream<MarkedCase> tables() {
    String rest = " --epsilon 1 --ledger $/ledger --json ";
    String people = PEOPLE + "--examples-per-unit 1 --cells-per-unit 2 ";
    String table = " --where income>=1 --by city=Ares|Bern --by sick=no|yes --margins";
    String income = " --column income=0..1000";
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of(
            "count --non-negative --out $/table.csv",
            "sum" + income,
            "mean" + income,
            "variance" + income,
            "ratio --over income=0..1000" + income,
            "ratio --that income>500",
            "quantile" + income,
            "histogram --edges 0,10,500,1000" + income.replace("=0..1000", ""))
        .flatMap(
            each -> {
              String verb = "query " + each.split(" ")[0];
              boolean quantile = verb.endsWith("quantile");
              String cells = quantile ? table.replace(" --margins", "") : table;
              String options = each.replaceFirst("\\w+", "") + cells + rest;
              return Stream.of(
                  of("a table", verb, MORE, noise, options),
                  of("a table of people", verb, AMIDST, noise, options + people),
                  of(
                      "a table, replaced",
                      verb,
                      REPLACED,
                      noise,
                      options + "--neighbouring replace-one"),
                  of(
                      "a table without usable rows",
                      verb,
                      NO_NUMBERS,
                      Compared.TO_THE_BYTE,
                      options + people));
            });
  }

  /** Values that nobody declared: the one that the marked person alone has is not shown. */
  private static Stream<MarkedCase> undeclared() {
    String income = " --column income=0..1000";
    String rest = " --epsilon 20 --delta 1e-7 --ledger $/ledger --json ";
    String people = PEOPLE + "--examples-per-unit 1 --cells-per-unit 2 ";
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of("count", "sum" + income, "mean" + income)
        .flatMap(
            each -> {
              String verb = "query " + each.split(" ")[0];
              String options = each.replaceFirst("\\w+", "") + " --by-undeclared ";
              String all = options + "note" + rest + people;
              return Stream.of(
                  of("keys", verb, AMIDST, noise, all),
                  of("keys, Gaussian noise", verb, MORE, noise, all + "--mechanism gaussian"),
                  of("keys, replaced", verb, REPLACED, noise, all + "--neighbouring replace-one"),
                  of("keys of one each", verb, AMIDST, noise, options + "id" + rest + people),
                  of(
                      "keys without usable rows",
                      verb,
                      NO_NUMBERS,
                      Compared.TO_THE_BYTE,
                      all + "--where income>=0"));
            });
  }

  private static Stream<MarkedCase> asked() {
    String people = ROW + PEOPLE + "--examples-per-unit 2 ";
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of("count", "sum", "mean", "quantile", "histogram --bins 3")
        .flatMap(
            each -> {
              String verb = "query " + each.split(" ")[0];
              String options = each.replaceFirst("\\w+", "");
              return Stream.of(
                  of("rows", verb, MORE, noise, options + ROW + "--json"),
                  of("people", verb, AMIDST, noise, options + people + "--json"),
                  of(
                      "replaced",
                      verb,
                      REPLACED,
                      noise,
                      options + ROW + "--neighbouring replace-one --json"),
                  of(
                      "zeroed",
                      verb,
                      ZEROED,
                      noise,
                      options + ROW + "--neighbouring zero-out --json"),
                  of(
                      "unusable rows",
                      verb,
                      NO_NUMBERS,
                      Compared.TO_THE_BYTE,
                      options + people + "--json"));
            });
  }

  private static Stream<MarkedCase> fits() {
    // So small that noise alone decides that no interval has ends: words would tell which have.
    String fit = "--epsilon 0.01 --delta 1e-5 --out $/out " + PUBLIC;
    String counts = "--spend 1 --delta 1e-5 --ledger $/ledger " + PUBLIC;
    String draft = "--spend 1 --ledger $/ledger --column income=0..1000 --to $/columns.yaml ";
    Compared noise = Compared.BUT_FOR_NOISE;
    return Stream.of(
        of("rows", "data declare", AMIDST, noise, draft),
        of("people", "data declare", AMIDST, noise, draft + PEOPLE + "--label sick=no|yes"),
        of("unusable rows", "data declare", NO_NUMBERS, noise, draft + PEOPLE),
        of(
            "a table written otherwise",
            "data declare",
            AMIDST.otherwiseWritten(),
            noise,
            draft + OTHERWISE + PEOPLE),
        of("rows", "regress", AMIDST, noise, fit),
        of("people", "regress", AMIDST, noise, fit + PEOPLE + "--json"),
        of(
            "Laplace noise",
            "regress",
            MORE,
            noise,
            fit.replace("--delta 1e-5 ", "") + "--method functional"),
        of(
            "a number to predict",
            "regress",
            NUMBERS,
            noise,
            fit + "--method sufficient-statistics"),
        of("unusable rows", "regress", UNUSABLE, noise, fit + PEOPLE),
        of("cells that are missing or others", "regress", OTHERS, noise, fit + PEOPLE),
        of("columns in a file", "regress", IN_A_FILE, noise, fit + "--no-intercept"),
        of("rows", "data describe", AMIDST, noise, counts),
        of("columns in a file", "data describe", IN_A_FILE, noise, counts),
        of(
            "a table written otherwise",
            "data describe",
            AMIDST.otherwiseWritten(),
            noise,
            counts + PEOPLE),
        of("people", "data describe", AMIDST, noise, counts + PEOPLE + "--json"),
        of("unusable rows", "data describe", UNUSABLE, noise, counts + PEOPLE));
  }
}
