package dev.discreet.core.privacy;

import dev.discreet.accounting.PublicApi;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;

/**
 * What a unit is told apart by where its id is a text: the first 128 bits of the SHA-256 of its
 * UTF-8. Two people with one name would be one unit, and each protected only as far as both
 * together; of 1e9 texts some two have one name with probability 2e-21. Names are no secret: they
 * are a public function of the text.
 *
 * <pre>{@code
 * UnitName name = UnitName.of("4fa1c2c4-1bb5-4f0c-a0ad-5a0a35c21f4d");
 * }</pre>
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
@PublicApi
public record UnitName(long high, long low) implements Comparable<UnitName>, Serializable {
  private static final Comparator<UnitName> ORDER =
      Comparator.comparingLong(UnitName::high).thenComparingLong(UnitName::low);

  /**
   * The name of the unit with this id.
   *
   * @param text any text; texts that differ in anything are different units
   * @return its name
   */
  public static UnitName of(String text) {
    try {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(utf8));
      return new UnitName(digest.getLong(), digest.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  @Override
  public int compareTo(UnitName other) {
    return ORDER.compare(this, other);
  }
}
