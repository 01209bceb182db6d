/// The keys under which spans, events, metric points and resources carry their attributes.
///
///     span.setAttribute(AttributeKey.httpRequestMethod, "GET")
///
/// The comment of each key gives its meaning, the type and unit of its value, an example, and its standing in the
/// OpenTelemetry semantic conventions that the schema URL of a record names. Keys are *stable* (will not change),
/// *in development* (may still be renamed), *deprecated* (its successor is named), or *not in the conventions*. The
/// last are this project's own, or a peer's that it stays compatible with.
///
/// A constant's name is its key in camel case, so `http.request.method` is ``httpRequestMethod``. The keys that only
/// the SDK sets, such as `astrolabe.hang.duration`, are constants of its own.
public enum AttributeKey {}
