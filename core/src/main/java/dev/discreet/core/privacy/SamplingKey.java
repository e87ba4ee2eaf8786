package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.core.privacy.draws.Uniforms;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that decides which units are in which lot, and every other choice that an engine makes
 * for a unit: its chunk of the sum, its dropout masks, its noise before clipping. Someone who knows
 * the key knows the lots, and the guarantee's amplification by sampling is lost. So the key is
 * never printed, saved or released.
 *
 * <p>Lots have a key of their own, made from this one: {@link Sampler} says how they are drawn.
 * Every other choice for a unit is made by AES(choices, (release, id)), with another such key, and
 * depends only on key, release and id. So every machine makes the same choices.
 *
 * <p><b>Formal guarantee.</b> Lots and choices share no bits, so to someone who does not know the
 * key they are independent. Of the choices, different (release, id) pairs get independent uniform
 * numbers, whatever the ids are. So it does not matter that removing a row of an array renumbers
 * the rows after it: with the old numbers the mechanism would have the same distribution, and then
 * a neighbour changes nothing for the units that both data sets have. Choices by a public function
 * of the id would not have this property.
 *
 * <p>The same holds for units with {@link UnitName}s of 128 bits. A name is first encrypted with a
 * key of its own, and the release is added to the first half of what comes out: the block of a
 * choice is AES(names, name) ⊕ (release, 0). Two names of one release, and two releases of one
 * name, never have the same block. Two names in two releases have it with probability 2⁻¹²⁸ a pair;
 * with N units and R releases some two do with probability below 2·N²·R·2⁻¹²⁸, which is below 1e-14
 * for 1e9 units and 1e6 releases. But for that, different (release, name) pairs get independent
 * uniform numbers.
 */
public final class SamplingKey {
  private final SecretKeySpec key;

  /** For choices other than lots: the encryption of a block that no (release, id/2) has. */
  private final SecretKeySpec choices;

  /** For directions: the encryption of another such block. */
  private final SecretKeySpec directions;

  /** For names of 128 bits: the encryption of a third such block. */
  private final SecretKeySpec names;

  /** For lots: the encryption of a fourth such block. */
  private final SecretKeySpec lots;

  /** Directions are multiples of this, below 16, so floats hold them without rounding. */
  public static final double DIRECTION_STEP = 0x1p-20;

  /** In the place of a release id, which is never negative: for what is the same in all of them. */
  private static final long BUCKETS = -1;

  /** As {@link #BUCKETS}, for the parts of a cyclic sampler. */
  private static final long PARTS = -2;

