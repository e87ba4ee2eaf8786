package dev.discreet.core.privacy;

import dev.discreet.accounting.PublicApi;
import dev.discreet.core.privacy.draws.Dice;
import dev.discreet.core.privacy.draws.KeyStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalLong;
import javax.crypto.spec.SecretKeySpec;

/**
 * Where the keys of lots and noise come from.
 *
 * <pre>{@code
 * Randomness secret = Randomness.secure();
 * Randomness repeatable = Randomness.insecure(1);
 * }</pre>
 */
@PublicApi
public final class Randomness {
  private final OptionalLong seed;

  private Randomness(OptionalLong seed) {
    this.seed = seed;
  }

  /**
   * Fresh keys from the system's cryptographic generator; they are never saved.
   *
   * @return what nobody can guess
   */
  public static Randomness secure() {
    return new Randomness(OptionalLong.empty());
  }

  /**
   * Keys that anyone can guess: the run can be repeated to the bit and protects no one. For tests
   * and for research on public data; every output of such a run says so.
   *
   * @param seed the same seed gives the same keys
   * @return what everybody can guess
   */
  public static Randomness insecure(long seed) {
    return new Randomness(OptionalLong.of(seed));
  }

  /**
   * Whether the keys are secret.
   *
   * @return false for a seed
   */
  public boolean isSecure() {
    return seed.isEmpty();
  }

  SamplingKey samplingKey() {
    return new SamplingKey(key("lots"));
  }

  Noise noise() {
    return new Noise(key("noise"));
  }

  /**
   * A die for choices that nobody may guess and that see no data: how often a search runs, and with
   * which settings. Not for several threads. With a seed it is the same each time.
   *
   * @param purpose what it is thrown for; with a seed, dice of other purposes give other throws
   * @return a die of its own for that purpose
   */
  public Dice dice(String purpose) {
    return new KeyStream(new SecretKeySpec(key("dice " + purpose), "AES"), 0).start(0, 0);
  }

  private byte[] key(String purpose) {
    byte[] key = new byte[16];
    if (isSecure()) {
      new SecureRandom().nextBytes(key);
      return key;
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(8).putLong(0, seed.getAsLong()));
      return Arrays.copyOf(digest.digest(purpose.getBytes(StandardCharsets.UTF_8)), 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
