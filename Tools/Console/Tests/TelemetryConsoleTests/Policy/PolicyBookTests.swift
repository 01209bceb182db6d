import Foundation
import Testing

@testable import TelemetryConsole

@Suite struct `The roll-out of a policy` {
    private static let device = PolicyDevice(
        app: "shop", appVersion: "2.1.0", system: "iOS 18.1", model: "iPhone17,1", installation: "one")

    private static func policy(
        _ version: Int, expires: Int64 = 1_000, _ rollout: PolicyRollout = PolicyRollout(),
    ) -> StoredPolicy {
        StoredPolicy(
            app: "shop", version: version, document: Data("{}".utf8), signature: Data(), hash: "\(version)",
            offerHash: "offer \(version)", expires: expires, pushed: 0, rollout: rollout)
    }

    @Test(arguments: [1.0, 10, 50, 90]) func `reaches about its share of the installations`(_ percentage: Double) {
        let rollout = PolicyRollout(percentage: percentage)
        let reached = (0..<1_000).filter { number in
            rollout.includes(PolicyDevice(app: "shop", installation: "installation-\(number)"))
        }
        // Four standard deviations of a binomial distribution.
        let deviation = (10 * percentage * (1 - percentage / 100)).squareRoot()
        #expect(abs(Double(reached.count) - 10 * percentage) < 4 * deviation)
    }

    @Test func `keeps the installations that it has when the share grows, and reaches all or none at the ends`() {
        var former: Set<Int> = []
        for percentage in [0.0, 1, 10, 50, 100] {
            let rollout = PolicyRollout(percentage: percentage)
            let reached = (0..<1_000).filter { number in
                rollout.includes(PolicyDevice(app: "shop", installation: "installation-\(number)"))
            }
            #expect(former.isSubset(of: reached))
            former = Set(reached)
            if percentage == 0 { #expect(reached.isEmpty) }
        }
        #expect(former.count == 1_000)
        // A restart or another version of the console moves no installation.
        #expect(PolicyRollout.place(of: "installation-1") == 18.91)
        #expect(PolicyRollout.place(of: "installation-2") == 10.8)
    }

    @Test func `is for the installations of its target`() {
        let targets: [(PolicyTarget, Bool)] = [
            (PolicyTarget(), true),
            (PolicyTarget(appVersions: ["2.1.0"]), true), (PolicyTarget(appVersions: ["1.*", "2.*"]), true),
            (PolicyTarget(appVersions: ["2.1"]), false), (PolicyTarget(systems: ["iOS 18*"]), true),
            (PolicyTarget(systems: ["iOS 17*"]), false), (PolicyTarget(models: ["iPhone*"]), true),
            (PolicyTarget(models: ["iPad*"]), false), (PolicyTarget(installations: ["one"]), true),
            (PolicyTarget(installations: ["two"]), false),
            (PolicyTarget(appVersions: ["2.*"], systems: ["Android*"]), false),
        ]
        for (target, isIncluded) in targets {
            #expect(PolicyRollout(target: target).includes(Self.device) == isIncluded, "\(target)")
        }
    }

    @Test func `gives the newest document that is for a device and has not expired`() throws {
        var book = PolicyBook()
        try book.add(Self.policy(1))
        try book.add(Self.policy(2, expires: 100))
        try book.add(Self.policy(3, PolicyRollout(target: PolicyTarget(appVersions: ["3.*"]))))
        #expect(book.policy(for: Self.device, at: 99)?.version == 2)
        #expect(book.policy(for: Self.device, at: 100)?.version == 1)
        #expect(book.policy(for: Self.device, at: 1_000) == nil)
        var newer = Self.device
        newer.appVersion = "3.0.0"
        #expect(book.policy(for: newer, at: 99)?.version == 3)
        _ = try book.withdraw("shop", 3, at: 50)
        #expect(book.policy(for: newer, at: 99)?.version == 2)
        var other = Self.device
        other.app = "mail"
        #expect(book.policy(for: other, at: 99) == nil)
    }

    @Test func `keeps the document for all when there are many for single installations`() throws {
        var book = PolicyBook()
        book.limits = PolicyBook.Limits(apps: 1, documents: 3)
        try book.add(Self.policy(1))
        for version in 2...9 {
            let target = PolicyTarget(installations: ["device-\(version)"])
            try book.add(Self.policy(version, PolicyRollout(target: target)))
        }
        #expect(book.policies["shop"]?.map(\.version) == [9, 8, 1])
        _ = try book.withdraw("shop", 1, at: 0)
        try book.add(Self.policy(10))
        #expect(book.policies["shop"]?.map(\.version) == [10, 9, 8])
    }

    @Test func `takes newer versions alone, and keeps the newest documents`() throws {
        var book = PolicyBook()
        book.limits = PolicyBook.Limits(apps: 1, documents: 3)
        for version in [1, 2, 5, 7] { try book.add(Self.policy(version)) }
        #expect(book.policies["shop"]?.map(\.version) == [7, 5, 2])
        #expect(throws: RolloutRefusal.notNewer(app: "shop", newest: 7, found: 7)) { try book.add(Self.policy(7)) }
        let refusal = #expect(throws: RolloutRefusal.self) {
            _ = try book.change("shop", 7, percentage: 101, target: nil)
        }
        #expect(refusal?.description == "percentage: expected 0 to 100, found 101.0")
        _ = try book.change("shop", 7, percentage: 5, target: nil)
        #expect(book.policies["shop"]?.first?.rollout.percentage == 5)
        _ = try book.withdraw("shop", 7, at: 9)
        #expect(throws: RolloutRefusal.withdrawn(app: "shop", version: 7)) {
            _ = try book.change("shop", 7, percentage: 5, target: nil)
        }
        #expect(throws: RolloutRefusal.notFound(app: "shop", version: 8)) { _ = try book.withdraw("shop", 8, at: 9) }
    }
}

