package dev.discreet.account;

import dev.discreet.accounting.Check;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How one account takes over from another. The earlier one is closed before the new one is there:
 * after a crash in between, nothing can be spent under either, and the same call does the rest.
 */
final class FollowOn {
  private FollowOn() {}

  /** Closes an account for another one, and says what that begins with. */
  static AccountEntry.Opened of(Account before, AccountStore to, AccountTerms terms) {
    Check.that(
        to instanceof AccountFile file ? Files.notExists(file.path()) : to.after(0).isEmpty(),
        "account",
        "a new one",
        to.place());
    before.append(
        () -> {
          AccountState state = before.known();
          carried(state, terms);
          String place = AccountPlaces.seenFrom(before.store(), to);
          state
              .next()
              .ifPresent(
                  next ->
                      Check.that(
                          next.place().equals(place),
                          "account that follows " + before.store().place(),
                          "the one that it was closed for, " + next.place(),
                          place));
          return state.next().isPresent()
              ? null
              : new AccountEntry.Closed(
                  "the account " + to.place() + " follows it",
                  new AccountState.Successor(Account.newRun(), place));
        });
    AccountState state = before.known();
    return new AccountEntry.Opened(
        state.next().orElseThrow().id(),
        terms,
        state.words(),
        carried(state, terms),
        state.broken().isEmpty() ? "" : "the account that it follows promised nothing",
        state.passedOver());
  }

  /** What was spent, as the new ceiling counts it. */
  private static List<AccountState.Item> carried(AccountState state, AccountTerms terms) {
    Check.that(
        terms.unit().equals(state.terms().unit())
            && terms.unitColumn().equals(state.terms().unitColumn()),
        "unit of an account that follows another",
        "that of the other, " + state.terms().unitWords(),
        terms.unitWords());
    return state.items().stream()
        .map(
            item -> {
              Check.that(
                  item.standing() != AccountState.Standing.OPEN,
                  "account to follow",
                  "one whose runs are all settled (discreet account settle)",
                  "one with the open run " + item.run());
              return new AccountState.Item(
                  item.run(),
                  item.purpose(),
                  item.by(),
                  item.at(),
                  item.spent(),
                  Account.cost(terms, item.spent()),
                  item.standing());
            })
        .toList();
  }

  /**
   * The last of the accounts that follow one.
   *
   * @param named where the account is that the user has named, if any. A database that is neither
   *     that one nor that of the account before is not asked: whoever can write an account would
   *     choose where the user's password is sent
   */
  static Account last(Account first, Optional<AccountStore> named) {
    Account last = first;
    Set<String> seen = new HashSet<>();
    while (last.state().next().isPresent()) {
      Check.that(
          seen.add(last.state().id()),
          "accounts that follow " + first.store().place(),
          "a row with an end",
          "one that comes back to " + last.store().place());
      AccountState.Successor next = last.state().next().get();
      AccountStore to = AccountPlaces.from(last.store(), next.place());
      Check.that(
          to instanceof AccountFile
              || isSameDatabase(last.store(), to)
              || named.filter(each -> isSameDatabase(each, to)).isPresent(),
          "account that follows " + last.store().place() + ", in a database,",
          "named by --account, if that is where it is",
          next.place());
      Account after = Account.at(to, Optional.of(last));
      Check.that(
          after.state().id().equals(next.id()),
          "account at " + after.store().place(),
          "the one that follows " + last.store().place() + ", " + next.id(),
          after.state().id());
      last = after;
    }
    return last;
  }

  private static boolean isSameDatabase(AccountStore one, AccountStore other) {
    return one instanceof AccountDatabase a
        && other instanceof AccountDatabase b
        && a.url().equals(b.url());
  }
}
