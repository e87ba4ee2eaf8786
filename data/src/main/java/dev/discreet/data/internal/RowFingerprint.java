package dev.discreet.data.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** {@link Fingerprint#of} again and again, without a new array for each part. For one thread. */
public final class RowFingerprint {
  private final MessageDigest hash = Fingerprint.sha256();
  private final int start;
  private ByteBuffer all;

  public RowFingerprint(String domain) {
    byte[] first = Fingerprint.start(domain);
    start = Integer.BYTES + first.length;
    all = ByteBuffer.allocate(1024).putInt(first.length).put(first);
  }

  /** Forgets what was added. */
  public void clear() {
    all.position(start);
  }

  /** Adds a part. */
  public void add(byte[] bytes, int from, int to) {
    int length = to - from;
    if (all.remaining() < Integer.BYTES + length) {
      all =
          ByteBuffer.wrap(Arrays.copyOf(all.array(), 2 * (all.capacity() + length)))
              .position(all.position());
    }
    all.putInt(length).put(bytes, from, length);
  }

  /** The fingerprint of what was added. */
  public long value() {
    hash.update(all.array(), 0, all.position());
    return ByteBuffer.wrap(hash.digest()).getLong();
  }

  /** That of one text. */
  public long of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    clear();
    add(bytes, 0, bytes.length);
    return value();
  }
}
