package dev.discreet.core.files;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://ana:hush@host/db",
        "jdbc:postgresql://host/db?password=hush",
        "jdbc:postgresql://host/db?pass%77ord=hush",
        "jdbc:postgresql://host/db?ssl=true&options=-c%20x=hush",
        "jdbc:postgresql://host/db?hush",
        "jdbc:postgresql://host/db?ssl=true&hush",
        "jdbc:duckdb:md:mine?motherduck_token=hush",
        "jdbc:db2://host:50000/db:password=hush;",
        "jdbc:redshift:iam://host:1/db?AccessKeyID=A&SecretAccessKey=hush",
        "jdbc:snowflake://host/?private_key_pwd=hush",
        "jdbc:sqlite:file:x.db?cipher=sqlcipher&key=hush",
        "jdbc:mysql://host/db?trustCertificateKeyStorePassword=hush",
        "jdbc:mysql://address=(host=h)(password=hush)/db",
        "jdbc:trino://host/db?accessToken=hush",
        "jdbc:clickhouse://host/db?access_token=hush",
        "jdbc:athena://AwsRegion=x;AWSSecretKey=hush",
        "jdbc:h2:mem:x;CIPHER=AES;PASSWORD=hush",
        "jdbc:sqlserver://host;databaseName=x;Password = hush",
        "jdbc:oracle:thin:scott/hush@host:1521:o"
      })
  void whatMayBeASecretIsRefusedAndNotSaid(String address) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> DatabaseAddress.refuseSecrets(address), address);
    assertEquals(
        "address of a database must be without user and password (DISCREET_DB_USER and"
            + " DISCREET_DB_PASSWORD name them), and without parameters but those that are known to"
            + " be harmless, such as sslmode. Provided value: one that has others",
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://host/db",
        "jdbc:postgresql://one:5432,two:5432/db?sslmode=verify-full&sslkey=/keys/a.pk8",
        "jdbc:postgresql://host/db?currentSchema=a,b&ApplicationName=x#people",
        "jdbc:sqlserver://host;databaseName=x;encrypt=true;",
        "jdbc:mysql://address=(host=h)(port=3306)/db?serverTimezone=UTC",
        "jdbc:oracle:thin:@//host:1521/x",
        "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcps)(HOST=h)(PORT=1))(CONNECT_DATA="
            + "(SERVICE_NAME=x)))",
        "jdbc:h2:file:/x/y;IFEXISTS=TRUE;ACCESS_MODE_DATA=r",
        "jdbc:sqlite:file:x.db?mode=ro"
      })
  void whatIsHarmlessMayStand(String address) {
    assertDoesNotThrow(() -> DatabaseAddress.refuseSecrets(address));
  }

  @Test
  void anAddressBeginsAsJdbcHasIt() {
    assertEquals(true, DatabaseAddress.is("jdbc:x"));
    assertEquals(false, DatabaseAddress.is("data/jdbc:x"));
  }
}
