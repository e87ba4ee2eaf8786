package dev.discreet.accounting;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what users may import. It is documented with an example, and changes only with a note in
 * the list of changes. Everything else may change or go with any version, even where Java lets
 * others see it.
 *
 * <p>A type that is nested in a marked one is part of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface PublicApi {}
