/// The keys under which spans, events, metric points and resources carry their attributes.
///
///     span.setAttribute(AttributeKey.httpRequestMethod, "GET")
///
/// Each key is documented by what it means, the type and unit of its value, an example, and where it stands in the
/// OpenTelemetry semantic conventions named by ``SchemaURL/current``: *stable* (will not change), *in development* (may
/// still be renamed), *deprecated* (its successor is named), or *not in the conventions* (this project's own, or a
/// peer's that it stays compatible with).
///
/// A constant's name is its key in camel case, so `http.request.method` is ``httpRequestMethod``. The keys that only
/// the SDK sets, such as `astrolabe.hang.duration`, are constants of its own.
public enum AttributeKey {}
