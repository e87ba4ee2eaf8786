package dev.discreet.data.sheet;

import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.TableRows;
import dev.discreet.data.table.TableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Excel workbooks. {@link XlsxRows} reads them. */
public final class XlsxFormat extends TableFile {
  @Override
  public String label() {
    return "a sheet of a workbook";
  }

  @Override
  public String paths() {
    return "an .xlsx file";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".xlsx");
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABEL, Declaration.COLUMNS, Declaration.UNIT, Declaration.SHEET);
  }

  @Override
  public TableRows open(Path file, DataOptions options) throws IOException {
    return XlsxRows.open(file, options.sheet());
  }
}
