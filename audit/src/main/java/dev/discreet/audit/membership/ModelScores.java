package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.BitSet;

/**
 * What one trained model says of the players: all that is kept of it.
 *
 * @param in which players it was trained with
 * @param statistics one for each player, see {@link RowStatistic}
 */
public record ModelScores(boolean[] in, float[] statistics) {

  public ModelScores {
    Check.that(in.length == statistics.length, "statistics", "one a player", statistics.length);
  }

  /** On one line without spaces at its ends. */
  String text() {
    BitSet bits = new BitSet(in.length);
    for (int i = 0; i < in.length; i++) {
      bits.set(i, in[i]);
    }
    ByteBuffer values = ByteBuffer.allocate(4 * statistics.length);
    values.asFloatBuffer().put(statistics);
    Base64.Encoder encoder = Base64.getEncoder();
    return "in="
        + encoder.encodeToString(bits.toByteArray())
        + " statistics="
        + encoder.encodeToString(values.array());
  }

  static ModelScores parse(String text) {
    int space = text.indexOf(" statistics=");
    Check.that(text.startsWith("in=") && space > 0, "scores of a model", "as written here", text);
    Base64.Decoder decoder = Base64.getDecoder();
    BitSet bits = BitSet.valueOf(decoder.decode(text.substring(3, space)));
    ByteBuffer values = ByteBuffer.wrap(decoder.decode(text.substring(space + 12)));
    float[] statistics = new float[values.remaining() / 4];
    values.asFloatBuffer().get(statistics);
    boolean[] in = new boolean[statistics.length];
    for (int i = 0; i < in.length; i++) {
      in[i] = bits.get(i);
    }
    return new ModelScores(in, statistics);
  }
}
