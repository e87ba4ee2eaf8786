package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that decides which units are in which lot, and every other choice that an engine makes
 * for a unit: its chunk of the sum, its dropout masks, its noise before clipping. Someone who knows
 * the key knows the lots, and the guarantee's amplification by sampling is lost. So the key is
 * never printed, saved or released.
 *
 * <p>A unit's 64 bits in a release are half of AES(key, (release, id/2)); the id's last bit chooses
 * the half. They depend only on key, release and id, so every machine gets the same bits.
 *
 * <p><b>Formal guarantee.</b> To someone who does not know the key, different (release, id) pairs
 * get independent uniform numbers, whatever the ids are. So it does not matter that removing a row
 * of an array renumbers the rows after it: with the old numbers the mechanism would have the same
 * distribution, and then a neighbour changes nothing for the units that both data sets have.
 * Choices by a public function of the id would not have this property.
 */
public final class SamplingKey {
  private final SecretKeySpec key;

  /** For choices other than lots: the encryption of a block that no (release, id/2) has. */
  private final SecretKeySpec choices;

  /** For directions: the encryption of another such block. */
  private final SecretKeySpec directions;

  /** Directions are multiples of this, below 16, so floats hold them without rounding. */
  public static final double DIRECTION_STEP = 0x1p-20;

  /** The largest number of directions of one release. */
  public static final int DIRECTIONS = 4096;

  SamplingKey(byte[] bytes) {
    Check.that(bytes.length == 16, "sampling key", "16 bytes", bytes.length);
    this.key = new SecretKeySpec(bytes, "AES");
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key);
      byte[] ones = new byte[16];
      Arrays.fill(ones, (byte) -1);
      this.choices = new SecretKeySpec(cipher.doFinal(ones), "AES");
      ones[15] = 0;
      this.directions = new SecretKeySpec(cipher.doFinal(ones), "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /** A fresh key from the system's cryptographic generator. */
  public static SamplingKey fresh() {
    return Randomness.secure().samplingKey();
  }

  /** A key that anyone can guess, for repeatable runs that protect no one. */
  public static SamplingKey insecure(long seed) {
    return Randomness.insecure(seed).samplingKey();
  }

  /**
   * 64 secret bits for each unit of a lot, for everything that is chosen for it in this release.
   */
  public long[] choices(long release, Units units, int[] lot) {
    long[] bits = new long[lot.length];
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, choices);
      byte[] input = new byte[16 * Math.min(lot.length, 2048)];
      byte[] output = new byte[input.length];
      for (int from = 0; from < lot.length; from += 2048) {
        int count = Math.min(2048, lot.length - from);
        for (int i = 0; i < count; i++) {
          Bits.LONGS.set(input, 16 * i, release);
          Bits.LONGS.set(input, 16 * i + 8, units.id(lot[from + i]));
        }
        cipher.update(input, 0, 16 * count, output, 0);
        for (int i = 0; i < count; i++) {
          bits[from + i] = (long) Bits.LONGS.get(output, 16 * i);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
    return bits;
  }

  /**
   * One of a release's random directions, for estimates of norms: independent standard normals,
   * each rounded to a multiple of {@link #DIRECTION_STEP}. They depend only on key, release and
   * number, and are independent of all other choices. They need not stay secret. But nobody may
   * know them before the data are fixed, because for any given direction there are gradients that
   * it does not see.
   *
   * @param number from 0
   * @param to receives the direction
   */
  public void direction(long release, int number, float[] to) {
    Check.that(
        number >= 0 && number < DIRECTIONS, "direction", "in [0, " + DIRECTIONS + ")", number);
    Directions.fill(directions, release, number, to);
  }

  /** The bits of one release; not for several threads at once. */
  Bits bits(long release) {
    return new Bits(release);
  }

  final class Bits {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long release;
    // Two arrays, because a cipher that works in place makes a copy each time.
    private byte[] input = new byte[0];
    private byte[] output = input;
    private Cipher cipher;
    // The unit that the key stream has reached, where ids are indices.
    private int reached = -1;

    private Bits(long release) {
      this.release = release;
    }

    /** The bits of units {@code from} to {@code from + count − 1}; {@code from} must be even. */
    void of(Units units, int from, int count, long[] to) {
      try {
        if (units.areExamples()) {
          stream(from, count, to);
        } else {
          blocks(units, from, count, to);
        }
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java has no AES", e);
      }
    }

    /** Neighbouring ids share blocks, and counter mode runs through those at full speed. */
    private void stream(int from, int count, long[] to) throws GeneralSecurityException {
      if (from != reached) {
        cipher = Cipher.getInstance("AES/CTR/NoPadding");
        byte[] counter = new byte[16];
        ByteBuffer.wrap(counter).putLong(release).putLong(from / 2);
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      }
      int bytes = 16 * ((count + 1) / 2);
      resize(bytes);
      cipher.update(input, 0, bytes, output, 0);
      for (int i = 0; i < count; i++) {
        to[i] = (long) LONGS.get(output, 8 * i);
      }
      reached = from + 2 * ((count + 1) / 2);
    }

    /** For any ids: a block for each. */
    private void blocks(Units units, int from, int count, long[] to)
        throws GeneralSecurityException {
      if (cipher == null) {
        cipher = Cipher.getInstance("AES/ECB/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
      }
      resize(16 * count);
      for (int i = 0; i < count; i++) {
        LONGS.set(input, 16 * i, release);
        LONGS.set(input, 16 * i + 8, units.id(from + i) >>> 1);
      }
      cipher.update(input, 0, 16 * count, output, 0);
      for (int i = 0; i < count; i++) {
        to[i] = (long) LONGS.get(output, 16 * i + 8 * (int) (units.id(from + i) & 1));
      }
    }

    private void resize(int bytes) {
      if (input.length < bytes) {
        input = new byte[bytes];
        output = new byte[bytes];
      }
    }
  }

  @Override
  public String toString() {
    return "SamplingKey[secret]";
  }
}
