package dev.discreet.account;

import dev.discreet.accounting.PublicApi;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where the lines of an account are kept: they only grow, and whoever appends one has seen all
 * before it. {@link AccountFile} keeps them in a file.
 *
 * <pre>{@code
 * Account account = Account.at(new AccountFile(Path.of("patients.csv.account")));
 * }</pre>
 */
@PublicApi
public interface AccountStore {

  /**
   * Reads.
   *
   * @param known how many lines the caller knows already
   * @return the lines after those
   */
  List<String> after(long known);

  /**
   * Appends one line, durably, while nobody else can. When this returns, the line is there for
   * good; when it throws, the line may be there or not.
   *
   * @param known how many lines the caller knows already
   * @param next makes the line to append of those after the known ones; empty to append none. What
   *     it throws is thrown, and nothing is appended
   */
  void append(long known, Function<List<String>, Optional<String>> next);

  /**
   * Names the place.
   *
   * @return for people who may know where it is
   */
  String place();

  /**
   * Names the account without telling of folders or machines: released files say this.
   *
   * @return for everyone
   */
  String name();

  /**
   * Who writes, as the place knows them.
   *
   * @return for people; by default the name that the machine has for them
   */
  default String user() {
    return System.getProperty("user.name", "unknown");
  }
}
