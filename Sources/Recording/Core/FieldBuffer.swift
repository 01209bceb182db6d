import AstrolabeWire

/// Memory that a record's fields are written into, one after the other; it grows by doubling.
struct FieldBuffer {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var ownsMemory: Bool
    private(set) var count = 0

    /// Starts in memory that belongs to the caller and outlives the buffer.
    @inline(__always)
    init(borrowing memory: UnsafeMutableRawPointer, capacity: Int) {
        base = memory
        self.capacity = capacity
        ownsMemory = false
    }

    /// Frees what the buffer has grown into; it must not be used after.
    @inline(__always)
    func deallocate() {
        if ownsMemory { base.deallocate() }
    }

    /// Writes exactly `size` bytes at the end.
    @inline(__always)
    mutating func append(_ size: Int, _ body: (inout WireWriter) -> Void) {
        if count &+ size > capacity { grow(toHold: count + size) }
        var writer = WireWriter(base + count)
        body(&writer)
        count &+= size
        assert(writer.cursor == base + count, "sized \(size) bytes, wrote another number")
    }

    /// Closes the gap that `range` leaves.
    mutating func remove(_ range: Range<Int>) {
        (base + range.lowerBound).copyMemory(from: base + range.upperBound, byteCount: count - range.upperBound)
        count -= range.count
    }

    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    @inline(never)
    private mutating func grow(toHold size: Int) {
        let newCapacity = max(size, capacity * 2)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
        memory.copyMemory(from: base, byteCount: count)
        deallocate()
        base = memory
        capacity = newCapacity
        ownsMemory = true
    }
}
