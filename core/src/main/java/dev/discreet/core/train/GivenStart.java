package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.Origin;
import dev.discreet.core.model.Transfer;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Parameters that a run is told to begin with.
 *
 * @param input the shape that they were made for; empty where any will do
 */
record GivenStart(float[] parameters, Origin origin, Optional<Shape> input) {
  GivenStart {
    parameters = parameters.clone();
  }

  /** What another model has learned, for a run that trains this network. */
  static GivenStart of(Transfer transfer, Origin origin, Network network) {
    Check.that(
        network.equals(transfer.network()),
        "network",
        "that of the transfer, " + transfer.network(),
        network);
    return new GivenStart(transfer.start(), origin, Optional.of(transfer.input()));
  }

  /**
   * Has a hash only of values that are public or were released: a hash of private values would tell
   * of them.
   */
  InitialParameters.Given described() {
    boolean hides = origin.standing() == Origin.Standing.NOT_PRIVATE;
    return new InitialParameters.Given(origin, hides ? Optional.empty() : Optional.of(hash()));
  }

  private String hash() {
    ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int at = 0; at < parameters.length; at += 1 << 14) {
        int now = Math.min(1 << 14, parameters.length - at);
        piece.asFloatBuffer().put(parameters, at, now);
        digest.update(piece.array(), 0, 4 * now);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
