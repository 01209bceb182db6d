import Astrolabe
import Foundation
import Testing

struct MissingPropertyListTests {
    @Test func `a property list that the app's bundle lacks is an error that names the file`() {
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(propertyList: nil, environment: [:])
        }
        #expect(error?.description.hasPrefix("honeycomb.plist: the file is not in the app's bundle.") == true)
        #expect(error?.description.contains("HONEYCOMB_API_KEY and SERVICE_NAME") == true)
    }

    @Test func `a property list at a path without a file is an error that names the path`() {
        let error = #expect(throws: ConfigurationError.self) {
            try TelemetryConfiguration.load(
                propertyList: URL(fileURLWithPath: "/nowhere/honeycomb.plist"), environment: [:])
        }
        #expect(
            error?.description == "honeycomb.plist: no readable file at /nowhere/honeycomb.plist. "
                + "Expected a property list with HONEYCOMB_API_KEY and SERVICE_NAME.")
    }
}
