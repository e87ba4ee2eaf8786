package dev.discreet.accounting.filter;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.JsonNumbers;
import dev.discreet.accounting.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Filters and what they count, as JSON. */
final class FilterJson {
  private static final Set<String> COST = Set.of("logMoments", "largestLoss", "ownDelta");

  private FilterJson() {}

  static String write(PrivacyFilter filter) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("epsilon", filter.epsilon());
    fields.put("delta", filter.delta());
    fields.put("orders", filter.orders().stream().map(PrivacyFilter.Order::order).toList());
    fields.put("weights", filter.orders().stream().map(PrivacyFilter.Order::weight).toList());
    fields.put("ownDelta", filter.ownDelta());
    return text(fields);
  }

  static PrivacyFilter filter(String json) {
    JsonObject fields =
        new JsonObject(
            value(json), "filter", Set.of("epsilon", "delta", "orders", "weights", "ownDelta"));
    if (!fields.has("orders")) {
      return PrivacyFilter.ofOneOrder(fields.number("epsilon"), fields.number("delta"));
    }
    List<Double> orders = fields.numbers("orders");
    List<Double> weights = fields.numbers("weights");
    Check.that(
        orders.size() == weights.size(), "weights of a filter", "one an order", weights.size());
    List<PrivacyFilter.Order> all = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      all.add(new PrivacyFilter.Order(orders.get(i), weights.get(i)));
    }
    return new PrivacyFilter(
        fields.number("epsilon"), fields.number("delta"), all, fields.number("ownDelta"));
  }

  static String write(Spending spending) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("logMoments", spending.logMoments().stream().map(JsonObject::number).toList());
    fields.put("largestLoss", JsonObject.number(spending.largestLoss()));
    fields.put("ownDelta", spending.ownDelta());
    return text(fields);
  }

  static Spending spending(String json) {
    return spending(value(json));
  }

  /** Of JSON that is parsed already. */
  static Spending spending(Object json) {
    JsonObject fields = new JsonObject(json, "cost", COST);
    return new Spending(
        fields.numbers("logMoments"), fields.number("largestLoss"), fields.number("ownDelta"));
  }

  private static String text(Map<String, Object> fields) {
    try {
      return JsonNumbers.SHORTEST.asString(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object value(String json) {
    try {
      return JsonNumbers.SHORTEST.anyFrom(json);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          Check.line("filter must be JSON. Provided value: " + Check.shortened(json)), e);
    }
  }
}
