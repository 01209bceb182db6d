public import Astrolabe
import AstrolabeOTLP
import AstrolabeRecording
import AstrolabeTelemetryModel
public import Foundation

extension TelemetryCollector {
    /// Creates a collector that has what a file has, such as a session that was recorded before.
    ///
    ///     let session = try TelemetryCollector(contentsOf: url)
    ///     #expect(DeclinedOrders(session.spans).count == 3)
    ///
    /// The file is one of ``write(to:)``, of `astrolabe export`, or of the OpenTelemetry Collector's file exporter: a
    /// request of OTLP in JSON on each line.
    ///
    /// - Throws: An error of Foundation if the file cannot be read, or an error that names the line that is no request.
    public convenience init(contentsOf url: URL) throws {
        self.init()
        let bytes = [UInt8](try Data(contentsOf: url))
        try receive { store in try RecordingFile.read(bytes, into: &store) }
    }

    /// Writes what has arrived to a file, which replaces one that exists.
    ///
    /// It has a request of OTLP in JSON on each line: spans, then events and log lines, then metrics. The command
    /// `astrolabe import` sends it to a console.
    ///
    /// - Throws: An error of Foundation if the file cannot be written.
    public func write(to url: URL) throws {
        try Data(RecordingFile.bytes(of: contents)).write(to: url, options: .atomic)
    }

    /// Calls a processor's `onEnd` with each span, in the order in which they came.
    ///
    ///     let processor = SlowSpans(counter: counter)
    ///     session.replay(into: processor)
    ///
    /// `onStart` is not called, because these spans have ended.
    public func replay(into processor: some SpanProcessor) {
        for span in spans {
            processor.onEnd(FinishedSpan(encoded: OTLPEncoder.message(span.record), scope: span.scope))
        }
    }
}
