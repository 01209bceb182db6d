import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
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

/// The data that a finished run left behind, as values.
final class PreviousRun: Sendable {
    let identity: RunIdentity
    /// True if all parts of the file could be read; `isKnown` if texts, words and the crash could.
    let isWhole: Bool
    let isKnown: Bool
    let isClean: Bool
    /// True if the process called `exit` or returned from its main function.
    let hasExited: Bool
    /// The signal that ended the process and is no crash; 0 if there was none.
    let endSignal: Int32
    let lifecycle: LifecycleCode
    let process: UInt64
    /// When the process began, or a prewarmed one launched. Nanoseconds since 1970.
    let start: UInt64
    /// True if the system had prewarmed the process and the user has not opened the app since.
    let isAwaitingLaunch: Bool
    let lastSeen: UInt64
    /// Nanoseconds until `lastSeen` since metrics were last collected.
    let uncollected: UInt64
    let memory: (free: UInt64, used: UInt64)
    /// The attributes that all its records had at its last moment.
    let ambient: Attributes
    let breadcrumbs: [String]
    let images: [BinaryImage]
    let crash: CrashRecord?
    /// The hang that was in progress or not recorded when the run ended.
    let hang: HangRecord?
    /// The spans that were open at the crash.
    let openSpans: [OpenSpan]

    struct OpenSpan: Sendable {
        var scope: InstrumentationScope
        var fields: [UInt8]
    }

    /// - Parameter run: A copy of the file in the layout of this version.
    init(_ run: OpaquePointer, extent: astrolabe_extent) {
        func text(_ text: astrolabe_text) -> String { String(cString: astrolabe_run_text(run, Int32(text.rawValue))) }
        func word(_ word: astrolabe_word) -> UInt64 { astrolabe_run_get(run, Int32(word.rawValue)) }
        identity = RunIdentity(
            runID: text(ASTROLABE_TEXT_RUN_ID), crashID: text(ASTROLABE_TEXT_CRASH_ID),
            bootID: text(ASTROLABE_TEXT_BOOT_ID), appVersion: text(ASTROLABE_TEXT_APP_VERSION),
            appBuild: text(ASTROLABE_TEXT_APP_BUILD), osName: text(ASTROLABE_TEXT_OS_NAME),
            osVersion: text(ASTROLABE_TEXT_OS_VERSION),
        )
        isWhole = extent == ASTROLABE_EXTENT_WHOLE
        isKnown = extent != ASTROLABE_EXTENT_PART
        isClean = word(ASTROLABE_WORD_IS_CLEAN) == 1
        hasExited = word(ASTROLABE_WORD_HAS_EXITED) == 1
        endSignal = Int32(clamping: word(ASTROLABE_WORD_END_SIGNAL))
        lifecycle = LifecycleCode(rawValue: word(ASTROLABE_WORD_LIFECYCLE)) ?? .launching
        process = word(ASTROLABE_WORD_PID)
        let isPrewarmed = word(ASTROLABE_WORD_PREWARMED) != 0
        start = isPrewarmed ? word(ASTROLABE_WORD_LAUNCH) : word(ASTROLABE_WORD_PROCESS_START)
        isAwaitingLaunch = word(ASTROLABE_WORD_PREWARMED) == 1
        memory = (word(ASTROLABE_WORD_MEMORY_FREE), word(ASTROLABE_WORD_MEMORY_USED))
        ambient = Self.attributes(ASTROLABE_BLOB_AMBIENT, of: run)
        breadcrumbs = Self.breadcrumbs(of: run)
        images = Self.images(of: run)
        crash = CrashRecord(run)
        hang = HangRecord(run)
        openSpans = Self.openSpans(of: run)
        lastSeen = max(word(ASTROLABE_WORD_HEARTBEAT), crash?.time ?? 0, hang?.lastSeen ?? 0)
        let collected = word(ASTROLABE_WORD_COLLECTED)
        uncollected = collected == 0 ? 0 : lastSeen - min(collected, lastSeen)
    }

    private static func attributes(_ blob: astrolabe_blob, of run: OpaquePointer) -> Attributes {
        var count = 0
        let bytes = astrolabe_run_published(run, Int32(blob.rawValue), &count)
        return AttributeBytes.decode(UnsafeBufferPointer(start: bytes, count: count))
    }

    fileprivate static func hangAmbient(of run: OpaquePointer) -> Attributes {
        attributes(ASTROLABE_BLOB_HANG_AMBIENT, of: run)
    }

