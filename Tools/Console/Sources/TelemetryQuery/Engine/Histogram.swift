/// Log-linear histograms of many cells in one array.
///
/// A chunk of bins is made when the first number of its power of two arrives, so memory grows with the spread of the
/// numbers, not with their range.
struct Histogram {
    private let bins: LogLinearBins
    /// The first bin and the count of every chunk of a cell: `index[cell * octaves + octave - lowest]`.
    private var index: ContiguousArray<Int32> = []
    private var lowest = 0
    private var octaves = 0
    private var cellCount = 0
    private var counts: ContiguousArray<Double> = []
    /// The sum of each chunk.
    private var totals: [Double] = []
    /// The least and the largest number of each cell, one behind the other.
    private var extremes: ContiguousArray<Double> = []
    /// True if only whole numbers were added.
    private(set) var isWhole = true

    init(_ bins: LogLinearBins) {
        self.bins = bins
    }

    /// The numbers of one pass are spread too widely for so many cells. Some are not counted.
    private var isTooLarge = false
    private static let indexLimit = 1 << 25

    var byteCount: Int { isTooLarge ? .max / 4 : (counts.count + extremes.count) * 8 + index.count * 4 }

    mutating func grow(toCells count: Int) {
        guard count > cellCount else { return }
        cellCount = max(count, cellCount * 3 / 2)
        for _ in (extremes.count / 2)..<cellCount {
            extremes.append(.infinity)
            extremes.append(-.infinity)
        }
        guard cellCount * octaves <= Self.indexLimit else {
            // Begins again, because the result will not be used.
            isTooLarge = true
            octaves = 0
            index = []
            return
        }
        index.append(contentsOf: repeatElement(-1, count: cellCount * octaves - index.count))
    }

    /// Adds a number for each selected row; NaN is skipped.
    mutating func add(_ numbers: SegmentScan.Numbers, of batch: RowBatch) {
        if !numbers.isWhole { isWhole = false }
        guard include(numbers.numbers) else { return }
        var (row, chunks) = (0, 0)
        while true {
            row = fill(from: row, numbers.numbers, batch)
            guard row < numbers.numbers.count, makeRoom(for: numbers.numbers[row], in: batch.cell(of: row)) else {
                return
            }
            chunks += 1
            if chunks % 256 == 0 { batch.scan.giveWay() }
        }
    }

    /// Widens the range of powers of two for many numbers at once, because each time costs a step for each cell.
    ///
    /// - Returns: Whether there is room.
    private mutating func include(_ numbers: [Double]) -> Bool {
        var (least, most) = (Double.infinity, -Double.infinity)
        for number in numbers where !number.isNaN {
            if number < least { least = number }
            if number > most { most = number }
        }
        guard least <= most else { return true }
        return include(octaves: bins.bin(of: least) >> bins.bits...bins.bin(of: most) >> bins.bits)
    }

    /// Adds a number to a cell; NaN is skipped.
    mutating func add(_ number: Double, weight: Double, to cell: Int) {
        if number.isNaN { return }
        if number != number.rounded(.towardZero) { isWhole = false }
        grow(toCells: cell + 1)
        guard makeRoom(for: number, in: cell) else { return }
        let bin = bins.bin(of: number)
        let chunk = Int(index[cell * octaves + bin >> bins.bits - lowest])
        counts[chunk + bin & (1 << bins.bits - 1)] += weight
        widen(cell, least: number, most: number)
    }

    private mutating func widen(_ cell: Int, least: Double, most: Double) {
        extremes[2 * cell] = min(extremes[2 * cell], least)
        extremes[2 * cell + 1] = max(extremes[2 * cell + 1], most)
    }

    /// Counts numbers from a row on, up to the first that has no chunk yet. Returns its row.
    private mutating func fill(from start: Int, _ numbers: [Double], _ batch: RowBatch) -> Int {
        let (bins, lowest, octaves, index, weights) = (bins, lowest, octaves, index, batch.weights)
        let (numbersArray, codesArray, cellsArray) =
            (numbers.contiguous, batch.codes.contiguous, batch.cells.contiguous)
        return Self.withSpans(&counts, &extremes) { counts, extremes in
            let (numbers, codes, cells, chunks) = (numbersArray.span, codesArray.span, cellsArray.span, index.span)
            for row in start..<numbers.count {
                let number = numbers[unchecked: row]
                if number.isNaN { continue }
                let bin = bins.bin(of: number)
                let octave = bin >> bins.bits - lowest
                guard octave >= 0, octave < octaves else { return row }
                let cell = Int(cells[unchecked: Int(codes[unchecked: row])])
                let chunk = Int(chunks[unchecked: cell * octaves + octave])
                if chunk < 0 { return row }
                counts[unchecked: chunk + bin & (1 << bins.bits - 1)] += weights?[row] ?? 1
                if number < extremes[unchecked: 2 * cell] { extremes[unchecked: 2 * cell] = number }
                if number > extremes[unchecked: 2 * cell + 1] { extremes[unchecked: 2 * cell + 1] = number }
            }
            return numbers.count
        }
    }

    /// Spans of two properties at the same time, which accesses through `self` would not allow.
    @inline(__always)
    private static func withSpans(
        _ first: inout ContiguousArray<Double>, _ second: inout ContiguousArray<Double>,
        _ body: (inout MutableSpan<Double>, inout MutableSpan<Double>) -> Int,
    ) -> Int {
        var firstSpan = first.mutableSpan
        var secondSpan = second.mutableSpan
        return body(&firstSpan, &secondSpan)
    }

