import AstrolabeTestSupport
import Foundation
import Testing

/// Holds the Kotlin sources in `Android/` and the Swift SDK to the same cases.
///
/// If a rule of the Swift code changes, the test of its file fails. `./astrolabe vectors` writes the new cases, and the
/// Kotlin tests fail until the Kotlin code follows.
struct AndroidVectorTests {
    @Test func `the policy decides the vectors as the file for Kotlin says`() throws {
        try PolicyVectors().file.check()
    }

    @Test func `the queue keeps, leases and drops records as the file for Kotlin says`() throws {
        try QueueVectors().file.check()
    }

    @Test func `headers are read and written as the file for Kotlin says`() throws {
        try HeaderVectors().file.check()
    }

    @Test func `results of requests and flush times are judged as the file for Kotlin says`() throws {
        try DeliveryVectors().file.check()
    }

    @Test func `names of attributes, headers and counters are those of the file for Kotlin`() throws {
        try NameVectors().file.check()
    }

    @Test func `documents of remote policy are read, refused and followed as the file for Kotlin says`() throws {
        try RemotePolicyVectors().file.check()
    }

    @Test func `all vectors together have less than 350 kB`() throws {
        let folder = Repository.file("Android/vectors")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count == 6)
        #expect(try files.reduce(0) { $0 + (try Data(contentsOf: $1)).count } < 350_000)
    }
}
