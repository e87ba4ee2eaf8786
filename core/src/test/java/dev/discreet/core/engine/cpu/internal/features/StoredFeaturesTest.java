package dev.discreet.core.engine.cpu.internal.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.internal.kernels.Kernels;
import dev.discreet.core.engine.cpu.internal.kernels.ScalarKernels;
import dev.discreet.core.engine.cpu.internal.kernels.SimdKernels;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredFeaturesTest {
  private static final int COUNT = 41;
  private static final Layout LAYOUT =
      Network.parse("scattering(2,3,together=4) flatten dense(2)").on(new Shape(12, 8, 2));
  private static final int SIZE = LAYOUT.input().size();

  /** The ninth has a value that is no number, and the eleventh cannot be read. */
  private static final Examples IMAGES =
      new Examples() {
        @Override
        public int size() {
          return COUNT;
        }

        @Override
        public Shape input() {
          return LAYOUT.input();
        }

        @Override
        public int targets() {
          return 1;
        }

        @Override
        public void input(int example, float[] to, int at) {
          if (example == 11) {
            throw new IllegalStateException("the eleventh");
          }
          SplittableRandom random = new SplittableRandom(example);
          for (int i = 0; i < SIZE; i++) {
            to[at + i] = (float) random.nextDouble(0, 1);
          }
          to[at + 3] = example == 9 ? Float.NaN : to[at + 3];
        }

        @Override
        public void target(int example, float[] to, int at) {
          to[at] = example % 2;
        }
      };

  /** The images, and beside them whatever has a name in the folder while they are read. */
  private static Examples watching(Path folder, Set<Path> seen) {
    return (Examples)
        Proxy.newProxyInstance(
            StoredFeaturesTest.class.getClassLoader(),
            new Class<?>[] {Examples.class},
            (proxy, method, arguments) -> {
              try (Stream<Path> files = Files.list(folder)) {
                files.forEach(seen::add);
              }
              try {
                return method.invoke(IMAGES, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static float[] features(Examples stored, int example) {
    float[] features = new float[stored.input().size() + 2];
    stored.input(example, features, 1);
    return Arrays.copyOfRange(features, 1, features.length - 1);
  }

  @Test
  void areThoseThatTheTransformMakesToTheBitOnAnyThreadsByEitherKernels() {
    Kernels plain = new ScalarKernels(new SimdKernels().lanes());
    Scattering layer = (Scattering) LAYOUT.network().layers().get(0);
    ScatteringTransform transform =
        new ScatteringTransform(plain, new ScatteringFilters(layer, LAYOUT.input(), plain));
    Examples one = StoredFeatures.of(LAYOUT, IMAGES, SimdKernels::new, 1);
    Examples three = StoredFeatures.of(LAYOUT, IMAGES, () -> plain, 3);
    assertEquals(COUNT, one.size());
    assertEquals(new Shape(3, 2, 2 * (1 + 6 + 9)), one.input());
    for (int i = 0; i < COUNT; i++) {
      if (i == 9 || i == 11) {
        continue;
      }
      float[] image = new float[SIZE + Kernels.SLACK];
      IMAGES.input(i, image, 0);
      float[] made = new float[one.input().size()];
      transform.apply(image, 0, made, 0);
      assertArrayEquals(made, features(one, i));
      assertArrayEquals(made, features(three, i));
      float[] target = new float[1];
      three.target(i, target, 0);
      assertEquals(i % 2, target[0]);
    }
  }

  @Test
  void whatCannotBeReadCannotBeReadAsFeaturesEither() {
    Examples stored = StoredFeatures.of(LAYOUT, IMAGES, SimdKernels::new, 2);
    for (float each : features(stored, 9)) {
      assertTrue(Float.isNaN(each));
    }
    assertEquals(
        "the eleventh",
        assertThrows(IllegalStateException.class, () -> features(stored, 11)).getMessage());
  }

  @Test
  void noFileStaysBehindAndWithoutAFolderNothingIsKept(@TempDir Path folder) throws IOException {
    Set<Path> named = ConcurrentHashMap.newKeySet();
    Examples stored =
        StoredFeatures.of(LAYOUT, watching(folder, named), SimdKernels::new, 1, folder);
    features(stored, 3);
    // Windows keeps the name of a file that is open.
    if (File.separatorChar == '/') {
      assertEquals(Set.of(), named);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
    Path none = folder.resolve("none");
    assertEquals(
        none + " must be writable and have room for the features of all images: NoSuchFile",
        assertThrows(
                UncheckedIOException.class,
                () -> StoredFeatures.of(LAYOUT, IMAGES, SimdKernels::new, 1, none))
            .getMessage()
            .replaceAll("Exception.*", ""));
  }

  /** What an image has beyond ±8192 counts as that, so no feature leaves half precision. */
  @Test
  void hugeValuesCountAsTheLargest() {
    Scattering layer = new Scattering(2, 8, 0);
    Shape shape = new Shape(8, 8, 1);
    Kernels kernels = new SimdKernels();
    ScatteringTransform transform =
        new ScatteringTransform(kernels, new ScatteringFilters(layer, shape, kernels));
    float[] huge = new float[64 + Kernels.SLACK];
    float[] largest = huge.clone();
    for (int i = 0; i < 64; i++) {
      huge[i] = i % 3 == 0 ? -3e38f : 1e30f;
      largest[i] = i % 3 == 0 ? -8192 : 8192;
    }
    float[] ofHuge = new float[layer.output(shape).size()];
    float[] ofLargest = ofHuge.clone();
    transform.apply(huge, 0, ofHuge, 0);
    transform.apply(largest, 0, ofLargest, 0);
    assertArrayEquals(ofLargest, ofHuge);
    for (float each : ofHuge) {
      assertTrue(Math.abs(each) <= 65504);
    }
  }
}
