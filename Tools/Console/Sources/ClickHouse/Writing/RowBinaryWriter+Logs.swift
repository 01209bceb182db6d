import AstrolabeTelemetryModel
import ConsoleModel

extension RowBinaryWriter {
    /// Writes the rows of ``OTelTable/logs``. Returns their number.
    mutating func write(logs groups: [ResourceGroup<LogRecordData>], _ times: RecordTimes) -> Int {
        var count = 0
        for group in groups {
            for scope in group.scopes {
                for record in scope.records {
                    write(time: times.time(of: record))
                    write(record.traceID)
                    write(record.spanID)
                    write(record.flags.rawValue)
                    write(record.severityText)
                    write(UInt8(clamping: record.severityNumber))
                    write(serviceOf: group.resource)
                    write(record.body.exporterText)
                    write(group.schemaURL)
                    write(group.resource.attributes)
                    write(scope.schemaURL)
                    write(scope.scope.name)
                    write(scope.scope.version)
                    write(scope.scope.attributes)
                    write(record.attributes)
                    write(record.eventName)
                    count += 1
                }
            }
        }
        return count
    }
}
