package dev.discreet.data.named;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file that is the same for everyone.
 *
 * @param name relative to the folder of its set
 * @param packed whether mirrors serve it as gzip, {@code NAME.gz}. Gzip files of the same content
 *     differ, so the hash is that of the content.
 * @param mirrors where to get it, best first; empty where it comes with other files or not at all
 */
record PublicFile(String name, boolean packed, String sha256, List<URI> mirrors) {
  public PublicFile {
    mirrors = List.copyOf(mirrors);
  }

  /** The name under which it is fetched and kept. */
  String fetchedName() {
    return packed ? name + ".gz" : name;
  }

  boolean isGenuine(Path copy) throws IOException {
    return sha256.equals(sha256Of(copy));
  }

  /** Refuses a copy with other contents. */
  Path checked(Path copy) throws IOException {
    String found = sha256Of(copy);
    if (!found.equals(sha256)) {
      throw new IOException(
          copy
              + " must be the published file, of SHA-256 "
              + sha256
              + ". Provided value: "
              + found
              + ". Remove it to have it fetched again.");
    }
    return copy;
  }

  private String sha256Of(Path copy) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
    boolean unpack = packed && !copy.endsWith(Path.of(name).getFileName());
    try (InputStream file = Files.newInputStream(copy);
        InputStream in = unpack ? new GZIPInputStream(file, 1 << 16) : file) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    } catch (ZipException | EOFException e) {
      return "none, for it is no whole gzip file";
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