    private static func openSpans(of run: OpaquePointer) -> [OpenSpan] {
        var count = 0
        let start = astrolabe_run_open_spans(run, &count)
        var rest = UnsafeRawBufferPointer(start: start, count: count)
        guard !rest.isEmpty else { return [] }
        let scopes = attributes(ASTROLABE_BLOB_SCOPES, of: run)
        var spans: [OpenSpan] = []
        while rest.count >= 8 {
            let (scope, size) = (
                rest.loadUnaligned(as: UInt16.self), rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
            )
            guard let size = Int(exactly: size), size <= rest.count - 8 else { break }
            let fields = Array(rest[8..<8 + size])
            spans.append(OpenSpan(scope: RegisteredScopes.scope(scope, in: scopes), fields: fields))
            rest = UnsafeRawBufferPointer(rebasing: rest[(8 + size)...])
        }
        return spans
    }

    static func images(of run: OpaquePointer) -> [BinaryImage] {
        (0..<astrolabe_run_image_count(run)).map { BinaryImage(run, index: $0) }
    }

    static func breadcrumbs(of run: OpaquePointer) -> [String] {
        var texts: [String] = []
        var count = 0
        while let bytes = astrolabe_run_crumb(run, Int32(texts.count), &count) {
            texts.append(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        }
        return texts.filter { !$0.isEmpty }
    }
}

/// The crash that ended a run, as its handler stored it.
struct CrashRecord: Sendable {
    struct Thread: Sendable {
        var id: UInt32
        var name: String
        var isMain: Bool
        var frames: [StackFrame]
    }

    var stage: UInt32
    var isNested: Bool
    var signal: Int32
    var code: Int32
    var address: UInt64
    var time: UInt64
    var span: SpanContext
    var isStarted: Bool
    var lifecycle: LifecycleCode
    var stackPointer: UInt64
    var message: String
    /// The exception that ended the run; its name is empty if there was none.
    var exception: (name: String, reason: String)
    var registers: [UInt64]
    /// The crashed thread first.
    var threads: [Thread]

    init?(_ run: OpaquePointer) {
        let crash = astrolabe_run_crash(run).pointee
        guard crash.owner != 0, crash.stage >= ASTROLABE_STAGE_BEGUN.rawValue else { return nil }
        stage = crash.stage
        isNested = crash.is_nested > 0
        signal = crash.signal
        code = crash.code
        address = crash.address
        time = crash.time
        span = SpanContext(
            traceID: TraceID(high: crash.trace_high, low: crash.trace_low), spanID: SpanID(crash.span))
        isStarted = crash.phase == 1
        lifecycle = LifecycleCode(rawValue: crash.lifecycle) ?? .launching
        stackPointer = crash.stack_pointer
        let text = UnsafeRawBufferPointer(
            start: astrolabe_run_message(run), count: min(Int(crash.message_size), Int(ASTROLABE_MESSAGE_SIZE)))
        message = String(decoding: text, as: UTF8.self)
        let registerCount = min(Int(crash.register_count), Int(ASTROLABE_REGISTER_COUNT))
        registers = Array(UnsafeBufferPointer(start: astrolabe_run_registers(run), count: registerCount))
        threads = (0..<min(Int32(clamping: crash.thread_count), ASTROLABE_THREAD_COUNT)).map { Thread(run, index: $0) }
        if threads.isEmpty, crash.program_counter != 0 {
            let frame = StackFrame(address: crash.program_counter, isScanned: false)
            threads = [Thread(id: crash.owner, name: "", isMain: false, frames: [frame])]
        }
        exception = ("", "")
        if let thrown = astrolabe_run_exception(run) {
            exception = (Self.text(of: \.name, in: thrown), Self.text(of: \.reason, in: thrown))
            // The stack of the place that threw an Objective-C exception, which is gone from the thread's stack.
            let frames = Self.frames(of: thrown)
            if !frames.isEmpty, !threads.isEmpty { threads[0].frames = frames }
        }
        #if arch(x86_64)
        // The program counter is after the breakpoint instruction, possibly in the next source line.
        if signal == SIGTRAP, crash.code > 0, threads.first?.frames.isEmpty == false {
            threads[0].frames[0].address &-= 1
        }
        #endif
    }
}

extension CrashRecord {
    private static func text<Characters>(
        of field: KeyPath<astrolabe_exception, Characters>, in exception: UnsafePointer<astrolabe_exception>,
    ) -> String {
        withUnsafeBytes(of: exception.pointee[keyPath: field]) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func frames(of exception: UnsafePointer<astrolabe_exception>) -> [StackFrame] {
        let count = min(Int(exception.pointee.frame_count), Int(ASTROLABE_FRAME_COUNT))
        return withUnsafeBytes(of: exception.pointee.frames) { bytes in
            [StackFrame](UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt64.self)[..<count]))
        }
    }
}

