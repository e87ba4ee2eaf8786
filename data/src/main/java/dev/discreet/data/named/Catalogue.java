package dev.discreet.data.named;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The named sets, with the hashes of their files and where these are. */
final class Catalogue {
  static final String CIFAR_TAR = "cifar-10-binary.tar.gz";

  private Catalogue() {}

  static List<NamedSet> sets() {
    return List.of(mnist(), fashionMnist(), cifar10(), PumsEmploymentSet.set());
  }

  private static NamedSet mnist() {
    return new NamedSet(
        "mnist",
        "MNIST",
        "mnist",
        60_000,
        10_000,
        0,
        new Shape(28, 28, 1),
        new Task.Classes(IntStream.range(0, 10).mapToObj(Integer::toString).toList()),
        List.of(),
        List.of(0.1307),
        List.of(0.3081),
        "CC BY-SA 3.0; LeCun, Cortes, Burges 1998",
        idx(
            List.of(
                "https://storage.googleapis.com/cvdf-datasets/mnist/",
                "https://ossci-datasets.s3.amazonaws.com/mnist/",
                "http://yann.lecun.com/exdb/mnist/"),
            "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
            "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
            "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"));
  }

  private static NamedSet fashionMnist() {
    return new NamedSet(
        "fashion-mnist",
        "Fashion-MNIST",
        "fashion-mnist",
        60_000,
        10_000,
        0,
        new Shape(28, 28, 1),
        new Task.Classes(
            List.of(
                "T-shirt/top",
                "Trouser",
                "Pullover",
                "Dress",
                "Coat",
                "Sandal",
                "Shirt",
                "Sneaker",
                "Bag",
                "Ankle boot")),
        List.of(),
        List.of(0.2860),
        List.of(0.3530),
        "MIT; Zalando (Xiao, Rasul, Vollgraf 2017)",
        idx(
            List.of(
                "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
                "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/",
                "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"),
            "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
            "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
            "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
            "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"));
  }

  private static NamedSet cifar10() {
    return new NamedSet(
        "cifar10",
        "CIFAR-10",
        "cifar10",
        50_000,
        10_000,
        0,
        new Shape(32, 32, 3),
        new Task.Classes(
            List.of(
                "airplane",
                "automobile",
                "bird",
                "cat",
                "deer",
                "dog",
                "frog",
                "horse",
                "ship",
                "truck")),
        List.of(),
        List.of(0.4914, 0.4822, 0.4465),
        List.of(0.2470, 0.2435, 0.2616),
        "no licence stated, cite Krizhevsky 2009",
        List.of(
            new PublicFile(
                CIFAR_TAR,
                false,
                "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
                Stream.of(
                        "https://www.cs.toronto.edu/~kriz/",
                        "https://storage.googleapis.com/s4tf-hosted-binaries/datasets/CIFAR10/")
                    .map(base -> URI.create(base + CIFAR_TAR))
                    .toList())));
  }

  /** What the tar unpacks to. */
  static List<PublicFile> cifarBatches() {
    return List.of(
        batch(
            "data_batch_1.bin", "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"),
        batch(
            "data_batch_2.bin", "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"),
        batch(
            "data_batch_3.bin", "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"),
        batch(
            "data_batch_4.bin", "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"),
        batch(
            "data_batch_5.bin", "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"),
        batch(
            "test_batch.bin", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"));
  }

  private static PublicFile batch(String name, String sha256) {
    return new PublicFile("cifar-10-batches-bin/" + name, false, sha256, List.of());
  }

  /** An image folder of JPEG copies, so pixels differ a little from the official ones. */
  static PublicFile cifarImages() {
    return new PublicFile(
        "cifar10-images.zip",
        false,
        "ad20075fc5d761cb1545aa313752ecc67cdb288bc8d01abc2128e7de0ddfedb5",
        List.of());
  }

  /** Training images and labels, test images and labels. */
  private static List<PublicFile> idx(List<String> mirrors, String... sha256) {
    List<String> names =
        List.of(
            "train-images-idx3-ubyte",
            "train-labels-idx1-ubyte",
            "t10k-images-idx3-ubyte",
            "t10k-labels-idx1-ubyte");
    List<PublicFile> files = new ArrayList<>();
    for (int i = 0; i < sha256.length; i++) {
      String name = names.get(i);
      files.add(
          new PublicFile(
              name,
              true,
              sha256[i],
              mirrors.stream().map(base -> URI.create(base + name + ".gz")).toList()));
    }
    return files;
  }
}
