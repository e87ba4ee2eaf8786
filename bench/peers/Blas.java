import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Random;

/**
 * What a Java of release 22 or later gets from a BLAS through the door to foreign functions: a peer of DenseSpeed that
 * answers the same lines as gemm.py. {@code java --enable-native-access=ALL-UNNAMED bench/peers/Blas.java
 * libopenblas.so.0}. The arrays are Java's own, and are handed over where they lie. One thread: set OPENBLAS_NUM_THREADS=1.
 */
public final class Blas {
  private static final int ROWS_FOLLOW = 101;
  private static final int AS_IT_IS = 111;
  private static final int TRANSPOSED = 112;

  public static void main(String[] args) throws Throwable {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = SymbolLookup.libraryLookup(args[0], Arena.global());
    AddressLayout pointer = ValueLayout.ADDRESS;
    ValueLayout.OfInt whole = ValueLayout.JAVA_INT;
    ValueLayout.OfFloat real = ValueLayout.JAVA_FLOAT;
    MethodHandle product =
        linker.downcallHandle(
            library.find("cblas_sgemm").orElseThrow(),
            FunctionDescriptor.ofVoid(
                whole, whole, whole, whole, whole, whole, real, pointer, whole, pointer, whole, real, pointer, whole),
            Linker.Option.critical(true));
    System.out.println(args[0] + " through foreign functions, Java " + System.getProperty("java.version"));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.trim().split(" ");
      int[] size = Arrays.stream(words, 1, 4).mapToInt(Integer::parseInt).toArray();
      System.out.println(speed(product, words[0].equals("outer"), size[0], size[1], size[2], Double.parseDouble(words[4])));
    }
  }

  /** GFLOP/s of the fastest of many products. */
  private static double speed(MethodHandle product, boolean outer, int n, int depth, int columns, double seconds)
      throws Throwable {
    MemorySegment left = random(n * depth);
    MemorySegment right = random((outer ? n : depth) * columns);
    int rows = outer ? depth : n;
    MemorySegment out = random(rows * columns);
    long end = System.nanoTime() + (long) (1e9 * seconds);
    long best = Long.MAX_VALUE;
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      product.invokeExact(
          ROWS_FOLLOW, outer ? TRANSPOSED : AS_IT_IS, AS_IT_IS, rows, columns, outer ? n : depth,
          1f, left, depth, right, columns, 0f, out, columns);
      best = Math.min(best, System.nanoTime() - began);
    }
    return 2.0 * n * depth * columns / best;
  }

  private static MemorySegment random(int length) {
    Random random = new Random(length);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextFloat();
    }
    return MemorySegment.ofArray(values);
  }
}
