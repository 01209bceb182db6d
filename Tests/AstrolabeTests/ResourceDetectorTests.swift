import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import Astrolabe

@Suite struct ResourceDetectorTests {
    private func resource(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Attributes {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.isServer = true
        change(&configuration)
        return RunEnvironment(configuration, redactor: Redactor()).resource.attributes
    }

    @Test func `finds out the system, the processor, the process and the run`() throws {
        let attributes = resource()
        #expect(attributes["process.pid"] == .int(Int64(ProcessInfo.processInfo.processIdentifier)))
        #expect(attributes["process.executable.name"] == .string(ProcessInfo.processInfo.processName))
        #expect(["amd64", "arm64", "arm32", "x86"].contains(try #require(attributes["host.arch"]?.stringValue)))
        #expect(attributes["os.name"] != nil)
        #expect(attributes["astrolabe.device.processor_count"] != nil)
        let instance = try #require(attributes["service.instance.id"]?.stringValue)
        #expect(UUID(uuidString: instance) != nil)
    }

    @Test func `each run is an instance of its own`() {
        #expect(resource()["service.instance.id"] != resource()["service.instance.id"])
    }

    @Test(arguments: ResourceDetector.allCases)
    func `does not find out what the app leaves out`(detector: ResourceDetector) {
        let names: [ResourceDetector: [String]] = [
            .device: ["device.", "astrolabe.device."], .os: ["os."], .host: ["host."], .process: ["process."],
            .service: ["service.instance."],
        ]
        func keys(_ attributes: Attributes, of detector: ResourceDetector) -> [String] {
            attributes.map(\.key).filter { key in names[detector]?.contains { key.hasPrefix($0) } == true }
        }
        let others = resource { $0.resourceDetectors.remove(detector) }
        #expect(keys(others, of: detector).isEmpty)
        for other in ResourceDetector.allCases where other != detector { #expect(!keys(others, of: other).isEmpty) }
        let alone = resource { $0.resourceDetectors = [detector] }
        #expect(!keys(alone, of: detector).isEmpty)
        for other in ResourceDetector.allCases where other != detector { #expect(keys(alone, of: other).isEmpty) }
        #expect(alone["service.name"] == "shop" && alone["telemetry.sdk.name"] == "astrolabe")
    }

    @Test func `what the app and the environment say wins over what is found out`() throws {
        let loaded = try TelemetryConfiguration.load(
            environment: [
                "OTEL_RESOURCE_ATTRIBUTES":
                    "service.instance.id=a%2Cb,os.name=other,host.arch=z,team%2Cname=x,deployment.environment.name=test"
            ],
            overrides: { $0.resourceAttributes["host.arch"] = "code" })
        let attributes = resource {
            $0.resourceAttributes = loaded.resourceAttributes
            $0.resourceAttributes["process.pid"] = 1
        }
        #expect(attributes["service.instance.id"] == "a,b" && attributes["os.name"] == "other")
        #expect(attributes["host.arch"] == "code" && attributes["process.pid"] == 1)
        #expect(attributes["team,name"] == "x" && attributes["deployment.environment.name"] == "test")
    }

    @Test func `a service without a name has that of the executable`() throws {
        let unnamed = "unknown_service:" + ProcessInfo.processInfo.processName
        #expect(resource { $0 = TelemetryConfiguration() }["service.name"] == .string(unnamed))
        #expect(resource { $0.serviceName = "" }["service.name"] == .string(unnamed))
        let variables = [
            "OTEL_SERVICE_NAME": "named", "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,service.version=1",
        ]
        let loaded = try TelemetryConfiguration.load(environment: variables)
        #expect(resource { $0 = loaded }["service.name"] == "named")
    }

    @Test func `finds out no path, no argument and no name of the host or the user`() {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let arguments = CommandLine.arguments.dropFirst().filter { $0.count > 3 }
        for attribute in resource() {
            let text = attribute.value.stringValue ?? ""
            if attribute.key != "astrolabe.device.timezone" { #expect(!text.contains("/usr"), "\(attribute)") }
            #expect(!text.contains(CommandLine.arguments[0]) && !text.hasPrefix("/"), "\(attribute)")
            #expect(text != host && text != NSUserName(), "\(attribute)")
            for argument in arguments { #expect(!text.contains(argument), "\(attribute)") }
        }
    }
}