    /// Makes the chunk of a number in a cell. Returns whether there is room.
    private mutating func makeRoom(for number: Double, in cell: Int) -> Bool {
        let octave = bins.bin(of: number) >> bins.bits
        guard include(octaves: octave...octave) else { return false }
        let place = cell * octaves + octave - lowest
        if index[place] < 0 {
            index[place] = Int32(counts.count)
            counts.append(contentsOf: repeatElement(0, count: 1 << bins.bits))
        }
        return true
    }

    /// Widens the range of powers of two. Returns whether there is room.
    private mutating func include(octaves range: ClosedRange<Int>) -> Bool {
        let low = octaves == 0 ? range.lowerBound : min(lowest, range.lowerBound)
        let high = octaves == 0 ? range.upperBound : max(lowest + octaves - 1, range.upperBound)
        let width = high - low + 1
        if width == octaves { return true }
        guard cellCount * width <= Self.indexLimit else {
            isTooLarge = true
            return false
        }
        var wider = ContiguousArray<Int32>(repeating: -1, count: cellCount * width)
        for cell in 0..<cellCount {
            for old in 0..<octaves { wider[cell * width + lowest - low + old] = index[cell * octaves + old] }
        }
        (index, lowest, octaves) = (wider, low, width)
        return true
    }

    /// Adds the histograms of another, with its cells given new numbers.
    mutating func merge(_ other: Histogram, cells: (Int) -> Int?) {
        if !other.isWhole { isWhole = false }
        for cell in 0..<other.cellCount {
            if let target = cells(cell), target < cellCount {
                widen(target, least: other.extremes[2 * cell], most: other.extremes[2 * cell + 1])
            }
            for octave in 0..<other.octaves {
                let chunk = Int(other.index[cell * other.octaves + octave])
                guard chunk >= 0, let target = cells(cell) else { continue }
                let value = other.lowest + octave
                guard include(octaves: value...value) else { continue }
                let place = target * octaves + value - lowest
                if index[place] < 0 {
                    index[place] = Int32(counts.count)
                    counts.append(contentsOf: repeatElement(0, count: 1 << bins.bits))
                }
                let own = Int(index[place])
                for bin in 0..<(1 << bins.bits) { counts[own + bin] += other.counts[chunk + bin] }
            }
        }
    }

    /// Calls `body` with the bins of some cells together, in ascending order, without the empty ones.
    private func forEachBin(of cells: Range<Int>, _ body: (_ bin: Int, _ count: Double) -> Bool) {
        var sums: [Double] = []
        if cells.count == 1, cells.lowerBound < cellCount {
            for octave in 0..<octaves {
                let chunk = Int(index[cells.lowerBound * octaves + octave])
                if chunk < 0 { continue }
                for bin in 0..<(1 << bins.bits) where counts[chunk + bin] > 0 {
                    if !body((lowest + octave) << bins.bits + bin, counts[chunk + bin]) { return }
                }
            }
            return
        }
        for octave in 0..<octaves {
            sums.removeAll(keepingCapacity: true)
            for cell in cells where cell < cellCount {
                let chunk = Int(index[cell * octaves + octave])
                if chunk < 0 { continue }
                if sums.isEmpty {
                    sums.append(contentsOf: counts[chunk..<(chunk + (1 << bins.bits))])
                } else {
                    for bin in sums.indices { sums[bin] += counts[chunk + bin] }
                }
            }
            for (bin, count) in sums.enumerated() where count > 0 {
                if !body((lowest + octave) << bins.bits + bin, count) { return }
            }
        }
    }

    /// Computes what percentiles need. Call it after the last number was added.
    mutating func prepare() {
        totals = stride(from: 0, to: counts.count, by: 1 << bins.bits).map { chunk in
            counts[chunk..<(chunk + (1 << bins.bits))].reduce(0, +)
        }
    }

    /// Returns the number below or at which the share `quantile` of the weight of some cells lies.
    ///
    /// It is the middle of a bin, but never below the least or above the largest number of the cells.
    func percentile(_ quantile: Double, of cells: Range<Int>) -> Double? {
        let cells = cells.clamped(to: 0..<cellCount)
        guard let bin = bin(at: quantile, of: cells) else { return nil }
        var (least, most) = (Double.infinity, -Double.infinity)
        for cell in cells {
            least = min(least, extremes[2 * cell])
            most = max(most, extremes[2 * cell + 1])
        }
        return max(least, min(most, bins.middle(of: bin, isWhole: isWhole)))
    }

    /// Returns the bin in which the share `quantile` of the weight of some cells is reached.
    private func bin(at quantile: Double, of cells: Range<Int>) -> Int? {
        var weights = [Double](repeating: 0, count: octaves)
        for cell in cells {
            for octave in weights.indices {
                let chunk = Int(index[cell * octaves + octave])
                if chunk >= 0 { weights[octave] += totals[chunk >> bins.bits] }
            }
        }
        let target = quantile * weights.reduce(0, +)
        var reached = 0.0
        var result: Int?
        for octave in weights.indices where weights[octave] > 0 {
            if reached + weights[octave] < target {
                reached += weights[octave]
                continue
            }
            for bin in 0..<(1 << bins.bits) {
                var count = 0.0
                for cell in cells {
                    let chunk = Int(index[cell * octaves + octave])
                    if chunk >= 0 { count += counts[chunk + bin] }
                }
                if count == 0 { continue }
                reached += count
                result = (lowest + octave) << bins.bits + bin
                if reached >= target { return result }
            }
        }
        return result
    }

    func heatmap(of cells: Range<Int>) -> [HeatmapBin] {
        var result: [HeatmapBin] = []
        forEachBin(of: cells) { bin, count in
            result.append(bins.heatmapBin(bin, count: count))
            return true
        }
        return result
    }
}
