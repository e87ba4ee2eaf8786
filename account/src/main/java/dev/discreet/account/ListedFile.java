package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.files.FollowedLinks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A file or folder that holds rows of an account's people, as the account remembers it: by its
 * place and by its content. A plain hash would tell anyone whether they have guessed the content;
 * this one has a key, which stays in the account.
 *
 * <pre>{@code
 * for (ListedFile file : account.state().files()) {
 *   System.out.println(file.path());
 * }
 * }</pre>
 *
 * @param path seen from the account's folder, with / between names
 * @param key of this listing alone
 * @param fingerprint of the content under that key
 */
@PublicApi
public record ListedFile(String path, String key, String fingerprint) {

  /** Lists what is there now, under a new key. */
  static ListedFile of(AccountFile account, Path file) {
    try {
      Path folder = account.path().toRealPath().getParent();
      Check.that(
          !CoveringAccounts.isEveryones(folder),
          "folder of an account that covers files",
          "one that not everyone may write to, or the account is not looked for there",
          folder);
      Path real = file.toRealPath();
      Check.that(
          real.startsWith(folder),
          "file that an account covers",
          "in the account's folder or below, " + folder + ", where it is looked for",
          file);
      String key = Account.newRun();
      return new ListedFile(named(folder, real), key, mac(key, content(real)));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          "file that an account covers must be there. Provided value: " + file, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The table or folder that an account lies beside, if it can be listed: one in a folder where
   * everyone may write, or elsewhere by a link, is found beside the account alone.
   */
  static Optional<ListedFile> beside(AccountStore account) {
    String end = AccountPlaces.SUFFIX;
    if (!(account instanceof AccountFile file) || !account.name().endsWith(end)) {
      return Optional.empty();
    }
    String name = account.name().substring(0, account.name().length() - end.length());
    Path data = file.path().resolveSibling(name);
    try {
      Path folder = file.path().toRealPath().getParent();
      return !name.isEmpty()
              && Files.exists(data)
              && data.toRealPath().startsWith(folder)
              && !CoveringAccounts.isEveryones(folder)
          ? Optional.of(of(file, data))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String named(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }

  /** Whether something at a place holds this file, is it, or is in it. */
  boolean isAt(Path place) {
    Path own = Path.of(path);
    return place.startsWith(own) || own.startsWith(place);
  }

  /** Whether something has the same content, wherever it is. */
  boolean hasContent(byte[] content) {
    return fingerprint.equals(mac(key, content));
  }

  private static String mac(String key, byte[] content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA-256", e);
    }
  }

  /** A digest of a file's content, or of the names and contents of all files in a folder. */
  static byte[] content(Path place) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      if (!Files.isDirectory(place)) {
        update(digest, place);
        return digest.digest();
      }
      for (Path file : files(place)) {
        byte[] name = named(place, file).getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(12).putInt(name.length).putLong(Files.size(file)).flip());
        digest.update(name);
        update(digest, file);
      }
      return digest.digest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** In an order that no file system decides; without accounts, which grow. */
  private static List<Path> files(Path folder) throws IOException {
    return FollowedLinks.in(folder).files().stream()
        .filter(Files::isRegularFile)
        .filter(file -> !file.getFileName().toString().matches(".*\\.account(\\.head)?"))
        .sorted((a, b) -> a.toString().compareTo(b.toString()))
        .toList();
  }

  private static void update(MessageDigest digest, Path file) throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
  }
}