extension CrashRecord.Thread {
    fileprivate init(_ run: OpaquePointer, index: Int32) {
        let head = astrolabe_run_thread(run, index).pointee
        id = head.id
        name = withUnsafeBytes(of: head.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        isMain = head.is_main != 0
        let count = min(Int(head.frame_count), Int(ASTROLABE_FRAME_COUNT))
        frames = [StackFrame](UnsafeBufferPointer(start: astrolabe_run_thread_frames(run, index), count: count))
    }
}

/// A hang, during it and afterwards.
struct HangRecord: Sendable {
    struct Sample: Sendable {
        /// Nanoseconds since the hang began.
        var time: UInt64
        var frames: [StackFrame]
    }

    /// A UUID; empty if the version that stored it gave none.
    var id: String
    /// Nanoseconds since 1970.
    var began: UInt64
    var lastSeen: UInt64
    /// Nanoseconds.
    var duration: UInt64 { lastSeen - began }
    /// True if the process has not ended and the app has not left the foreground.
    var isInProgress: Bool
    var hasEnded: Bool
    /// Nanoseconds between two samples.
    var interval: UInt64
    var samples: [Sample]
    var span: SpanContext
    var ambient: Attributes

    /// Reads the hang that is in progress or not recorded yet; `nil` if there is none.
    init?(_ run: OpaquePointer) {
        func word(_ word: astrolabe_word) -> UInt64 { astrolabe_run_get(run, Int32(word.rawValue)) }
        began = word(ASTROLABE_WORD_HANG_BEGAN)
        guard began > 0 else { return nil }
        let bits = (word(ASTROLABE_WORD_HANG_ID_HIGH), word(ASTROLABE_WORD_HANG_ID_LOW))
        id = bits == (0, 0) ? "" : IDGenerator.uuid(high: bits.0, low: bits.1)
        lastSeen = max(word(ASTROLABE_WORD_HANG_SEEN), began)
        isInProgress = word(ASTROLABE_WORD_HANG_STATE) == 0
        hasEnded = word(ASTROLABE_WORD_HANG_STATE) == 1
        interval = word(ASTROLABE_WORD_HANG_INTERVAL)
        let count = min(Int32(clamping: word(ASTROLABE_WORD_HANG_SAMPLES)), ASTROLABE_SAMPLE_COUNT)
        samples = (0..<count).map { index in
            let head = astrolabe_run_sample(run, index).pointee
            let frames = UnsafeBufferPointer(
                start: astrolabe_run_sample_frames(run, index),
                count: min(Int(head.frame_count), Int(ASTROLABE_SAMPLE_FRAMES)))
            return Sample(time: head.time, frames: [StackFrame](frames))
        }
        span = SpanContext(
            traceID: TraceID(
                high: word(ASTROLABE_WORD_HANG_TRACE_HIGH), low: word(ASTROLABE_WORD_HANG_TRACE_LOW)),
            spanID: SpanID(word(ASTROLABE_WORD_HANG_SPAN)))
        ambient = PreviousRun.hangAmbient(of: run)
    }
}

extension [StackFrame] {
    /// Decodes addresses as a handler stores them.
    init(_ addresses: UnsafeBufferPointer<UInt64>) {
        self = addresses.map { address in
            let isScanned = address >> 63 == 1
            return StackFrame(address: address & (UInt64.max >> 1), isScanned: isScanned)
        }
    }
}

extension BinaryImage {
    init(_ run: OpaquePointer, index: Int32) {
        let image = astrolabe_run_image(run, index).pointee
        path = String(cString: astrolabe_run_image_path(run, index))
        bias = image.bias
        range = image.begin..<Swift.max(image.begin, image.end)
        buildID = withUnsafeBytes(of: image.build_id) { bytes in
            bytes.prefix(Int(image.build_id_size)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        isApp = image.is_app != 0
    }
}
