import Astrolabe
import AstrolabeDelivery
import AstrolabeExtras
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation

/// Reads OpenTelemetry's declarative configuration in JSON and sets what the SDK can follow.
struct DeclarativeConfiguration {
    let source: ConfigurationSource
    let root: ConfigurationNode
    private var checker: DeclarativeChecker

    /// Known keys and values that the SDK does not follow, a line each, with their place.
    var notes: [String] { checker.allNotes }

    /// Reads a file and compares it with the schema.
    static func read(
        _ url: URL, environment: [String: String],
    ) throws(ConfigurationError) -> DeclarativeConfiguration {
        let name = url.lastPathComponent
        guard !["yaml", "yml"].contains(url.pathExtension.lowercased()) else {
            throw ConfigurationError(
                source: name, problem: "expected a JSON file, found YAML. Convert the file to JSON.")
        }
        let data: Data
        do {
            // One byte more than the limit is enough to refuse a file that is too large.
            data = try FileHandle(forReadingFrom: url).read(upToCount: PositionedJSON.sizeLimit + 1) ?? Data()
        } catch {
            throw ConfigurationError(
                source: name, problem: "no readable file at \(url.path). Expected a declarative configuration in JSON.",
            )
        }
        return try DeclarativeConfiguration(data, name: name, environment: environment)
    }

    init(_ data: Data, name: String, environment: [String: String]) throws(ConfigurationError) {
        source = ConfigurationSource(name: name, bytes: Array(data))
        root = try PositionedJSON.read(source, environment: environment)
        checker = DeclarativeChecker(source: source)
        // First the version, because keys of another version look wrong.
        if let version = root["file_format"], let text = version.text { try checkVersion(text, version) }
        try checker.check(root, .object(DeclarativeSchema.root))
    }

    private mutating func checkVersion(_ text: String, _ node: ConfigurationNode) throws(ConfigurationError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "1", let minor = Int(parts[1]), minor >= 0 else {
            throw source.error(node.offset, node.path, "expected version 1.0 or 1.1, found \(text.prefix(16))")
        }
        if minor > 1 { checker.note(node, "newer than 1.1, the version that this SDK knows.") }
    }

    mutating func note(_ node: ConfigurationNode, _ text: String) { checker.note(node, text) }

    func error(_ node: ConfigurationNode, _ problem: String) -> ConfigurationError {
        source.error(node.offset, node.path, problem)
    }

    /// Sets what the file says. What it does not mention stays, except for the endpoint and its headers, which are the
    /// file's alone.
    mutating func apply(to configuration: inout TelemetryConfiguration) throws(ConfigurationError) {
        let providers = ["tracer_provider", "meter_provider", "logger_provider"]
        let absent = providers.filter { root[$0] == nil }
        configuration.isEnabled = !(root["disabled"]?.bool ?? false) && absent.count < providers.count
        if absent.count == providers.count {
            note(root, "no provider, so nothing is recorded. Expected \(providers.joined(separator: ", ")).")
        } else {
            for name in absent { note(root, "no \(name). The SDK records this signal anyway.") }
        }
        try readResource(&configuration)
        readPropagators(&configuration)
        readLimits(&configuration)
        if let node = root["tracer_provider"]?["sampler"], let sampler = sampler(node) {
            configuration.sampler = sampler
        }
        if let text = root["meter_provider"]?["exemplar_filter"]?.text, let filter = ExemplarFilter(rawValue: text) {
            configuration.exemplars = filter
        }
        if let views = root["meter_provider"]?["views"] { configuration.metricViews = self.views(views) }
        try readExporters(&configuration)
    }

    private func readResource(_ configuration: inout TelemetryConfiguration) throws(ConfigurationError) {
        guard let resource = root["resource"] else { return }
        var attributes = Attributes()
        if let list = resource["attributes_list"] {
            for (name, value) in try pairs(list) { attributes[name] = .string(value) }
        }
        for element in resource["attributes"]?.elements ?? [] {
            guard let name = element["name"]?.text else { continue }
            guard let value = element["value"] else { continue }
            attributes[name] = try attributeValue(value, type: element["type"]?.text)
        }
        if let name = attributes["service.name"]?.stringValue { configuration.serviceName = name }
        if let version = attributes["service.version"]?.stringValue { configuration.serviceVersion = version }
        configuration.resourceAttributes.merge(attributes)
    }

