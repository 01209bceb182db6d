import AstrolabeTelemetryModel
import AstrolabeWire

/// The origin of records as the export request states it: resource and scope, encoded by the run that made them.
///
///     length of the resource's fields u32, little-endian | the resource's fields | the scope's fields
struct RecordOrigin: Equatable {
    let resource: EncodedResource
    let scope: EncodedScope

    init(resource: EncodedResource, scope: EncodedScope) {
        self.resource = resource
        self.scope = scope
    }

    /// Decodes `bytes`; returns `nil` if they are not an encoded origin.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= bytes.count - 4 else { return nil }
        resource = EncodedResource(fields: Array(bytes[4..<4 + length]))
        scope = EncodedScope(fields: Array(bytes[(4 + length)...]))
    }

    var bytes: [UInt8] {
        let length = UInt32(truncatingIfNeeded: resource.fields.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + resource.fields + scope.fields
    }
}
