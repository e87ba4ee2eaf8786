package dev.discreet.data.sheet;

import dev.discreet.data.internal.FileErrors;
import dev.discreet.data.internal.Zip;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * One XML part of a workbook, from its beginning to its end. It is not trusted: document types are
 * refused, nothing outside is asked for, and no single piece of it may be larger than memory can
 * hold. The encoding is UTF-8, whatever it says. Namespaces are not looked at, for the format has
 * two sets of them.
 */
final class XmlPart implements Closeable {
  private static final int LARGEST_PIECE = 1 << 25;

  private final Path path;
  private final String part;
  private final Limited in;
  private final XMLStreamReader xml;
  private int event = XMLStreamConstants.START_DOCUMENT;

  XmlPart(Path path, Zip zip, String part) throws IOException {
    this.path = path;
    this.part = part;
    in = new Limited(zip.open(part));
    // That of Java itself: others on the class path have other limits.
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    // Java counts &amp; and the like among entities, and newer Javas allow 100,000 characters of
    // them.
    factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", "0");
    factory.setProperty("jdk.xml.totalEntitySizeLimit", "0");
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("it asks for another file");
        });
    try {
      // Decoded here, so that bytes that are no text garble their own cell and nothing else.
      PushbackReader decoded =
          new PushbackReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      int first = decoded.read();
      if (first >= 0 && first != '\uFEFF') {
        decoded.unread(first);
      }
      xml = factory.createXMLStreamReader(decoded);
    } catch (IOException e) {
      in.close();
      throw e;
    } catch (XMLStreamException | RuntimeException e) {
      in.close();
      throw refusal(e);
    }
  }

  /** Goes to the next beginning or end of an element, or text; false after the last. */
  boolean next() throws IOException {
    try {
      if (!xml.hasNext()) {
        return false;
      }
      in.piece = 0;
      event = xml.next();
    } catch (XMLStreamException | RuntimeException e) {
      // Java's reader also fails by other exceptions where XML is cut or garbled.
      throw refusal(e);
    }
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw refused("must have no document type or entities of its own");
    }
    return event != XMLStreamConstants.END_DOCUMENT;
  }

  private IOException refusal(Exception e) {
    if (in.failure != null) {
      return in.failure;
    }
    // What the reader itself says may quote a cell.
    Location place = e instanceof XMLStreamException at ? at.getLocation() : null;
    return refused(
        "must be XML that is whole"
            + (place == null
                ? ""
                : "; it cannot be read at line "
                    + place.getLineNumber()
                    + ", column "
                    + place.getColumnNumber()));
  }

  private IOException refused(String what) {
    return FileErrors.file(path, part + ": " + FileErrors.shown(what) + FileErrors.LABEL);
  }

  /** Whether an element of this name begins here. */
  boolean begins(String name) {
    return event == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals(name);
  }

  boolean ends(String name) {
    return event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals(name);
  }

  boolean isText() {
    return event == XMLStreamConstants.CHARACTERS
        || event == XMLStreamConstants.CDATA
        || event == XMLStreamConstants.SPACE;
  }

  String text() {
    return xml.getText();
  }

  /** An attribute of the element that begins here; the empty text where it has none. */
  String attribute(String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Refuses a piece of XML that has no end in sight. */
  private final class Limited extends FilterInputStream {
    private long piece;
    // Of the file, not of its XML.
    private IOException failure;

    Limited(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int at, int length) throws IOException {
      try {
        int count = super.read(to, at, length);
        piece += Math.max(0, count);
        if (piece > LARGEST_PIECE) {
          throw refused("must have texts and names of at most " + LARGEST_PIECE + " bytes");
        }
        return count;
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
