import AstrolabeSemantics
import AstrolabeTelemetryModel

/// An executable or library that contains frames of a stack.
struct BinaryImage: Equatable, Sendable {
    var path: String
    /// The value to subtract from an address to find it in the image's debug information.
    var bias: UInt64
    var range: Range<UInt64>
    /// Lowercase hexadecimal; empty if the image has none.
    var buildID: String
    var isApp: Bool

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    var attribute: AttributeValue {
        var map: Attributes = ["name": name]
        if path.hasPrefix("/"), !["/home/", "/Users/", "/root/"].contains(where: path.hasPrefix) {
            map["path"] = .string(path)
        }
        if !buildID.isEmpty { map["build_id"] = .string(buildID) }
        map["load_address"] = .address(bias)
        map["size"] = .int(Int64(clamping: range.upperBound - min(bias, range.upperBound)))
        if isApp { map["is_app"] = true }
        return .map(map)
    }
}

extension [BinaryImage] {
    /// The build ID of the app's executable; empty if it has none.
    var executableBuildID: String { first { $0.isApp }?.buildID ?? "" }
}

/// An instruction address or a return address of a thread.
struct StackFrame: Equatable, Sendable {
    var address: UInt64
    /// True if it was found by scanning the stack rather than by a frame pointer.
    var isScanned: Bool
}

/// Encodes addresses for records, and collects the images that contain them.
struct StackDescription {
    private let images: [BinaryImage]
    /// Indices of the images in the record.
    private var listed: [Int] = []
    private var numbers: [Int: Int] = [:]

    init(_ images: [BinaryImage]) {
        self.images = images
    }

    /// `astrolabe.images`: the images that contain the frames so far.
    var imageList: AttributeValue { .array(listed.map { images[$0].attribute }) }

    /// Returns the frames of one stack as an attribute.
    mutating func frames(_ frames: [StackFrame]) -> AttributeValue { .array(frames.map { frame($0) }) }

    private mutating func frame(_ frame: StackFrame) -> AttributeValue {
        var map = Attributes()
        if let index = image(of: frame.address) {
            map["image"] = .int(Int64(number(of: index)))
            map["offset"] = .int(Int64(clamping: frame.address - min(images[index].bias, frame.address)))
        } else {
            map["address"] = .address(frame.address)
        }
        if frame.isScanned { map["found"] = "scan" }
        return .map(map)
    }

    private mutating func number(of image: Int) -> Int {
        if let number = numbers[image] { return number }
        listed.append(image)
        numbers[image] = listed.count - 1
        return listed.count - 1
    }

    private func image(of address: UInt64) -> Int? {
        images.firstIndex { $0.range.contains(address) }
    }

    /// Returns the stack as readable text, cut to `limit` bytes.
    func text(of frames: [StackFrame], limit: Int = 16_000) -> String {
        var text = ""
        for (number, frame) in frames.enumerated() {
            let image = image(of: frame.address).map { images[$0] }
            var line = "\(number)  \(image?.name ?? "?")  \(AttributeValue.address(frame.address))"
            if let image { line += "  +\(AttributeValue.address(frame.address - min(image.bias, frame.address)))" }
            if text.utf8.count + line.utf8.count >= limit { break }
            text += (text.isEmpty ? "" : "\n") + line
        }
        return text
    }
}

extension AttributeValue {
    /// An address in the format of records.
    static func address(_ address: UInt64) -> AttributeValue { .string("0x" + String(address, radix: 16)) }
}
