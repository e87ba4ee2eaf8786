package dev.discreet.core.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static final Shape IMAGE = new Shape(6, 5, 3);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "relu conv(4,8,pad=1)"
            + " | layer 1: input of conv(4,8,pad=1) must be at least 6x6. Provided value: 6x5x3",
        "maxpool(2x6) | layer 0: input of maxpool(2x6) must be at least 2x6. Provided value: 6x5x3",
        "conv(4,1,groups=2) | layer 0: input channels of conv(4,1,groups=2) must be a multiple of"
            + " groups 2. Provided value: 6x5x3",
        "groupnorm(2) | layer 0: input channels of groupnorm(2) must be a multiple of groups 2."
            + " Provided value: 6x5x3",
        "residual(conv(4,3,pad=1)) | layer 0: output of residual(conv(4,3,pad=1)) must be its"
            + " input's 6x5x3 (or projected, to change it). Provided value: 6x5x4",
        "projected(conv(4,3)) | layer 0: output of projected(conv(4,3)) must be reachable by a"
            + " stride from 6x5x3. Provided value: 4x3x4",
        "tanh residual(relu conv(3,7)) | layer 1.body.1: input of conv(3,7) must be at least 7x7."
            + " Provided value: 6x5x3",
        "relu embedding(5,3) | layer 1: embedding(5,3) must be the first layer, for it reads"
            + " tokens. Provided value: layer 1",
        "relu scattering(1,8) | layer 1: input of scattering(1,8) must be an image whose sides are"
            + " multiples of 2 and larger than it. Provided value: 6x5x3",
        "conv(3,1x2) scattering(1,8) | layer 1: scattering(1,8) must be the first layer, for it reads"
            + " images. Provided value: layer 1",
        "conv(3,1x2) scattering(2,8) | layer 1: input of scattering(2,8) must be an image whose sides"
            + " are multiples of 4 and larger than it. Provided value: 6x4x3",
        "dense(10000000) dense(1000) | layer 1: parameters must be fewer than 2^31 in all. Provided"
            + " value: dense(1000) on 10000000",
      })
  void shapeErrorsNameTheLayerAndBothShapes(String text, String message) {
    Network network = Network.parse(text);
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> network.on(IMAGE)).getMessage());
  }

  @Test
  void slicesFollowOneAnother() {
    Layout layout =
        Network.parse(
                "conv(4,3) layernorm projected(conv(6,1,bias=false) residual(conv(6,1)))"
                    + " globalavgpool dense(2)")
            .on(IMAGE);
    assertEquals(
        List.of(
            "0.weight",
            "0.bias",
            "1.weight",
            "1.bias",
            "2.body.0.weight",
            "2.body.1.body.0.weight",
            "2.body.1.body.0.bias",
            "2.projection.weight",
            "2.projection.bias",
            "4.weight",
            "4.bias"),
        layout.slices().stream().map(Layout.Slice::name).toList());
    int end = 0;
    for (Layout.Slice slice : layout.slices()) {
      assertEquals(end, slice.offset(), slice.name());
      end = slice.end();
    }
    assertEquals(end, layout.parameters());
  }

  @Test
  void blocksNestToADepthThatEveryWalkSurvives() {
    String deepest = "residual(".repeat(64) + "relu" + ")".repeat(64);
    Layout layout = Network.parse(deepest + " dense(2)").on(IMAGE);
    assertEquals(
        List.of("1.weight", "1.bias"), layout.slices().stream().map(Layout.Slice::name).toList());
    for (int depth : new int[] {65, 1500, 100_000}) {
      String text = "relu " + "projected(residual(".repeat(depth / 2) + "projected(relu";
      assertEquals(
          "position 614: residual blocks must be nested at most 64 deep. Provided value: 65",
          assertThrows(IllegalArgumentException.class, () -> Network.parse(text)).getMessage());
    }
    Layer inner = Network.parse(deepest).layers().get(0);
    assertEquals(
        "residual blocks must be nested at most 64 deep. Provided value: 65",
        assertThrows(
                IllegalArgumentException.class,
                () -> new Layer.Residual(List.of(new Activation.Relu(), inner), false))
            .getMessage());
    // Side by side is not inside.
    Network.parse((deepest + " ").repeat(3) + "dense(1)").on(IMAGE);
  }

  /** A name is in a layer as a whole word: 1 is not in 10, nor 10 in 1. */
  @Test
  void aParameterKnowsItsLayer() {
    Layout layout =
        Network.parse("conv(4,3,pad=1) projected(conv(8,3,pad=1)) flatten dense(2)").on(IMAGE);
    List<LayerName> layers = layout.slices().stream().map(Layout.Slice::layer).distinct().toList();
    assertEquals(
        List.of("0", "1.body.0", "1.projection", "3"),
        layers.stream().map(LayerName::toString).toList());
    assertEquals(List.of(0, 1, 1, 3), layers.stream().map(LayerName::place).toList());
    LayerName inner = layers.get(1);
    for (String layer : List.of("1", "1.body", "1.body.0")) {
      assertTrue(inner.isIn(layer), layer);
    }
    for (String layer : List.of("", "0", "1.bod", "1.projection", "1.body.0.weight")) {
      assertFalse(inner.isIn(layer), layer);
    }
    assertFalse(LayerName.of(10).isIn("1"));
    assertFalse(LayerName.of(1).isIn("10"));
  }

  @Test
  void featuresAreCounted() {
    Network network = Network.parse("scattering(1,64) flatten dense(2)");
    String message =
        assertThrows(IllegalArgumentException.class, () -> network.on(new Shape(4, 4, 50_000_000)))
            .getMessage();
    assertTrue(
        message.contains("channels of scattering(1,64) must be fewer than 2^31. Provided value:"),
        message);
  }

  @Test
  void whatComesAfterFeaturesKeepsItsNames() {
    Layout whole = Network.parse("scattering(1,2) flatten dense(2)").on(new Shape(4, 6, 2));
    Layout rest = whole.afterFeatures();
    assertEquals("flatten dense(2)", rest.network().toString());
    assertEquals("2.weight", rest.slices().get(0).name());
    assertEquals(whole.slices(), rest.slices());
    assertEquals(new Shape(2, 3, 6), rest.input());
    assertSame(rest, rest.afterFeatures());
  }
}