    private func attributeValue(
        _ node: ConfigurationNode, type: String?,
    ) throws(ConfigurationError) -> AttributeValue {
        guard case .array(let elements) = node.value else {
            guard type?.hasSuffix("_array") != true else { throw error(node, "expected an array, as type says") }
            return try scalar(node, type: type)
        }
        if let type, !type.hasSuffix("_array") { throw error(node, "expected one value, as type says") }
        var values: [AttributeValue] = []
        for element in elements {
            values.append(try scalar(element, type: type.map { String($0.dropLast("_array".count)) }))
        }
        return .array(values)
    }

    private func scalar(_ node: ConfigurationNode, type: String?) throws(ConfigurationError) -> AttributeValue {
        switch type {
        case "bool":
            if let flag = node.bool { return .bool(flag) }
            throw error(node, "expected true or false, as type says")
        case "int":
            if let number = node.integer { return .int(Int64(number)) }
            throw error(node, "expected a whole number, as type says")
        case "double":
            if let number = node.number { return .double(number) }
            throw error(node, "expected a number, as type says")
        case "string":
            if let text = node.text { return .string(text) }
            throw error(node, "expected a string, as type says")
        default:
            if let text = node.text { return .string(text) }
            if let flag = node.bool { return .bool(flag) }
            if case .number(let digits) = node.value, let number = Int64(digits) { return .int(number) }
            if let number = node.number { return .double(number) }
            throw error(node, "expected a number in the range of a double")
        }
    }

    /// `name=value,name=value` with percent-encoded values.
    func pairs(_ node: ConfigurationNode) throws(ConfigurationError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in (node.text ?? "").split(separator: ",") where !part.allSatisfy(\.isWhitespace) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, !sides[0].isEmpty, let value = sides[1].removingPercentEncoding else {
                throw error(node, "expected name=value pairs with commas between them")
            }
            pairs.append((sides[0], value))
        }
        return pairs
    }

    private mutating func readPropagators(_ configuration: inout TelemetryConfiguration) {
        guard let propagator = root["propagator"] else { return }
        var names = propagator["composite"]?.elements.flatMap { $0.members.map(\.key) } ?? []
        if let list = propagator["composite_list"]?.text {
            names += list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        if let chosen = CompositePropagator(named: names, others: B3Propagator.byName) {
            configuration.propagator = chosen
        } else {
            note(propagator, "expected tracecontext, baggage, b3 and b3multi, or none. It is ignored.")
        }
    }

    private mutating func readLimits(_ configuration: inout TelemetryConfiguration) {
        let general = root["attribute_limits"]
        let spans = root["tracer_provider"]?["limits"]
        let logs = root["logger_provider"]?["limits"]
        func nodes(_ name: String) -> [ConfigurationNode] {
            [spans?[name] ?? general?[name], logs?[name] ?? general?[name]].compactMap { $0 }
        }
        let one = "spans and log records have one limit, the smaller one."
        if let limit = smallest(nodes("attribute_value_length_limit"), one) {
            configuration.limits.attributeValueLength = limit
        }
        if let limit = smallest(nodes("attribute_count_limit"), one) { configuration.limits.attributeCount = limit }
        let depths = nodes("attribute_value_depth_limit")
        if let limit = smallest(depths, one), let first = depths.first {
            configuration.limits.attributeValueDepth = limit
            if limit > 16 { note(first, "values nest at most 16 levels in this SDK.") }
        }
        if let limit = spans?["event_count_limit"]?.integer { configuration.limits.eventCount = limit }
        if let limit = spans?["link_count_limit"]?.integer { configuration.limits.linkCount = limit }
        let inner = [spans?["event_attribute_count_limit"], spans?["link_attribute_count_limit"]].compactMap { $0 }
        if let limit = smallest(inner, "events and links have one limit, the smaller one.") {
            configuration.limits.attributeCountPerEventOrLink = limit
        }
    }

    /// The smallest of the numbers. Those that are larger get a diagnostic.
    mutating func smallest(_ nodes: [ConfigurationNode], _ text: String) -> Int? {
        guard let smallest = nodes.compactMap(\.integer).min() else { return nil }
        for node in nodes where node.integer != smallest { note(node, text) }
        return smallest
    }

    /// A line for each variable of OpenTelemetry that is set, that the file does not mention, and that no module reads.
    func ignoredVariables(_ environment: [String: String]) -> [String] {
        let text = String(decoding: source.bytes, as: UTF8.self)
        let read: Set = ["OTEL_CONFIG_FILE", "OTEL_SEMCONV_STABILITY_OPT_IN"]
        return environment.keys.sorted().filter { name in
            name.hasPrefix("OTEL_") && !read.contains(name) && !text.contains(name)
        }.map { "environment: \($0): ignored, because \(source.name) takes the place of the variables." }
    }
}
