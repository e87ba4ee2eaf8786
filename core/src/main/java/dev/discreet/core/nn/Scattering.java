package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.List;

/**
 * Features of an image that nobody trained: its two-layer wavelet scattering transform (Bruna and
 * Mallat 2013), by the filters and the sampling of Kymatio. A fixed first layer has no parameters,
 * so it costs nothing; and what comes after it can be small, which is what noise punishes least.
 *
 * <p>Of each channel of the image come, in this order, its blur; for each scale and angle the
 * blurred modulus of what a wavelet leaves of it; and the same once more of each of those moduli,
 * with the wavelets of larger scales. All are sampled every 2^{@code scales} pixels. Values of an
 * image beyond ±8192 count as that, and what comes out is rounded to half precision.
 *
 * <pre>{@code
 * Network network = Network.parse("scattering(2,8,together=3) flatten dense(10)");
 * }</pre>
 *
 * @param scales how many sizes the wavelets have, each twice the one before
 * @param angles how many directions they have, over half a turn
 * @param together how many neighbouring channels are brought to mean 0 and variance 1 together, in
 *     each image by itself; 0 leaves all as they are
 */
@PublicApi
public record Scattering(int scales, int angles, int together) implements Layer {
  /** Beyond this an input counts as this: all that is computed of it then fits half precision. */
  public static final float LARGEST_INPUT = 8192;

  /** Refuses no scales, no angles, and more of them than anyone has a use for. */
  public Scattering {
    Check.that(scales >= 1 && scales <= 8, "scales of scattering", "in [1, 8]", scales);
    Check.that(angles >= 1 && angles <= 64, "angles of scattering", "in [1, 64]", angles);
    Check.that(together >= 0, "together of scattering", "at least 0", together);
  }

  /** {@return how many pixels lie between two neighbouring outputs} */
  public int stride() {
    return 1 << scales;
  }

  /** {@return how many channels each channel of the image becomes} */
  public int paths() {
    return 1 + scales * angles + angles * angles * scales * (scales - 1) / 2;
  }

  @Override
  public Shape output(Shape input) {
    Check.that(
        fits(input.height()) && fits(input.width()),
        "input of " + this,
        "an image whose sides are multiples of " + stride() + " and larger than it",
        input);
    long all = (long) input.channels() * paths();
    Check.that(all <= Integer.MAX_VALUE, "channels of " + this, "fewer than 2^31", all);
    int channels = (int) all;
    Check.that(
        together == 0 || channels % together == 0,
        "together of " + this,
        "a divisor of the channels, " + channels,
        together);
    return new Shape(input.height() / stride(), input.width() / stride(), channels);
  }

  /** The rim is the image mirrored, and a mirror image ends where the image does. */
  private boolean fits(int side) {
    return side % stride() == 0 && side > stride();
  }

  @Override
  public List<Parameter> parameters(Shape input) {
    return List.of();
  }

  @Override
  public <R> R accept(LayerVisitor<R> visitor) {
    return visitor.scattering(this);
  }

  @Override
  public String toString() {
    return NetworkSyntax.text(this);
  }
}
