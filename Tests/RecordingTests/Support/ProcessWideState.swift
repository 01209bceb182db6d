import Testing

/// Suites that look at what all spans of the process share: the list of active spans, and the tables of spans that
/// failed or ended. They run one after another.
@Suite(.serialized) enum ProcessWideState {}
