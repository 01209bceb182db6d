import Astrolabe
import AstrolabeServer
import Foundation

// A server with the SDK in it, which makes a hundred spans and tries to send them until a test kills it.
//
//     ServerFixture <folder> <port>

let arguments = CommandLine.arguments
guard arguments.count == 3, let url = URL(string: "http://127.0.0.1:\(arguments[2])") else {
    print("usage: ServerFixture <folder> <port>")
    exit(2)
}
var configuration = TelemetryConfiguration(serviceName: "fixture")
configuration.storageDirectory = URL(fileURLWithPath: arguments[1])
configuration.endpoint = OTLPEndpoint(url: url)
configuration.sampler = ParentBasedSampler(root: AlwaysOnSampler())
configuration.onDiagnostic = { _ in }
let server = ServerTelemetry(configuration)
let tracer = server.telemetry.tracer("fixture")
for _ in 0..<100 { tracer.withSpan("work") { _ in } }
while true { pause() }
