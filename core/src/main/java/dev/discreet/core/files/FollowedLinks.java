package dev.discreet.core.files;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All files of a folder, as whoever reads it gets them: links are followed, and those that lead in
 * a circle are left out.
 *
 * @param files by their paths in the folder
 * @param outside what links in the folder lead to, by paths without links
 */
public record FollowedLinks(List<Path> files, Set<Path> outside) {

  public static FollowedLinks in(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    Set<Path> outside = new LinkedHashSet<>();
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes)
              throws IOException {
            return follow(each);
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            files.add(each);
            // A link that leads nowhere is still a link.
            return attributes.isSymbolicLink() ? FileVisitResult.CONTINUE : follow(each);
          }

          private FileVisitResult follow(Path each) throws IOException {
            if (Files.isSymbolicLink(each)) {
              outside.add(each.toRealPath());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path each, IOException why) throws IOException {
            if (why instanceof FileSystemLoopException) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }
        });
    return new FollowedLinks(files, outside);
  }
}
