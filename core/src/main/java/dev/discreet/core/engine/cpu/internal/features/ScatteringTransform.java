package dev.discreet.core.engine.cpu.internal.features;

import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.PackedMatrix;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.util.Arrays;

/**
 * The scattering of one image after another; one thread's own. What comes out depends on the image
 * alone, to the bit.
 */
public final class ScatteringTransform {
  private final Kernels kernels;
  private final ScatteringFilters filters;
  private final Shape input;
  private final Shape output;
  private final Scattering layer;
  private final Resolution[] resolutions;
  private final int[] outputColumns;
  private final int[] outputRows;
  private final float[] image;
  private final float[] spectrum;
  private final float[][] innerSpectrum;
  private final float[] filtered;
  private final float[] half;
  private final float[] wave;
  private final float[] modulus;
  private final float[] inner;
  private final float[] blurred;
  private final float[] pixels;

  public ScatteringTransform(Kernels kernels, ScatteringFilters filters) {
    this.kernels = kernels;
    this.filters = filters;
    this.layer = filters.layer;
    this.input = filters.input;
    this.output = filters.output;
    this.resolutions = new Resolution[layer.scales()];
    Arrays.setAll(
        resolutions, r -> new Resolution(filters.height >> r, filters.width >> r, output.width()));
    this.outputColumns = Resolution.steps(output.width(), 1);
    this.outputRows = Resolution.steps(output.width(), output.height());
    int complex = 2 * filters.height * filters.width;
    this.image = buffer(complex / 2);
    this.spectrum = buffer(complex);
    this.innerSpectrum = new float[layer.scales()][];
    Arrays.setAll(innerSpectrum, r -> buffer(complex >> 2 * r));
    this.filtered = buffer(complex);
    this.half = buffer(complex);
    this.wave = buffer(complex);
    this.modulus = buffer(complex / 2);
    this.inner = buffer(complex / 2);
    this.blurred = buffer(filters.height * output.width());
    this.pixels = buffer(output.positions());
  }

  private static float[] buffer(int size) {
    return new float[size + Kernels.SLACK];
  }

  /** Where rows, columns and complex values of a resolution lie. */
  private static final class Resolution {
    final int height;
    final int width;
    final int[] rows;
    final int[] inRow;
    final int[] complexRows;
    final int[] columns;
    final int[] inColumn;
    final int[] complexColumns;
    final int[] inComplexColumn;
    final int[] frequencyColumns;
    final int[] inFrequencyRow;
    final int[] blurredRows;
    final int[] inBlurredColumn;

    Resolution(int height, int width, int outputs) {
      this.height = height;
      this.width = width;
      this.rows = steps(height, width);
      this.inRow = steps(width, 1);
      this.complexRows = steps(height, 2 * width);
      this.columns = steps(width, 1);
      this.inColumn = complex(height, 2 * width, width);
      this.complexColumns = steps(width, 2 * height);
      this.inComplexColumn = steps(2 * height, 1);
      this.frequencyColumns = steps(height, 1);
      this.inFrequencyRow = complex(width, 2 * height, height);
      this.blurredRows = steps(height, outputs);
      this.inBlurredColumn = steps(height, outputs);
    }

    private static int[] steps(int count, int stride) {
      int[] steps = new int[count];
      Arrays.setAll(steps, i -> i * stride);
      return steps;
    }

    /** Real parts, then imaginary ones, {@code apart} from them. */
    private static int[] complex(int count, int stride, int apart) {
      int[] steps = new int[2 * count];
      Arrays.setAll(steps, i -> i < count ? i * stride : (i - count) * stride + apart);
      return steps;
    }
  }

  Shape output() {
    return output;
  }

  /** Reads an image, channels last, and writes its features. */
  public void apply(float[] in, int inAt, float[] out, int outAt) {
    for (int c = 0; c < input.channels(); c++) {
      channel(in, inAt + c, out, outAt + c * layer.paths());
    }
    if (layer.together() > 0) {
      normalise(out, outAt);
    }
    for (int i = outAt; i < outAt + output.size(); i++) {
      // What is not a number stays so: half precision here has no such thing.
      out[i] = Float.isNaN(out[i]) ? Float.NaN : HalfFloats.rounded(out[i]);
    }
  }

  private void channel(float[] in, int inAt, float[] out, int outAt) {
    pad(in, inAt);
    blur(image, 0, out, outAt);
    transform(image, 0, spectrum);
    int first = outAt + 1;
    int second = first + layer.scales() * layer.angles();
    for (int j = 0; j < layer.scales(); j++) {
      for (int angle = 0; angle < layer.angles(); angle++) {
        modulus(spectrum, 0, j, angle, modulus);
        blur(modulus, j, out, first++);
        if (j == layer.scales() - 1) {
          continue;
        }
        transform(modulus, j, innerSpectrum[j]);
        for (int larger = j + 1; larger < layer.scales(); larger++) {
          for (int other = 0; other < layer.angles(); other++) {
            modulus(innerSpectrum[j], j, larger, other, inner);
            blur(inner, larger, out, second++);
          }
        }
      }
    }
  }

