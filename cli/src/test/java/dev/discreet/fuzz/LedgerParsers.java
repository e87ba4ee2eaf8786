package dev.discreet.fuzz;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.RandomRuns;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Readers of ledgers, budgets and journals. */
final class LedgerParsers {
  static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final List<Mechanism> MECHANISMS =
      List.of(
          new Mechanism.Gaussian(1.5),
          new Mechanism.JointGaussian(List.of(1.0, 2.0)),
          new Mechanism.EstimatedNormGaussian(1.5, 3),
          new Mechanism.Laplace(2),
          new Mechanism.RandomizedResponse(0.7, 4),
          new Mechanism.Exponential(0.5),
          new Mechanism.PureDp(0.25),
          new Mechanism.ApproximateDp(0.5, 1e-6),
          new Mechanism.RenyiCurve(List.of(2.0, 4.0), List.of(0.1, 0.3)),
          new Mechanism.PoissonSampled(0.01, new Mechanism.Gaussian(1)),
          new Mechanism.FixedSizeSampled(10, 1000, new Mechanism.Gaussian(1)),
          new Mechanism.BestOf(
              new RandomRuns.Poisson(3),
              List.of(List.of(new Ledger.Entry(new Mechanism.Gaussian(4), 10)))));
  static final LedgerFile PLAN =
      new LedgerFile(
          Ledger.of(RELATION, MECHANISMS.get(9), 100), "person", 1000, true, "pld", List.of("If."));
  private static final List<String> LEDGERS = new ArrayList<>();
  private static final List<String> FILTERS =
      List.of(
          new PrivacyFilter(3, 1e-6).toJson(),
          new PrivacyFilter(1, 0).toJson(),
          new PrivacyFilter(3, 1e-6).cost(PLAN.ledger()).toJson());
  private static final List<HostileFiles> JOURNALS =
      List.of(
          HostileFiles.written(folder -> planned(folder.resolve("j"))),
          HostileFiles.written(folder -> asked(folder.resolve("j"))));

  static {
    for (Mechanism each : MECHANISMS) {
      LEDGERS.add(PLAN.withLedger(PLAN.ledger().plus(each, 3)).toJson());
    }
  }

  private LedgerParsers() {}

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofText(
            "ledger",
            random ->
                HostileFiles.of(
                    "ledger", JsonMutations.json(random, Mutations.pick(random, LEDGERS))),
            (folder, files) -> {
              LedgerFile file = LedgerFile.parse(files.text());
              TableParsers.same(file, LedgerFile.parse(file.toJson()));
              TableParsers.same(file.ledger(), Ledger.parse(file.toJson()));
              file.ledger().totals();
              file.ledger().perPart();
            }),
        HostileParser.ofText(
            "filter",
            random ->
                HostileFiles.of(
                    "filter", JsonMutations.json(random, Mutations.pick(random, FILTERS))),
            (folder, files) -> {
              TableParsers.refusedOrNot(
                  () -> {
                    Spending spent = Spending.parse(files.text());
                    TableParsers.same(spent, Spending.parse(spent.toJson()));
                  });
              PrivacyFilter filter = PrivacyFilter.parse(files.text());
              TableParsers.same(filter, PrivacyFilter.parse(filter.toJson()));
            }),
        HostileParser.ofFiles("journal", LedgerParsers::journal, LedgerParsers::readJournal));
  }

  private static void planned(Path file) {
    try (Journal journal = Journal.newFile(file, RELATION, "person")) {
      journal.intend(PLAN);
      journal.start(true, true, "account 1 run 2", "session");
      journal.charge(MECHANISMS.get(9), 1, 5, 0);
      journal.charge(MECHANISMS.get(9), 1, 5, 1);
      journal.condition("Only if it rains.");
      journal.watch();
    }
  }

  private static void asked(Path file) {
    try (Journal journal = Journal.newFile(file, RELATION, "")) {
      journal.budget(new PrivacyFilter(9, 1e-6));
      journal.start(true, true, "", "");
      journal.charge(MECHANISMS.get(3), 1, 1, 0);
      journal.charge(MECHANISMS.get(0), 1, 1, 1);
      journal.use(2);
    }
  }

  /** A line with the checksum that says it is what was written. */
  static String checked(String line) {
    CRC32 crc = new CRC32();
    crc.update(line.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue()) + " " + line + "\n";
  }

  /** The lines without their checksums. */
  static List<String> lines(byte[] file) {
    return new String(file, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.substring(9))
        .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
  }

  private static HostileFiles journal(SplittableRandom random) {
    return HostileFiles.of("j", journal(random, Mutations.pick(random, JOURNALS).get("j")));
  }

  static byte[] journal(SplittableRandom random, byte[] file) {
    if (Mutations.chance(random, 5)) {
      return Mutations.bytes(random, file);
    }
    List<String> lines = lines(file);
    for (int i = Mutations.times(random); i > 0 && !lines.isEmpty(); i--) {
      int at = random.nextInt(lines.size());
      int other = random.nextInt(lines.size());
      switch (random.nextInt(8)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(other, lines.get(at));
        case 2 -> lines.set(at, lines.set(other, lines.get(at)));
        case 3 -> lines.set(at, lines.get(at) + lines.get(other));
        default -> {
          String line = lines.get(at);
          lines.set(
              at,
              line.startsWith("{") && line.endsWith("}") && !line.contains("}{")
                  ? JsonMutations.json(random, safe(line)).replace("\n", " ")
                  : Mutations.text(random, line).replace("\n", " "));
        }
      }
    }
    StringBuilder all = new StringBuilder();
    lines.forEach(line -> all.append(checked(line)));
    return all.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** JSON that a change before may have broken. */
  static String safe(String json) {
    try {
      JsonMutations.parse(json);
      return json;
    } catch (RuntimeException e) {
      return "{}";
    }
  }

  private static void readJournal(Path folder, HostileFiles files) throws Exception {
    Path file = folder.resolve("j");
    Journal read = Journal.read(file);
    LedgerFile stated = read.stated();
    TableParsers.same(stated, LedgerFile.parse(stated.toJson()));
    read.payers().forEach(read::ledger);
    read.isPlanned();
    try (Journal again = Journal.file(file, read.neighbouring(), read.unit())) {
      TableParsers.same(read.ledger(), again.ledger());
      TableParsers.same(read.stated(), again.stated());
    }
    // Closing may give ids back, and no more.
    TableParsers.same(Journal.read(file).stated(), stated);
    Files.delete(file);
  }
}
