extension QueryEngine {
    /// Ranks the attributes by how much the selected records differ from the rest, over all records.
    ///
    /// The records are those that fulfil the plan's condition in its window. The plan's calculations are not used.
    ///
    /// - Throws: `QueryError` if a limit is exceeded, or `CancellationError`.
    package func differences(
        _ plan: QueryPlan, selection: Condition, over segments: [Segment],
    ) async throws -> DifferenceResult {
        let all = try await gather(plan, from: segments, into: DifferenceCounts()) { scan, counts in
            counts.add(scan, plan: plan, selection: selection)
            // All columns were read. Most questions need a few.
            scan.segment.image.release()
            guard counts.byteCount <= limits.bytes / max(1, limits.workers) else {
                throw QueryError(
                    "The comparison needs more than \(limits.bytes >> 20) MB of memory. Ask for a shorter time, or "
                        + "narrow it with where.")
            }
        }.reduce(into: DifferenceCounts()) { $0.merge($1) }
        return DifferenceResult(total: all.total, squares: all.squares, counts: all.attributes)
    }
}

private struct DifferenceCounts: Sendable {
    private(set) var attributes: [String: AttributeCounts] = [:]
    private(set) var total = AttributeCounts.Sides()
    private(set) var squares = AttributeCounts.Sides()

    /// About the memory in use.
    var byteCount: Int { attributes.reduce(0) { $0 + $1.key.utf8.count + 200 + $1.value.byteCount } }

    mutating func merge(_ other: DifferenceCounts) {
        total.add(other.total)
        squares.add(other.squares)
        for (field, counts) in other.attributes { attributes[field, default: AttributeCounts()].merge(counts) }
    }

    mutating func add(_ scan: SegmentScan, plan: QueryPlan, selection: Condition) {
        let sides = Self.sides(scan, plan: plan, selection: selection)
        if sides.allSatisfy({ $0 == 0 }) { return }
        let weights = plan.query.isRaw ? nil : scan.weights
        total.add(Self.sum(sides, weights))
        squares.add(Self.sum(sides, weights?.map { $0 * $0 }))
        for (field, parts) in scan.segment.columns where !DifferenceLimits.ignored.contains(field) {
            scan.giveWay()
            var counts = attributes.removeValue(forKey: field) ?? AttributeCounts()
            for part in parts { counts.add(part, of: scan, sides: sides, weights: weights) }
            attributes[field] = counts
        }
    }

    /// Returns 2 for a selected row, 1 for the rest, and 0 for a row that is not among the records.
    private static func sides(_ scan: SegmentScan, plan: QueryPlan, selection: Condition) -> [UInt8] {
        let mask = scan.mask(of: plan.condition, in: plan.window)
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
            if weights == nil, vector.width == 1 {
                // At most 256 distinct numbers, counted like codes.
                for (difference, sides) in Self.sums(vector, codes: 256, image, sides, nil).enumerated() {
                    guard sides != Sides() else { continue }
                    let number = min &+ Int64(difference)
                    addPresent(sides)
                    add(bin: LogLinearBins.heatmap.bin(of: Double(number)), sides)
                    add(.int(number), sides)
                }
                return
            }
            addNumbers(image.numbers(vector, base: min), sides, weights)
            if numbers != nil {
                addValues(SegmentScan.Codes(integers: image.integers(vector, base: min)), sides, weights)
            }
        case .doubles(let vector):
            let values = image.doubles(vector)
            addNumbers(values, sides, weights)
            if numbers != nil {
                addValues(SegmentScan.Codes(doubles: values), sides, weights)
            }
        }
    }

    private static func sums(
        _ vector: SegmentImage.Vector, codes count: Int, _ image: SegmentImage, _ sides: [UInt8], _ weights: [Double]?,
    ) -> [Sides] {
        guard let weights else {
            let counts = image.counts(of: vector, codes: count, sides: sides)
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

    /// Counts numbers by their bins.
    private mutating func addNumbers(_ values: [Double], _ sides: [UInt8], _ weights: [Double]?) {
        let limit = LogLinearBins.heatmap.largestBin
        var sums = [Sides](repeating: Sides(), count: 2 * limit + 1)
        var all = Sides()
        for index in values.indices where sides[index] > 0 {
            let weight = weights?[index] ?? 1
            let one = Sides(selected: sides[index] == 2 ? weight : 0, rest: sides[index] == 1 ? weight : 0)
            all.add(one)
            if !values[index].isNaN { sums[LogLinearBins.heatmap.bin(of: values[index]) + limit].add(one) }
        }
        addPresent(all)
        for (index, sides) in sums.enumerated() where sides != Sides() { add(bin: index - limit, sides) }
    }

    /// Counts numbers one by one.
    private mutating func addValues(_ codes: SegmentScan.Codes, _ sides: [UInt8], _ weights: [Double]?) {
        var sums = [Sides](repeating: Sides(), count: codes.values.count)
        for index in codes.codes.indices where sides[index] > 0 {
            let weight = weights?[index] ?? 1
            let one = Sides(selected: sides[index] == 2 ? weight : 0, rest: sides[index] == 1 ? weight : 0)
            sums[Int(codes.codes[index])].add(one)
        }
        for (value, sides) in zip(codes.values, sums) {
            add(value, sides)
            if numbers == nil { return }
        }
    }
}
