/// Attributes of crashes and hangs that the semantic conventions do not have; `Docs/AppHealth.md` says what they mean.
enum HealthKey {
    static let images = "astrolabe.images"
    static let crashThreads = "astrolabe.crash.threads"
    static let crashCodeName = "astrolabe.crash.code_name"
    static let crashAddress = "astrolabe.crash.address"
    static let crashIsStackOverflow = "astrolabe.crash.is_stack_overflow"
    static let hangDuration = "astrolabe.hang.duration"
    static let hangSamples = "astrolabe.hang.samples"
    static let hangSampleInterval = "astrolabe.hang.sample_interval"
}
