import Astrolabe
import Foundation

func startWithPropertyList() {
    // snippet: start-with-plist
    do {
        let file = Bundle.main.url(forResource: "honeycomb", withExtension: "plist")
        let configuration = try TelemetryConfiguration.load(propertyList: file)
        Telemetry.start(configuration)
    } catch {
        print("Telemetry is off: \(error)")
    }
    // snippet: end
}

func startWithCollector() {
    // snippet: start-with-collector
    var configuration = TelemetryConfiguration(serviceName: "my-app")
    if let url = URL(string: "https://collector.example.com:4318") {
        configuration.endpoint = OTLPEndpoint(url: url, headers: ["authorization": "Bearer my-token"])
    }
    let telemetry = Telemetry.start(configuration)
    // snippet: end
    _ = telemetry
}

func startWithJSON() {
    // snippet: start-with-json
    do {
        let file = Bundle.main.url(forResource: "telemetry", withExtension: "json")
        let configuration = try TelemetryConfiguration.load(json: file) { configuration in
            configuration.serviceVersion = "1.2.0"  // Code wins over files and the environment.
        }
        Telemetry.start(configuration)
    } catch {
        print("Telemetry is off: \(error)")
    }
    // snippet: end
}

func startWithEnvironment() throws {
    // snippet: start-with-environment
    let configuration = try TelemetryConfiguration.load()
    Telemetry.start(configuration)
    // snippet: end
}

func configureFlightRecorder(_ configuration: inout TelemetryConfiguration) {
    // snippet: flight-recorder
    configuration.recorder.triggers.slowSpans = .seconds(3)
    configuration.recorder.dailyBytes = 1_048_576
    // snippet: end
}

func startWithEverythingRecorded() {
    // snippet: record-everything
    var configuration = TelemetryConfiguration(serviceName: "my-app")
    configuration.sampling = .everything
    configuration.onDiagnostic = { print($0) }
    let telemetry = Telemetry.start(configuration)
    // snippet: end
    _ = telemetry
}

func askWhyNothingArrives(_ telemetry: Telemetry) async {
    // snippet: why-nothing-arrives
    let report = await telemetry.flush()
    print(report.ledger, report.blockers, report.lastFailure ?? "no failure")
    // snippet: end
}

func turnThingsOff() {
    // snippet: turn-off
    var configuration = TelemetryConfiguration(serviceName: "my-app")
    configuration.health.capturesCrashes = false  // Another crash reporter handles signals.
    configuration.health.watchesHangs = false
    configuration.health.measuresFrames = false
    configuration.health.measuresStart = false
    configuration.viewTracing = .off
    configuration.redaction.secretKeys = ["loyalty_number"]
    // snippet: end

    // snippet: turn-all-off
    configuration.isEnabled = false
    // snippet: end
    Telemetry.start(configuration)
}