  private static final int BATCH = 2048;

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
      ones[15] = 1;
      this.names = new SecretKeySpec(cipher.doFinal(ones), "AES");
      ones[15] = 2;
      this.lots = new SecretKeySpec(cipher.doFinal(ones), "AES");
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
   * The key itself, for the machines that hold the units and choose among them. Whoever has it
   * knows the lots, so it goes to those machines and nowhere else.
   *
   * @return what {@link #ofWorker} takes
   */
  public byte[] forWorkers() {
    return key.getEncoded();
  }

  /**
   * The key on a machine that holds units.
   *
   * @param secret what {@link #forWorkers} gave
   */
  public static SamplingKey ofWorker(byte[] secret) {
    return new SamplingKey(secret);
  }

  /** The uniform numbers that draw the lot of a release. */
  Uniforms lot(long release) {
    return new Uniforms(lots, release);
  }

  /**
   * 64 secret bits for each unit of a lot, for everything that is chosen for it in this release.
   */
  public long[] choices(long release, Units units, int[] lot) {
    return encrypted(choices, release, firstHalves(units, lot), secondHalves(units, lot));
  }

  /**
   * The bucket of each unit: the same in every release.
   *
   * @param ids of the units
   * @param buckets how many there are
   * @return for each id a number from 0 to one less than {@code buckets}
   */
  public int[] buckets(long[] ids, int buckets) {
    return buckets(null, ids, buckets);
  }

  /**
   * The same for units that have names of 128 bits.
   *
   * @param names of the units
   * @param buckets how many there are
   */
  public int[] buckets(List<UnitName> names, int buckets) {
    long[] blocks = blocks(names.size(), i -> names.get(i).high(), i -> names.get(i).low());
    long[] first = new long[names.size()];
    long[] second = new long[names.size()];
    for (int i = 0; i < first.length; i++) {
      first[i] = blocks[2 * i];
      second[i] = blocks[2 * i + 1];
    }
    return buckets(first, second, buckets);
  }

  /** Those of some of the units. */
  int[] buckets(Units units, int[] lot, int buckets) {
    return buckets(firstHalves(units, lot), secondHalves(units, lot), buckets);
  }

  /** Which of so many parts each of some units belongs to, in all releases. */
  int[] parts(Units units, int[] some, int parts) {
    return even(
        encrypted(choices, PARTS, firstHalves(units, some), secondHalves(units, some)), parts);
  }

  private int[] buckets(long[] first, long[] second, int buckets) {
    return even(encrypted(choices, BUCKETS, first, second), buckets);
  }

  private static int[] even(long[] bits, int below) {
    return Arrays.stream(bits).mapToInt(each -> (int) ((each >>> 32) * below >>> 32)).toArray();
  }

  /** What the release is added to; null for nothing. */
  private long[] firstHalves(Units units, int[] lot) {
    if (!units.areNamed()) {
      return null;
    }
    long[] blocks = units.blocks(this);
    return Arrays.stream(lot).mapToLong(unit -> blocks[2 * unit]).toArray();
  }

  private long[] secondHalves(Units units, int[] lot) {
    if (!units.areNamed()) {
      return Arrays.stream(lot).mapToLong(units::id).toArray();
    }
    long[] blocks = units.blocks(this);
    return Arrays.stream(lot).mapToLong(unit -> blocks[2 * unit + 1]).toArray();
  }

  /** Names encrypted with the key that is for names: two numbers each. */
  long[] blocks(int count, IntToLongFunction high, IntToLongFunction low) {
    long[] blocks = new long[Math.multiplyExact(2, count)];
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, names);
      byte[] input = new byte[16 * Math.min(count, BATCH)];
      byte[] output = new byte[input.length];
      for (int from = 0; from < count; from += BATCH) {
        int now = Math.min(BATCH, count - from);
        for (int i = 0; i < now; i++) {
          Bits.LONGS.set(input, 16 * i, high.applyAsLong(from + i));
          Bits.LONGS.set(input, 16 * i + 8, low.applyAsLong(from + i));
        }
        cipher.update(input, 0, 16 * now, output, 0);
        for (int i = 0; i < 2 * now; i++) {
          blocks[2 * from + i] = (long) Bits.LONGS.get(output, 8 * i);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
    return blocks;
  }

  /** Whether the other is the same secret. */
  boolean isSame(SamplingKey other) {
    return this == other || key.equals(other.key);
  }

  private static long[] encrypted(SecretKeySpec by, long release, long[] first, long[] second) {
    long[] bits = new long[second.length];
    try {
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, by);
      byte[] input = new byte[16 * Math.min(second.length, BATCH)];
      byte[] output = new byte[input.length];
      for (int from = 0; from < second.length; from += BATCH) {
        int count = Math.min(BATCH, second.length - from);
        for (int i = 0; i < count; i++) {
          Bits.LONGS.set(input, 16 * i, first == null ? release : first[from + i] ^ release);
          Bits.LONGS.set(input, 16 * i + 8, second[from + i]);
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

  /**
   * For each unit 64 bits: half of AES(key, (nonce, id/2)), where the id's last bit chooses the
   * half. Not for several threads at once.
   *
   * @param nonce no release id, so that they are no other choice's bits
   */
  Bits bits(long nonce) {
    return new Bits(nonce);
  }

  final class Bits {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long nonce;
    // Two arrays, because a cipher that works in place makes a copy each time.
    private byte[] input = new byte[0];
    private byte[] output = input;
    private Cipher cipher;
    // The unit that the key stream has reached, where ids are indices.
    private int reached = -1;

    private Bits(long nonce) {
      this.nonce = nonce;
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
        ByteBuffer.wrap(counter).putLong(nonce).putLong(from / 2);
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
      long[] named = units.areNamed() ? units.blocks(SamplingKey.this) : null;
      for (int i = 0; i < count; i++) {
        int unit = from + i;
        LONGS.set(input, 16 * i, named == null ? nonce : named[2 * unit] ^ nonce);
        LONGS.set(input, 16 * i + 8, named == null ? units.id(unit) >>> 1 : named[2 * unit + 1]);
      }
      cipher.update(input, 0, 16 * count, output, 0);
      for (int i = 0; i < count; i++) {
        int half = named == null ? (int) (units.id(from + i) & 1) : 0;
        to[i] = (long) LONGS.get(output, 16 * i + 8 * half);
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
