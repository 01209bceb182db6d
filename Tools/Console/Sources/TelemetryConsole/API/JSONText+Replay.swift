import ConsoleModel

extension JSONText {
    /// Appends the list of frames in a compact form, because there may be thousands.
    ///
    /// A key frame is `[sequence, timeUs, 1]`, any other frame is `[sequence, timeUs]`.
    mutating func append(_ course: ReplayFrameList) {
        object { text in
            text.member("recordings") { text in
                text.array(course.recordings) { text, recording in
                    text.object { text in
                        text.member("id", recording.id)
                        text.member("frames") { $0.array(recording.frames) { $0.append($1) } }
                    }
                }
            }
            text.member(optional: "next", course.next)
            text.member("cursor", course.cursor)
        }
    }

    private mutating func append(_ frame: ReplayFrameList.Frame) {
        var numbers = [frame.sequence, Int64(clamping: frame.timeUnixNano / 1_000)]
        if frame.isKey { numbers.append(1) }
        array(numbers) { $0.append($1) }
    }

    mutating func append(_ part: ReplayFrames) {
        object { text in
            text.member("frames") { $0.array(part.frames) { $0.append(json: $1) } }
            if let next = part.next { text.member("next", next) }
        }
    }
}
