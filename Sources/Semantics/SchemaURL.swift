/// The address of the schema, which says how the names in a request are meant, and how they map to other versions.
public enum SchemaURL {
    /// Version 1.44.0 of the semantic conventions, which all of this module follows.
    ///
    /// Sent as `schema_url` of the resource and of each scope, so that a collector's schema processor can translate.
    public static let current = "https://opentelemetry.io/schemas/1.44.0"
}