  /** The image with a rim that mirrors it, its outermost pixels not repeated. */
  private void pad(float[] in, int inAt) {
    int rim = layer.stride();
    for (int y = 0; y < filters.height; y++) {
      int fromY = mirrored(y - rim, input.height());
      for (int x = 0; x < filters.width; x++) {
        int from = fromY * input.width() + mirrored(x - rim, input.width());
        float value = in[inAt + from * input.channels()];
        // What is no number is not the largest: it leaves no feature a number.
        image[y * filters.width + x] =
            Float.isFinite(value)
                ? Math.max(-Scattering.LARGEST_INPUT, Math.min(Scattering.LARGEST_INPUT, value))
                : Float.NaN;
      }
    }
  }

  private static int mirrored(int place, int side) {
    return place < 0 ? -place : place >= side ? 2 * (side - 1) - place : place;
  }

  /** From pixels, row by row, to frequencies, column by column. */
  private void transform(float[] from, int r, float[] to) {
    Resolution at = resolutions[r];
    product(from, at.rows, at.inRow, filters.forwardRow[r], half, at.complexRows);
    product(half, at.columns, at.inColumn, filters.forwardColumn[r], to, at.complexColumns);
  }

  /** The modulus of what a wavelet leaves, at the resolution of the wavelet's scale. */
  private void modulus(float[] from, int r, int scale, int angle, float[] to) {
    Resolution at = resolutions[scale];
    filter(from, resolutions[r], filters.wavelet(r, scale, angle), at);
    product(
        filtered,
        at.complexColumns,
        at.inComplexColumn,
        filters.inverseColumn[scale],
        half,
        at.complexColumns);
    product(
        half,
        at.frequencyColumns,
        at.inFrequencyRow,
        filters.inverseRow[scale],
        wave,
        at.complexRows);
    for (int y = 0; y < at.height; y++) {
      int real = y * 2 * at.width;
      for (int x = 0; x < at.width; x++) {
        float re = wave[real + x];
        float im = wave[real + at.width + x];
        to[y * at.width + x] = (float) Math.sqrt(re * re + im * im);
      }
    }
  }

  /**
   * Multiplies by the filter, and folds frequencies that the lower resolution cannot tell apart.
   */
  private void filter(float[] from, Resolution of, float[] wavelet, Resolution to) {
    boolean folds = of.width > to.width;
    for (int fx = 0; fx < of.width; fx++) {
      int at = fx * 2 * of.height;
      int into = fx % to.width * 2 * to.height;
      boolean adds = fx >= to.width;
      for (int start = 0; start < of.height; start += to.height) {
        addProducts(from, at + start, wavelet, fx * of.height + start, into, to.height, adds);
        addProducts(
            from,
            at + of.height + start,
            wavelet,
            fx * of.height + start,
            into + to.height,
            to.height,
            adds);
        adds = folds;
      }
    }
  }

  private void addProducts(
      float[] from, int at, float[] wavelet, int by, int into, int length, boolean adds) {
    if (adds) {
      for (int i = 0; i < length; i++) {
        filtered[into + i] += from[at + i] * wavelet[by + i];
      }
    } else {
      for (int i = 0; i < length; i++) {
        filtered[into + i] = from[at + i] * wavelet[by + i];
      }
    }
  }

  /** Blurs and samples an image of a resolution, and writes it as one channel of the output. */
  private void blur(float[] from, int r, float[] out, int outAt) {
    Resolution at = resolutions[r];
    product(from, at.rows, at.inRow, filters.blurRow[r], blurred, at.blurredRows);
    product(blurred, outputColumns, at.inBlurredColumn, filters.blurColumn[r], pixels, outputRows);
    for (int x = 0; x < output.width(); x++) {
      for (int y = 0; y < output.height(); y++) {
        out[outAt + (y * output.width() + x) * output.channels()] = pixels[x * output.height() + y];
      }
    }
  }

  private void product(
      float[] in, int[] base, int[] offset, PackedMatrix by, float[] out, int[] outBase) {
    kernels.multiply(in, base, base.length, offset, by, out, outBase, 0);
  }

  /** Neighbouring channels together to mean 0 and variance 1. */
  private void normalise(float[] out, int outAt) {
    int channels = output.channels();
    int size = layer.together() * output.positions();
    for (int from = 0; from < channels; from += layer.together()) {
      double sum = 0;
      for (int p = 0; p < output.positions(); p++) {
        for (int c = from; c < from + layer.together(); c++) {
          sum += out[outAt + p * channels + c];
        }
      }
      double mean = sum / size;
      double squares = 0;
      for (int p = 0; p < output.positions(); p++) {
        for (int c = from; c < from + layer.together(); c++) {
          double off = out[outAt + p * channels + c] - mean;
          squares += off * off;
        }
      }
      double scale = 1 / Math.sqrt(squares / size + Layer.EPSILON);
      for (int p = 0; p < output.positions(); p++) {
        for (int c = from; c < from + layer.together(); c++) {
          int i = outAt + p * channels + c;
          out[i] = (float) ((out[i] - mean) * scale);
        }
      }
    }
  }
}
