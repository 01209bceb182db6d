import Foundation

/// The catalogue's pictures, in memory.
///
/// Each picture is kept twice: as the drawing (SVG, sharp at any size) and as a JPEG made of it. The API names pictures
/// `.jpg`, and a phone's image decoder reads JPEG but no SVG, so JPEG is the answer to everyone who does not say that
/// SVG is welcome. Browsers say so. Either way the `Content-Type` is true.
///
/// Names are looked up among those of the catalogue and never joined to a path, so no name leads out of the folder.
struct ProductImageStore: Sendable {
    /// One picture in one format.
    struct Picture: Sendable {
        let bytes: [UInt8]
        let contentType: String
        /// A strong entity tag, the same for equal bytes.
        let entityTag: String

        init(bytes: [UInt8], contentType: String) {
            self.bytes = bytes
            self.contentType = contentType
            let hash = bytes.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, byte in  // FNV-1a
                hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
            }
            entityTag = "\"\(String(hash, radix: 16))\""
        }
    }

    private let jpegs: [String: Picture]
    private let drawings: [String: Picture]

    /// Reads the pictures of the given names from the module's resources.
    ///
    /// - Throws: ``ShopBackendError/pictureMissing(_:)``.
    init(names: [String]) throws(ShopBackendError) {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Pictures", isDirectory: true)
        var jpegs: [String: Picture] = [:]
        var drawings: [String: Picture] = [:]
        for name in names {
            let drawing = (name as NSString).deletingPathExtension + ".svg"
            jpegs[name] = try Self.read(name, as: "image/jpeg", in: folder)
            drawings[name] = try Self.read(drawing, as: "image/svg+xml", in: folder)
        }
        self.jpegs = jpegs
        self.drawings = drawings
    }

    /// The picture of a name, in the best format that an `Accept` header allows; nil for an unknown name.
    func picture(named name: String, accept: String?) -> Picture? {
        Self.welcomesDrawing(accept) ? drawings[name] : jpegs[name]
    }

    /// Returns true if the header names `image/svg+xml` itself; `*/*` and `image/*` do not tell a browser from a phone.
    static func welcomesDrawing(_ accept: String?) -> Bool {
        (accept ?? "").split(separator: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return parts.first == "image/svg+xml" && quality > 0
        }
    }

    private static func read(_ name: String, as contentType: String, in folder: URL) throws(ShopBackendError)
        -> Picture
    {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
            throw .pictureMissing(name)
        }
        return Picture(bytes: [UInt8](data), contentType: contentType)
    }
}
