extension QueryEngine {
    /// Computes the map of services from spans.
    ///
    /// A span is a call if a server span of another service has it as its parent. A client span with `db.system.name`,
    /// `server.address` or a URL is one too. Without a server span, it counts for the service that the same caller
    /// reaches at the same address.
    ///
    /// - Parameter now: Nanoseconds since 1970, the end of "last 1h".
    /// - Throws: `QueryError` if a limit is exceeded, or `CancellationError`.
    package func serviceMap(_ time: TimeRange, now: Int64, over segments: [Segment]) async throws -> ServiceMap {
        let window = try TimeWindow(time, .total, now: now)
        let turns = evaluationAdmission()
        let relevant = segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }

        let ranges = limits.turns(over: relevant.map(\.rowCount))

        var served = ServedSpans()
        for range in ranges {
            try await turns.take { isOver in
                for segment in relevant[range] { served.add(SpanRows(segment, window, isOver)) }
            }
            guard served.byteCount <= limits.bytes else {
                throw QueryError(
                    "The map needs more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time.")
            }
            try turns.hold(served.byteCount)
        }
        let callees = served.callees
        let workers = max(1, min(limits.workers, ranges.count))
        let calls = try await withThrowingTaskGroup(of: CallSums.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    var calls = CallSums()
                    for number in stride(from: worker, to: ranges.count, by: workers) {
                        try await turns.take { isOver in
                            for segment in relevant[ranges[number]] {
                                calls.add(SpanRows(segment, window, isOver), callees: callees)
                            }
                        }
                    }
                    return calls
                }
            }
            var all = CallSums()
            for try await part in tasks { all.merge(part) }
            return all
        }
        return try await turns.take { [served] _ in calls.map(window, served: served) }
    }
}

/// The columns of a segment of spans that the map needs.
private struct SpanRows {
    let rowCount: Int
    let isIn: [Bool]
    let services: SegmentScan.Codes
    let kinds: SegmentScan.Codes
    let statuses: SegmentScan.Codes
    let parents: SegmentScan.Codes
    let spans: SegmentScan.Codes
    let databases: SegmentScan.Codes
    let hosts: SegmentScan.Codes
    let ports: SegmentScan.Codes
    let urls: SegmentScan.Codes
    let devices: SegmentScan.Codes
    let durations: [Double]
    let weights: [Double]?

    init(_ segment: Segment, _ window: TimeWindow, _ isOver: @escaping () -> Bool) {
        let scan = SegmentScan(segment: segment, dataset: .spans, related: nil, isOver: isOver)
        rowCount = scan.rowCount
        isIn = scan.times.map(window.contains)
        services = scan.codes(of: .field("service.name"))
        kinds = scan.codes(of: .field("kind"))
        statuses = scan.codes(of: .field("status"))
        parents = scan.codes(of: .field("parent.id"))
        spans = scan.codes(of: .field("span.id"))
        databases = scan.codes(of: .field("db.system.name"))
        hosts = scan.codes(of: .field("server.address"))
        ports = scan.codes(of: .field("server.port"))
        urls = scan.codes(of: .field("url.full"))
        devices = scan.codes(of: ServiceMap.device)
        durations = scan.numbers(of: .field("duration")).numbers
        weights = scan.weights
    }

    func weight(_ row: Int) -> Double { weights?[row] ?? 1 }

    /// The destination of a row's request; `nil` if the row does not say it.
    func address(_ row: Int, from service: String) -> CallSums.Address? {
        if let host = hosts.text(row) {
            return CallSums.Address(from: service, host: host, port: ports.text(row))
        }
        guard let url = urls.text(row), let place = URLAuthority(url) else { return nil }
        return CallSums.Address(from: service, host: place.host, port: place.port)
    }
}

extension SegmentScan.Codes {
    fileprivate func text(_ row: Int) -> String? { values[Int(codes[row])].text }

    /// Marks the codes whose text is one of `texts`.
    fileprivate func marks(_ texts: Set<String>) -> [Bool] { values.map { $0.text.map(texts.contains) ?? false } }

    /// The span ids of a row, as numbers.
    fileprivate func id(_ row: Int) -> UInt64? {
        guard case .string(let text) = values[Int(codes[row])] else { return nil }
        return UInt64(text, radix: 16)
    }
}

/// The server spans: what they took, and by whom they were called.
private struct ServedSpans {
    /// The service of the server span, by the id of its parent.
    private(set) var callees: [UInt64: String] = [:]
    private(set) var byService: [String: RequestSums] = [:]
    private(set) var devices: Set<String> = []
    /// Every service that has a span.
    private(set) var services: Set<String> = []

    var byteCount: Int { callees.capacity * 40 }

