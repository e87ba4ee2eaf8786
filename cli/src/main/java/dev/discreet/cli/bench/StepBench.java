package dev.discreet.cli.bench;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.cli.bench.StepTimer.Timing;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Times steps of one model on one number of threads. A charged step is a private one that is also
 * on a journal and paid for by an account, both in files. All kinds are timed in turns, so that a
 * busy machine troubles all alike.
 *
 * @param accounts the folder for accounts; empty where no charged steps are timed
 */
record StepBench(
    StepTimer timer, int threads, int rounds, double seconds, Optional<Path> accounts) {
  private enum Kind {
    PRIVATE,
    PLAIN,
    CHARGED
  }

  /**
   * What was timed.
   *
   * @param charged empty where none were timed
   */
  record Outcome(Timing withPrivacy, Timing plain, Optional<Timing> charged) {}

  Outcome run() {
    List<Kind> kinds =
        accounts.isPresent() ? List.of(Kind.values()) : List.of(Kind.PRIVATE, Kind.PLAIN);
    kinds.forEach(this::once);
    Map<Kind, List<Timing>> timings = new EnumMap<>(Kind.class);
    for (int round = 0; round < rounds; round++) {
      for (Kind kind : kinds) {
        timings.computeIfAbsent(kind, each -> new ArrayList<>()).add(once(kind));
      }
    }
    return new Outcome(
        Timing.together(timings.get(Kind.PRIVATE)),
        Timing.together(timings.get(Kind.PLAIN)),
        Optional.ofNullable(timings.get(Kind.CHARGED)).map(Timing::together));
  }

  private Timing once(Kind kind) {
    Trainer trainer = timer.trainer(kind != Kind.PLAIN);
    return kind == Kind.CHARGED ? charged(trainer) : timer.time(trainer, threads, seconds);
  }

  /** With files in a folder of their own, which is deleted afterwards. */
  private Timing charged(Trainer trainer) {
    try {
      Path folder = Files.createTempDirectory(accounts.orElseThrow(), "bench");
      try {
        Account account =
            Account.open(
                new AccountFile(folder.resolve("bench.account")),
                new AccountTerms(
                    "example", "", Neighbouring.ADD_REMOVE, new PrivacyFilter(1000, 1e-5)));
        Purpose purpose = new Purpose("bench", "", "");
        return timer.time(
            trainer
                .journal(folder.resolve("bench.journal"))
                .budget(() -> account.budget(Account.newRun(), purpose, "example")),
            threads,
            seconds);
      } finally {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path each : files.toList()) {
            Files.delete(each);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
