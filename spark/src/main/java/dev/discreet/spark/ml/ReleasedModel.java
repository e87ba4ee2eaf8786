package dev.discreet.spark.ml;

import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

/**
 * What a private stage released, with what it cost. It has no parameters but columns: settings,
 * such as the place of an account, stay with the stage.
 *
 * <pre>{@code
 * ReleasedModel<?> model = DiscreetModel.load("models/patients");
 * System.out.println(model.statement());
 * }</pre>
 *
 * @param <M> the model itself
 */
@PublicApi
public abstract class ReleasedModel<M extends ReleasedModel<M>> extends Model<M>
    implements MLWritable {
  private static final long serialVersionUID = 1;

  private final String uid;
  private final ReleasedFiles files;
  private final StageParams params;

  ReleasedModel(String uid, ReleasedFiles files) {
    this.uid = uid;
    this.files = files;
    this.params = new StageParams(this);
  }

  final Param<String> text(String name, String doc, String otherwise) {
    Param<String> param = params.text(name, doc);
    setDefault(param, otherwise);
    return param;
  }

  final ReleasedFiles files() {
    return files;
  }

  /** The same model without its parameters. */
  abstract M again(String uid, ReleasedFiles files);

  /** {@return the name of this stage, which no other has} */
  @Override
  public String uid() {
    return uid;
  }

  /** {@return all parameters, by their names} */
  @Override
  public Param<?>[] params() {
    return params.sorted();
  }

  /** {@return what it promises about the people in the frame, in words} */
  public String statement() {
    return files.statement();
  }

  /** {@return what was released; empty where no promise is made} */
  public Optional<LedgerFile> ledger() {
    return files.ledger();
  }

  /**
   * The same with other parameters.
   *
   * @param extra what is other
   * @return a copy; this stays as it is
   */
  @Override
  public M copy(ParamMap extra) {
    M copied = copyValues(again(uid, files), extra);
    if (hasParent()) {
      copied.setParent(parent());
    }
    return copied;
  }

  /** {@return what saves it} */
  @Override
  public MLWriter write() {
    ReleasedModel<M> model = this;
    return new MLWriter() {
      @Override
      public void saveImpl(String path) {
        DefaultParamsWriter.saveMetadata(model, path, sparkSession());
        try {
          model.files.save(path, sc().hadoopConfiguration());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /** Reads what {@link #write} wrote. */
  static <T extends ReleasedModel<T>> MLReader<T> reader(
      Class<T> kind, BiFunction<String, ReleasedFiles, T> make) {
    return new MLReader<>() {
      @Override
      public T load(String path) {
        DefaultParamsReader.Metadata metadata =
            DefaultParamsReader.loadMetadata(path, sparkSession(), kind.getName());
        try {
          T model =
              make.apply(metadata.uid(), ReleasedFiles.load(path, sc().hadoopConfiguration()));
          metadata.getAndSetParams(model, scala.Option.empty());
          return model;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }
}
