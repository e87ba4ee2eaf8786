package dev.discreet.data.generate;

import dev.discreet.core.engine.Examples;
import dev.discreet.data.DataSet;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of sets: of every input and target as it is read, in order, the rows to train on first.
 */
final class Prints {
  private Prints() {}

  static String of(DataSet set) {
    MessageDigest digest = sha256();
    add(digest, set.train().examples());
    set.test().ifPresent(test -> add(digest, test.examples()));
    return HexFormat.of().formatHex(digest.digest());
  }

  static String of(Examples examples) {
    MessageDigest digest = sha256();
    add(digest, examples);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, Examples examples) {
    int size = examples.input().size();
    float[] row = new float[size + examples.targets()];
    ByteBuffer bytes = ByteBuffer.allocate(4 * row.length);
    for (int i = 0; i < examples.size(); i++) {
      examples.input(i, row, 0);
      examples.target(i, row, size);
      bytes.asFloatBuffer().put(row);
      digest.update(bytes.array());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
