import AstrolabeSeededRandomness
import Testing

@testable import DeviceSimulator

@Suite struct `The schedule of packets` {
    private var chance = SeededGenerator(seed: 26)

    @Test mutating func `lets a packet arrive after the delay`() {
        var schedule = PacketSchedule()
        let quality = NetworkQuality(delay: .milliseconds(40), bytesPerSecond: 10_000)
        #expect(schedule.send(100, at: .seconds(1), over: quality, using: &chance) == .arrives(.milliseconds(1_050)))
    }

    @Test mutating func `carries no more bytes a second than the network does`() {
        var schedule = PacketSchedule()
        let quality = NetworkQuality(bytesPerSecond: 1_000)
        var last = Duration.zero
        for _ in 0..<10 {
            guard case .arrives(let time) = schedule.send(500, at: .zero, over: quality, using: &chance) else { return }
            last = time
        }
        #expect(last == .seconds(5))
    }

    @Test mutating func `keeps the order, whatever the jitter and the losses`() {
        var schedule = PacketSchedule()
        let quality = NetworkQuality(delay: .milliseconds(100), jitter: .milliseconds(100), loss: 0.2)
        var arrivals: [Duration] = []
        for number in 0..<1_000 {
            let fate = schedule.send(10, at: .milliseconds(number), over: quality, using: &chance)
            if case .arrives(let time) = fate { arrivals.append(time) }
        }
        #expect(arrivals.count == 1_000)
        #expect(arrivals == arrivals.sorted())
        #expect(zip(arrivals, 0...).allSatisfy { $0 >= .milliseconds($1) })
    }

    @Test mutating func `cuts connections as often as it is told to`() {
        let quality = NetworkQuality(cut: 0.1)
        var cuts = 0
        for _ in 0..<10_000 {
            var schedule = PacketSchedule()
            if schedule.send(1, at: .zero, over: quality, using: &chance) == .cut { cuts += 1 }
        }
        #expect((800...1_200).contains(cuts))
    }
}
