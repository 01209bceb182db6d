import Foundation
import Testing
import UniformTypeIdentifiersForLinux

@testable import OSLogForLinux

@Suite struct `A module of Apple's beside SwiftUI` {
    private func text(_ message: OSLogMessage) -> String { message.text }

    @Test func `has messages with values, of which the sensitive ones are masked`() {
        let (name, count, share) = ("Ada", 3, 0.25)
        #expect(text("\(name) has \(count) of \(share, format: .fixed(precision: 2))") == "Ada has 3 of 0.25")
        #expect(
            text("\(name, privacy: .public) \(name, privacy: .private) \(name, privacy: .sensitive)")
                == "Ada Ada <private>")
        #expect(text("\(255, format: .hex)|\(name, align: .right(columns: 5))|\(true)") == "ff|  Ada|true")
        #expect(text("\(CocoaError(.fileNoSuchFile) as any Error)").contains("CocoaError"))
    }

    @Test func `knows types of files by their extensions, and what they are`() {
        #expect(UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType.jpeg.conforms(to: .image) && UTType.png.conforms(to: .data) && !UTType.png.conforms(to: .text))
        #expect(UTType.json.preferredMIMEType == "application/json")
        #expect(UTType.plainText.preferredFilenameExtension == "txt")
        #expect(UTType(filenameExtension: "nonsense") == nil)
    }
}
