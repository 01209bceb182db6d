import Foundation
import Testing

@testable import DeviceSimulator

/// A URL reaches an app in another process, whatever that app does at the moment.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `A URL that is opened on a phone` {
    private func url(_ name: String) throws -> URL { try #require(URL(string: "traits://\(name)?a=b")) }

    @Test func `reaches an app in front, in the background, suspended or launching, which is active by then`()
        async throws
    {
        try await PhoneWithTraits.run { subject in
            let phone = subject.phone
            // The app is still launching.
            try await phone.open(try url("one"))
            try await subject.facts { $0["opened"] == "traits://one?a=b active" }
            try await phone.open(try url("two"))
            try await subject.facts { $0["opened"]?.hasSuffix("traits://two?a=b active") == true }
            try await phone.perform(.background)
            try await phone.open(try url("three"))
            try await subject.facts { $0["opened"]?.hasSuffix("traits://three?a=b active") == true }
            try await phone.perform(.suspend)
            try await phone.open(try url("four"))
            let facts = try await subject.facts { $0["opened"]?.hasSuffix("traits://four?a=b active") == true }
            #expect(facts["opened"]?.components(separatedBy: ", ").count == 4)
            #expect(await phone.state.app.launches == 1)
        }
    }

    @Test func `launches an app that has ended, which gets it once`() async throws {
        try await PhoneWithTraits.run { subject in
            let phone = subject.phone
            try await subject.facts()
            try await phone.perform(.terminate)
            try await phone.open(try url("one"))
            try await subject.facts { $0["opened"] == "traits://one?a=b active" }
            try await phone.perform(.terminate)
            try await phone.perform(.launch)
            let facts = try await subject.facts()
            #expect(facts["opened"] == "")
            #expect(await phone.state.app.launches == 3)
        }
    }

    @Test func `must have a scheme`() async throws {
        try await PhoneWithTraits.run { subject in
            let url = try #require(URL(string: "cart"))
            await #expect(
                throws: PhoneError.badSetting("expected a URL with a scheme, such as shop://cart; found cart")
            ) {
                try await subject.phone.open(url)
            }
        }
    }
}