@Suite struct `The file of policies` {
    @Test func `stays as it is if what is to be stored could not be read again`() throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func policy(_ version: Int, bytes: Int) -> StoredPolicy {
            StoredPolicy(
                app: "shop", version: version, document: Data(count: bytes), signature: Data(), hash: "\(version)",
                offerHash: "offer \(version)", expires: 1_000, pushed: 0, rollout: PolicyRollout())
        }
        let file = StateFile<PolicyBook>(
            path: folder.appendingPathComponent("policies.json").path, sizeLimit: 10_000)
        var book = PolicyBook()
        try book.add(policy(1, bytes: 1_000))
        try file.write(book)
        var larger = book
        try larger.add(policy(2, bytes: 9_000))
        #expect(throws: StateFile<PolicyBook>.Fault.tooLarge(limit: 10_000)) { try file.write(larger) }
        #expect(try file.read() == book)
    }
}

@Suite struct `Who has which policy` {
    @Test func `lists a bounded number of unknown documents and refusals, and all agents that refused one`() throws {
        var book = PolicyBook()
        try book.add(
            StoredPolicy(
                app: "shop", version: 1, document: Data("{}".utf8), signature: Data(), hash: "1", offerHash: "offer 1",
                expires: 1_000, pushed: 0, rollout: PolicyRollout()))
        let device = PolicyDevice(app: "shop")
        var agents = (0..<120).map { number in
            // Any device may report any hash and any reason, here two devices each.
            PolicyAgent(
                id: "\(number)", device: device, sequence: 1, received: "offer 1", status: .failed,
                message: "reason \(number / 2)", applied: "unknown \(number / 2)", polled: 1)
        }
        agents.append(PolicyAgent(id: "a", device: device, sequence: 1, applied: "offer 1", polled: 2))
        agents.append(PolicyAgent(id: "b", device: device, sequence: 1, polled: 1))
        let use = PolicyUse(of: agents, app: "shop", book: book)
        #expect(use.agents == 122 && use.polled == 2)
        #expect(use.refused == 120 && use.refusals.count == 50)
        #expect(use.versions.count == 52)
        #expect(use.versions.contains { $0.policy?.version == 1 && $0.agents == 1 })
        #expect(use.versions.contains { $0.offerHash.isEmpty && $0.agents == 1 })
    }
}

@Suite struct `The agents of policies` {
    private static func report(_ id: String, _ sequence: UInt64, isFull: Bool = true) -> PolicyReport {
        PolicyReport(
            id: id, sequence: sequence, device: isFull ? PolicyDevice(app: "shop", installation: id) : nil)
    }

    @Test func `are asked for all that they have if they are unknown or a report was lost`() {
        var agents = PolicyAgents()
        let unknown = agents.take(Self.report("a", 4, isFull: false), at: 1)
        #expect(unknown.agent == nil && unknown.isFullStateNeeded)
        let full = agents.take(Self.report("a", 5), at: 2)
        #expect(!full.isFullStateNeeded)
        let next = agents.take(Self.report("a", 6, isFull: false), at: 3)
        #expect(next.agent?.device.app == "shop" && !next.isFullStateNeeded)
        // A request that is sent again, because its response was lost.
        let again = agents.take(Self.report("a", 6, isFull: false), at: 4)
        #expect(!again.isFullStateNeeded)
        let gap = agents.take(Self.report("a", 8, isFull: false), at: 5)
        #expect(gap.agent?.device.app == "shop" && gap.isFullStateNeeded)
        // A process that began again counts from the start.
        let start = agents.take(Self.report("a", 1), at: 6)
        #expect(!start.isFullStateNeeded)
    }

    @Test func `keep what they follow when they refuse a document`() {
        var agents = PolicyAgents()
        var report = Self.report("a", 1)
        report.state = PolicyReport.State(hash: "old", status: .applied)
        _ = agents.take(report, at: 1)
        report = Self.report("a", 2, isFull: false)
        report.state = PolicyReport.State(
            hash: "new", status: .failed, message: String(repeating: "x", count: 9_000))
        _ = agents.take(report, at: 2)
        let agent = agents.agents["a"]
        #expect(agent?.applied == "old" && agent?.received == "new" && agent?.status == .failed)
        #expect(agent?.message.count == 500)
    }

    @Test func `have nothing after they reported themselves without a document`() {
        var agents = PolicyAgents()
        var report = Self.report("a", 1)
        report.state = PolicyReport.State(hash: "old", status: .applied)
        _ = agents.take(report, at: 1)
        _ = agents.take(Self.report("a", 2, isFull: false), at: 2)
        #expect(agents.agents["a"]?.applied == "old")
        _ = agents.take(Self.report("a", 1), at: 3)
        #expect(agents.agents["a"]?.applied == "" && agents.agents["a"]?.status == .unset)
    }

    @Test func `are a bounded number, of which those that asked last are kept`() {
        var agents = PolicyAgents()
        agents.limit = 20
        for number in 0..<21 { _ = agents.take(Self.report("\(number)", 1), at: Int64(number)) }
        #expect(agents.agents.count == 18)
        #expect(agents.forgotten == 3)
        #expect(agents.agents["2"] == nil && agents.agents["3"] != nil && agents.agents["20"] != nil)
    }
}
