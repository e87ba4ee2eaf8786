package dev.discreet.cli;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a question is about: a plan, or a ledger that was written down. */
final class SubjectOptions {
  static final String LEDGER = "--ledger";

  /** How a line of a journal begins: with a checksum, and with what the first entry is. */
  private static final Pattern JOURNAL = Pattern.compile("[0-9a-f]{8} \\{\"journal\"");

  @Mixin private PlanOptions plan;

  @Option(
      names = LEDGER,
      paramLabel = "FILE",
      description = "A ledger or a journal, in place of the options above.")
  private Path ledger;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  /** What the subject still needs. */
  List<String> missing() {
    return ledger == null ? plan.missing() : List.of();
  }

  /** The plan that the options describe; null where a ledger was given instead. */
  Plan plan() {
    return ledger == null ? plan.plan() : null;
  }

  Subject subject() throws IOException {
    if (ledger == null) {
      return plan().subject();
    }
    String why = "cannot stand beside --ledger, which says it all";
    Usage.refuse(verb, why, PlanOptions.STEPS);
    Usage.refuse(verb, why, PlanOptions.NEIGHBOURING);
    Optional<Journal> journal = journal();
    // A run is told at the cost of its whole plan, wherever it was stopped, because the moment may
    // have been chosen.
    LedgerFile file = journal.isPresent() ? journal.get().stated() : read();
    Ledger read = file.ledger();
    long steps = read.entries().stream().mapToLong(Ledger.Entry::count).sum();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("ledger", ledger.toString());
    fields.put("steps", steps);
    String words = "the " + steps + (steps == 1 ? " release of " : " releases of ") + ledger;
    return new Subject(read, words, fields, file, journal);
  }

  /** The journal of a run; empty where the file is no journal. */
  private Optional<Journal> journal() throws IOException {
    if (!JOURNAL.matcher(text()).lookingAt()) {
      return Optional.empty();
    }
    Journal journal = Journal.read(ledger);
    Check.that(
        journal.isPrivate() && journal.isSecure(),
        "journal " + ledger,
        "of private releases with secret keys only",
        journal.isPrivate() ? "one with keys that anyone can guess" : "one of a non-private run");
    return Optional.of(journal);
  }

  private LedgerFile read() throws IOException {
    try {
      return LedgerFile.parse(text());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(ledger + ": " + e.getMessage(), e);
    }
  }

  private String text() throws IOException {
    if (Files.isDirectory(ledger)) {
      throw new IllegalArgumentException(ledger + ": a folder, not a ledger");
    }
    return TextFile.read(ledger);
  }
}
