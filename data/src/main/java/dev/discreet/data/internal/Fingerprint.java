package dev.discreet.data.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first 64 bits of SHA-256 over what a unit is. It decides only on which side of a split the
 * unit falls, and stays with the data: a plain hash of private rows is never released.
 */
public final class Fingerprint {
  private Fingerprint() {}

  /** Of a unit with a declared identity; the same in every file that names it. */
  public static long ofUnit(String identity) {
    return of("unit", identity.getBytes(StandardCharsets.UTF_8));
  }

  /** Of an example's own contents, its label among them. */
  public static long of(String domain, byte[]... parts) {
    byte[] start = start(domain);
    int length = Integer.BYTES + start.length;
    for (byte[] part : parts) {
      length = Math.addExact(length, Integer.BYTES + part.length);
    }
    // Lengths go in front, so that no two lists of parts are the same bytes.
    ByteBuffer all = ByteBuffer.allocate(length).putInt(start.length).put(start);
    for (byte[] part : parts) {
      all.putInt(part.length).put(part);
    }
    return ByteBuffer.wrap(sha256().digest(all.array())).getLong();
  }

  static byte[] start(String domain) {
    return ("discreet " + domain).getBytes(StandardCharsets.UTF_8);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256.", e);
    }
  }
}