    mutating func add(_ rows: SpanRows) {
        let isServer = rows.kinds.marks(["server", "consumer"])
        let isError = rows.statuses.marks(["error"])
        var isKnown = [Bool](repeating: false, count: rows.services.values.count)
        for row in 0..<rows.rowCount where rows.isIn[row] {
            let code = Int(rows.services.codes[row])
            guard let service = rows.services.values[code].text else { continue }
            if !isKnown[code] { services.insert(service) }
            isKnown[code] = true
            if rows.devices.codes[row] != 0, !devices.contains(service) { devices.insert(service) }
            guard isServer[Int(rows.kinds.codes[row])] else { continue }
            byService[service, default: RequestSums()].add(
                rows.durations[row], weight: rows.weight(row), isError: isError[Int(rows.statuses.codes[row])])
            if let parent = rows.parents.id(row) { callees[parent] = service }
        }
    }
}

/// The calls from service to service.
private struct CallSums: Sendable {
    struct Place: Hashable, Sendable {
        let from: String
        let to: String
        let kind: ServiceNode.Kind
    }

    /// The address that a service sends requests to.
    struct Address: Hashable, Sendable {
        let from: String
        let host: String
        let port: String?
    }

    private var edges: [Place: RequestSums] = [:]
    /// The number of calls of an address that reach a service.
    private var reached: [Address: [String: Int]] = [:]
    private var unanswered: [Address: RequestSums] = [:]
    /// The parents of server spans that were found.
    private var found = 0

    mutating func add(_ rows: SpanRows, callees: [UInt64: String]) {
        let isClient = rows.kinds.marks(["client", "producer"])
        let isError = rows.statuses.marks(["error"])
        for row in 0..<rows.rowCount where rows.isIn[row] {
            guard let service = rows.services.text(row) else { continue }
            let callee = callees.isEmpty ? nil : rows.spans.id(row).flatMap { callees[$0] }
            if callee != nil { found += 1 }
            let address = isClient[Int(rows.kinds.codes[row])] ? rows.address(row, from: service) : nil
            let (number, weight) = (rows.durations[row], rows.weight(row))
            let failed = isError[Int(rows.statuses.codes[row])]
            if let callee {
                if callee == service { continue }
                let place = Place(from: service, to: callee, kind: .service)
                edges[place, default: RequestSums()].add(number, weight: weight, isError: failed)
                if let address { reached[address, default: [:]][callee, default: 0] += 1 }
            } else if isClient[Int(rows.kinds.codes[row])], let database = rows.databases.text(row) {
                let place = Place(from: service, to: database, kind: .database)
                edges[place, default: RequestSums()].add(number, weight: weight, isError: failed)
            } else if let address {
                unanswered[address, default: RequestSums()].add(number, weight: weight, isError: failed)
            }
        }
    }

    mutating func merge(_ other: CallSums) {
        for (place, sums) in other.edges { edges[place, default: RequestSums()].merge(sums) }
        for (address, sums) in other.unanswered { unanswered[address, default: RequestSums()].merge(sums) }
        for (address, services) in other.reached {
            reached[address, default: [:]].merge(services, uniquingKeysWith: +)
        }
        found += other.found
    }

    func map(_ window: TimeWindow, served: ServedSpans) -> ServiceMap {
        var edges = edges
        for (address, sums) in unanswered {
            let service = reached[address]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            let place = Place(from: address.from, to: service ?? address.host, kind: service == nil ? .host : .service)
            edges[place, default: RequestSums()].merge(sums)
        }
        var made: [String: RequestSums] = [:]
        var received: [Place: RequestSums] = [:]
        for (place, sums) in edges {
            made[place.from, default: RequestSums()].merge(sums)
            // A node of a kind has one name.
            received[Place(from: "", to: place.to, kind: place.kind), default: RequestSums()].merge(sums)
        }
        var nodes = served.services.map { name in
            ServiceNode(
                name: name, kind: served.devices.contains(name) ? .device : .service,
                handled: (served.byService[name] ?? RequestSums()).numbers, made: (made[name] ?? RequestSums()).numbers,
            )
        }
        for (place, sums) in received where place.kind != .service {
            nodes.append(ServiceNode(name: place.to, kind: place.kind, handled: sums.numbers, made: CallNumbers()))
        }
        return ServiceMap(
            window: window, nodes: nodes.sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) },
            edges: edges.map { ServiceEdge(from: $0.from, to: $0.to, toKind: $0.kind, calls: $1.numbers) }
                .sorted { ($0.from, $0.to, $0.toKind.rawValue) < ($1.from, $1.to, $1.toKind.rawValue) },
            spansWithoutCaller: max(0, served.callees.count - found))
    }
}

/// Sums of requests.
private struct RequestSums: Sendable {
    private var count = 0.0
    private var errors = 0.0
    private var durations = Histogram(.percentiles)

    mutating func add(_ duration: Double, weight: Double, isError: Bool) {
        count += weight
        if isError { errors += weight }
        durations.add(duration, weight: weight, to: 0)
    }

    mutating func merge(_ other: RequestSums) {
        count += other.count
        errors += other.errors
        durations.grow(toCells: 1)
        durations.merge(other.durations) { $0 }
    }

    var numbers: CallNumbers {
        var durations = durations
        durations.prepare()
        return CallNumbers(count: count, errors: errors, p99: durations.percentile(0.99, of: 0..<1))
    }
}
