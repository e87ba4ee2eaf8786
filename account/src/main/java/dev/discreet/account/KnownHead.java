package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.List;

/**
 * What somebody remembers of an account: how long it was, and the hash of its last line then. Run
 * folders, statements and reports keep one, so that an account that was put back from an old copy
 * is found.
 *
 * <pre>{@code
 * KnownHead head = account.state().head();
 * String kept = head.text(); // such as "12 9f86d0…"
 * }</pre>
 *
 * @param source who remembers it, for messages
 * @param length how many lines the account had, at least 1
 * @param hash of the last of them, as 64 hexadecimal digits
 */
@PublicApi
public record KnownHead(String source, long length, String hash) {
  /**
   * Refuses what no account can have.
   *
   * @param source who remembers it
   * @param length at least 1
   * @param hash 64 hexadecimal digits
   */
  public KnownHead {
    Check.that(length >= 1, "length of an account", "at least 1", length);
    Check.that(hash.matches("[0-9a-f]{64}"), "head of an account", "64 hexadecimal digits", hash);
  }

  /**
   * As files keep it.
   *
   * @return the length and the hash
   */
  public String text() {
    return length + " " + hash;
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @param source where it was read
   * @param text a length and a hash
   * @return what is remembered
   */
  public static KnownHead parse(String source, String text) {
    String[] parts = text.split(" ");
    Check.that(
        parts.length == 2 && parts[0].matches("[1-9][0-9]{0,17}"),
        "head of an account in " + source,
        "a length and a hash",
        text);
    return new KnownHead(source, Long.parseLong(parts[0]), parts[1]);
  }

  /** Whether the lines of an account begin with what is remembered. */
  boolean isIn(List<String> lines) {
    return lines.size() >= length && AccountLine.hash(lines.get((int) length - 1)).equals(hash);
  }

  /** Refuses the lines of an account that do not begin with what is remembered. */
  void check(List<String> lines) {
    Check.that(
        lines.size() >= length,
        "account",
        "as long as " + source + " knows it, " + length + " lines (was an old copy put back?)",
        lines.size());
    String found = AccountLine.hash(lines.get((int) length - 1));
    Check.that(
        found.equals(hash),
        "line " + length + " of the account",
        "the one that " + source + " knows, " + hash,
        found);
  }
}
