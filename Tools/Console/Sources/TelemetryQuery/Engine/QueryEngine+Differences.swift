extension QueryEngine {
    /// Ranks the attributes by how much the selected records differ from the rest, over all records.
    ///
    /// The records are those that fulfil the plan's condition in its window. The plan's calculations are not used.
    ///
    /// - Throws: `QueryError` if a limit is exceeded, or `CancellationError`.
    package func differences(
        _ plan: QueryPlan, selection: Condition, over segments: [Segment],
    ) async throws -> DifferenceResult {
        let window = plan.window
        let relevant = segments.filter { $0.minTime < window.end && $0.maxTime >= window.start }
        let deadline = ContinuousClock.now + limits.time
        let workers = max(1, min(limits.workers, relevant.count))
        let all = try await withThrowingTaskGroup(of: DifferenceCounts.self) { tasks in
            for worker in 0..<workers {
                tasks.addTask {
                    var counts = DifferenceCounts()
                    for index in stride(from: worker, to: relevant.count, by: workers) {
                        try Task.checkCancellation()
                        guard ContinuousClock.now < deadline else {
                            throw QueryError(
                                "The comparison took longer than \(limits.time). Ask for a shorter time.")
                        }
                        let scan = SegmentScan(segment: relevant[index], related: related)
                        counts.add(scan, plan: plan, selection: selection)
                        await Task.yield()
                    }
                    return counts
                }
            }
            var all = DifferenceCounts()
            for try await counts in tasks { all.merge(counts) }
            return all
        }
        return DifferenceResult(selected: all.total.selected, rest: all.total.rest, counts: all.attributes)
    }
}

private struct DifferenceCounts: Sendable {
    private(set) var attributes: [String: AttributeCounts] = [:]
    private(set) var total = AttributeCounts.Sides()

    mutating func merge(_ other: DifferenceCounts) {
        total.add(other.total)
        for (field, counts) in other.attributes { attributes[field, default: AttributeCounts()].merge(counts) }
    }

    mutating func add(_ scan: SegmentScan, plan: QueryPlan, selection: Condition) {
        let sides = Self.sides(scan, plan: plan, selection: selection)
        if sides.allSatisfy({ $0 == 0 }) { return }
        let weights = plan.query.isRaw ? nil : scan.weights
        total.add(Self.sum(sides, weights))
        for (field, parts) in scan.segment.columns where !DifferenceLimits.ignored.contains(field) {
            var counts = attributes.removeValue(forKey: field) ?? AttributeCounts()
            for part in parts { counts.add(part, of: scan, sides: sides, weights: weights) }
            attributes[field] = counts
        }
    }

    /// Returns 2 for a selected row, 1 for the rest, and 0 for a row that is not among the records.
    private static func sides(_ scan: SegmentScan, plan: QueryPlan, selection: Condition) -> [UInt8] {
        let window = plan.window
        var mask = plan.condition.map(scan.mask) ?? .all
        if scan.segment.minTime < window.start || scan.segment.maxTime >= window.end {
            mask = mask.intersection(.some(scan.times.map { $0 >= window.start && $0 < window.end }))
        }
        let isIn: [Bool]
        switch mask {
        case .none: return Array(repeating: 0, count: scan.rowCount)
        case .all: isIn = Array(repeating: true, count: scan.rowCount)
        case .some(let rows): isIn = rows
        }
        switch scan.mask(of: selection) {
        case .none: return isIn.map { $0 ? 1 : 0 }
        case .all: return isIn.map { $0 ? 2 : 0 }
        case .some(let isSelected): return isIn.indices.map { isIn[$0] ? (isSelected[$0] ? 2 : 1) : 0 }
        }
    }

    private static func sum(_ sides: [UInt8], _ weights: [Double]?) -> AttributeCounts.Sides {
        var sums: [Double] = [0, 0, 0]
        for index in sides.indices { sums[Int(sides[index])] += weights?[index] ?? 1 }
        return AttributeCounts.Sides(selected: sums[2], rest: sums[1])
    }
}

extension AttributeCounts {
    /// Adds the values of a part of a column.
    fileprivate mutating func add(
        _ part: Segment.Part, of scan: SegmentScan, sides: [UInt8], weights: [Double]?,
    ) {
        let image = scan.segment.image
        // The sides and weights of the rows that the part lists.
        var sides = sides
        var weights = weights
        if let rows = part.rows.map(image.codes) {
            sides = rows.map { sides[Int($0)] }
            weights = weights.map { weights in rows.map { weights[Int($0)] } }
        }
        switch part.values {
        case .codes(let vector, let dictionary):
            let sums = Self.sums(vector, codes: dictionary.count + 1, image, sides, weights)
            for code in 1..<(dictionary.count + 1) { addPresent(sums[code]) }
            if texts == nil { return }
            let occurring = sums.dropFirst().count { $0.selected > 0 || $0.rest > 0 }
            guard occurring <= DifferenceLimits.distinctValues else {
                dropTexts()
                return
            }
            for (value, sides) in zip(scan.segment.values(of: dictionary), sums) { add(value, sides) }
        case .integers(let vector, let min, _):
            addNumbers(image.numbers(vector, base: min), sides, weights)
            if numbers != nil {
                addValues(image.integers(vector, base: min).map { .int($0) }, sides, weights)
            }
        case .doubles(let vector):
            let values = image.doubles(vector)
            addNumbers(values, sides, weights)
            if numbers != nil { addValues(values.map { .double($0) }, sides, weights) }
        }
    }

    private static func sums(
        _ vector: SegmentImage.Vector, codes count: Int, _ image: SegmentImage, _ sides: [UInt8], _ weights: [Double]?,
    ) -> [Sides] {
        guard let weights else {
            var counts = [UInt32](repeating: 0, count: 4 * count)
            image.count(vector, sides: sides, into: &counts)
            return (0..<count).map { Sides(selected: Double(counts[4 * $0 + 2]), rest: Double(counts[4 * $0 + 1])) }
        }
        var sums = [Sides](repeating: Sides(), count: count)
        for (index, code) in image.codes(vector).enumerated() where sides[index] > 0 {
            if sides[index] == 2 {
                sums[Int(code)].selected += weights[index]
            } else {
                sums[Int(code)].rest += weights[index]
            }
        }
        return sums
    }

    private mutating func addNumbers(_ values: [Double], _ sides: [UInt8], _ weights: [Double]?) {
        var sums: [Int: Sides] = [:]
        var last: (bin: Int, sides: Sides)?
        for index in values.indices where sides[index] > 0 {
            let weight = weights?[index] ?? 1
            let one = Sides(selected: sides[index] == 2 ? weight : 0, rest: sides[index] == 1 ? weight : 0)
            addPresent(one)
            if values[index].isNaN { continue }
            let bin = LogLinearBins.heatmap.bin(of: values[index])
            if last?.bin == bin {
                last?.sides.add(one)
            } else {
                if let last { sums[last.bin, default: Sides()].add(last.sides) }
                last = (bin, one)
            }
        }
        if let last { sums[last.bin, default: Sides()].add(last.sides) }
        for (bin, sides) in sums { add(bin: bin, sides) }
    }

    private mutating func addValues(_ values: [QueryValue], _ sides: [UInt8], _ weights: [Double]?) {
        for index in values.indices where sides[index] > 0 {
            let weight = weights?[index] ?? 1
            add(values[index], Sides(selected: sides[index] == 2 ? weight : 0, rest: sides[index] == 1 ? weight : 0))
            if numbers == nil { return }
        }
    }
}
