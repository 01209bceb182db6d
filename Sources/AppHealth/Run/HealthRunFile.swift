import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeWire
import CAstrolabeCrashCapture

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The file that a run leaves behind however it ends: preallocated, mapped, and locked while the process lives.
///
/// `CCrashCapture`, whose handlers write to it too, defines its layout.
final class HealthRunFile: @unchecked Sendable {  // words are atomic, and the `writing` lock guards the rest
    let run: OpaquePointer
    let file: PrivateFile
    let identity: RunIdentity
    /// Held while the file is extended: the number of images that have disk space.
    private let writing: Locked<Int>
    /// Images that may be loaded before the file is extended.
    private static let spareImages = 32

    static let suffix = ".run"

    /// Creates the file of the current run.
    ///
    /// - Parameter isPrewarmed: Whether the system began the process before the user opened the app.
    init(directory: String, identity: RunIdentity, isPrewarmed: Bool = false) throws(SystemError) {
        try PrivateFiles.makeDirectory(directory)
        let file = try PrivateFile(directory + "/" + identity.runID + Self.suffix)
        guard file.tryLock() else { throw SystemError("lock", file.path) }
        do {
            let (size, room) = (astrolabe_run_size(), Self.roomForImages)
            try file.fill(to: astrolabe_run_size_with_images(Int32(room)))
            try file.extend(to: size)
            run = OpaquePointer(try file.map(size))
            writing = Locked(room, isHeldDuringIO: true)
        } catch {
            PrivateFiles.removeFile(file.path)
            throw error
        }
        self.file = file
        self.identity = identity
        let texts = [
            (ASTROLABE_TEXT_RUN_ID, identity.runID), (ASTROLABE_TEXT_CRASH_ID, identity.crashID),
            (ASTROLABE_TEXT_BOOT_ID, identity.bootID), (ASTROLABE_TEXT_APP_VERSION, identity.appVersion),
            (ASTROLABE_TEXT_APP_BUILD, identity.appBuild), (ASTROLABE_TEXT_OS_NAME, identity.osName),
            (ASTROLABE_TEXT_OS_VERSION, identity.osVersion),
        ]
        for (text, value) in texts { astrolabe_run_set_text(run, Int32(text.rawValue), value) }
        self[ASTROLABE_WORD_PID] = UInt64(astrolabe_process_id())
        self[ASTROLABE_WORD_PROCESS_START] = SystemBoot.processStart
        self[ASTROLABE_WORD_LAUNCH] = SystemTime.wall
        self[ASTROLABE_WORD_PREWARMED] = isPrewarmed ? 1 : 0
        self[ASTROLABE_WORD_HEARTBEAT] = SystemTime.wall
        collectImages()
        astrolabe_run_begin(run)
    }

    /// The number of images that are to have disk space.
    private static var roomForImages: Int {
        min(Int(astrolabe_loaded_image_count()) + spareImages, Int(ASTROLABE_IMAGE_COUNT))
    }

    deinit {
        // A handler that was installed for it, or the end of the process, may still access it.
        MappedPages.discard(UnsafeMutableRawPointer(run), astrolabe_run_size())
    }

    subscript(word: astrolabe_word) -> UInt64 {
        get { astrolabe_run_get(run, Int32(word.rawValue)) }
        set { astrolabe_run_set(run, Int32(word.rawValue), newValue) }
    }

    /// Stores that a prewarmed process has launched, which it does when the user opens the app. Once.
    func launch(at time: UInt64) {
        guard self[ASTROLABE_WORD_PREWARMED] == 1 else { return }
        self[ASTROLABE_WORD_LAUNCH] = time
        self[ASTROLABE_WORD_PREWARMED] = 2
    }

    /// Stores the attributes currently common to all records, for reports about the run's last moment.
    func publish(_ current: () -> Attributes, as blob: astrolabe_blob = ASTROLABE_BLOB_AMBIENT) {
        writing.withLock { _ in
            let bytes = AttributeBytes.encode(current(), limit: Int(ASTROLABE_BLOB_SIZE))
            _ = astrolabe_run_publish(run, Int32(blob.rawValue), bytes, bytes.count)
        }
    }

    /// Stores a breadcrumb as JSON text.
    func add(crumb text: String) {
        var text = text
        text.withUTF8 { bytes in
            writing.withLock { _ in astrolabe_run_add_crumb(run, bytes.baseAddress, bytes.count) }
        }
    }

    /// The stored breadcrumbs, oldest first.
    var breadcrumbs: [String] { writing.withLock { _ in PreviousRun.breadcrumbs(of: run) } }

    var images: [BinaryImage] { writing.withLock { _ in PreviousRun.images(of: run) } }

    /// Samples a thread's stack; `nil` if it does not respond. Called only from the watchdog's thread.
    func sample(thread: UInt32, into place: Int, at time: UInt64) -> astrolabe_span_ids? {
        guard let head = astrolabe_run_sample(run, Int32(place)) else { return nil }
        var span = astrolabe_span_ids()
        let count = astrolabe_sample_thread(
            thread, astrolabe_run_sample_frames(run, Int32(place)), UInt32(ASTROLABE_SAMPLE_FRAMES), &span, 20)
        head.pointee = astrolabe_sample(time: time, frame_count: count, reserved: 0)
        return count > 0 ? span : nil
    }

    func moveSample(_ place: Int, to other: Int) {
        guard let old = astrolabe_run_sample(run, Int32(place)), let new = astrolabe_run_sample(run, Int32(other)),
            let frames = astrolabe_run_sample_frames(run, Int32(place))
        else { return }
        astrolabe_run_sample_frames(run, Int32(other))?.update(from: frames, count: Int(ASTROLABE_SAMPLE_FRAMES))
        new.pointee = old.pointee
    }

    /// Lists the images that were loaded since the last call. Without disk space for more, they are left out.
    func collectImages() {
        let needed = Self.roomForImages
        writing.withLock { room in
            if Int(astrolabe_loaded_image_count()) > room, extend(from: room, to: needed) { room = needed }
            astrolabe_run_collect_images(run, Int32(room))
        }
    }

    private func extend(from room: Int, to needed: Int) -> Bool {
        let (start, end) = (astrolabe_run_size_with_images(Int32(room)), astrolabe_run_size_with_images(Int32(needed)))
        return (try? file.fill(from: start, to: end)) != nil
    }
}

/// An encoding of attributes as bytes that a later run reads.
enum AttributeBytes {
    /// As many of the attributes, in their order, as fit into `limit` bytes.
    static func encode(_ attributes: Attributes, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in attributes {
            let one = Attributes(uniqueElements: [element])
            let size = one.wireSize
            guard bytes.count + size <= limit else { continue }
            bytes.appendWire(size) { one.write(as: LogRecordField.attributes, to: &$0) }
        }
        return bytes
    }

    /// The attributes; none if the bytes are something else.
    static func decode(_ attributes: UnsafeBufferPointer<UInt8>) -> Attributes {
        Attributes(wire: UnsafeRawBufferPointer(attributes)) ?? [:]
    }
}
