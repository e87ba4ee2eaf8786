package dev.discreet.bench;

import dev.discreet.account.Account;
import dev.discreet.account.AccountStore;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.DurableLines;
import dev.discreet.core.privacy.Budget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes an account of many entries to time {@code discreet account show} with: {@code ManyEntries
 * FILE ENTRIES MECHANISMS}. One entry in ten is a training, the others are queries; each was
 * reserved and settled. They are of so many different mechanisms.
 */
public final class ManyEntries {
  private ManyEntries() {}

  public static void main(String[] args) {
    List<String> lines = lines(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    try (DurableLines file = DurableLines.create(Path.of(args[0]))) {
      lines.forEach(file::append);
    }
  }

  /** The lines of such an account. */
  static List<String> lines(int entries, int mechanisms) {
    InMemory store = new InMemory(new ArrayList<>());
    PrivacyFilter ceiling = new PrivacyFilter(8, 1e-6);
    Account account =
        Account.open(store, new AccountTerms("person", "", Neighbouring.ADD_REMOVE, ceiling));
    for (int i = 0; i < entries; i++) {
      double noise = 1e4 + i % mechanisms;
      Ledger planned =
          i % 10 == 0
              ? Ledger.of(
                  Neighbouring.ADD_REMOVE,
                  new Mechanism.PoissonSampled(0.02, new Mechanism.Gaussian(noise)),
                  2000)
              : Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(noise), 1);
      Purpose purpose = new Purpose(i % 10 == 0 ? "train" : "query mean", "", "runs/" + i);
      Budget budget = account.budget(Account.newRun(), purpose, "person");
      budget.begin(
          new Budget.Session(
              Neighbouring.ADD_REMOVE, true, true, Account.newRun(), Set.of(), "file"));
      budget.reserve(
          new LedgerFile(planned, "person", 60_000, true, "pld"),
          Ledger.empty(Neighbouring.ADD_REMOVE));
      budget.settle(planned);
    }
    return store.lines;
  }

  /** Without a disk: making it would take hours if every entry read those before it. */
  private record InMemory(List<String> lines) implements AccountStore {
    @Override
    public List<String> after(long known) {
      return List.copyOf(lines.subList((int) known, lines.size()));
    }

    @Override
    public void append(long known, Function<List<String>, Optional<String>> next) {
      next.apply(after(known)).ifPresent(lines::add);
    }

    @Override
    public String place() {
      return "memory";
    }

    @Override
    public String name() {
      return "memory";
    }
  }
}
