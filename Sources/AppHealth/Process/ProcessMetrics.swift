package import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// The CPU time and the memory of the process as metrics. They are read when metrics are collected, and at no other
/// time.
package enum ProcessMetrics {
    package static func observe(_ registry: MetricRegistry) {
        observe(Meter(registry: registry, scope: HealthRecorder.scope))
    }

    package static func observe(_ meter: Meter) {
        meter.observableCounter(MetricName.processCPUTime, unit: "s", description: "CPU time of the process.") {
            guard let time = SystemBoot.cpuTime else { return }
            $0.observe(time.user, attributes: [AttributeKey.cpuMode: "user"])
            $0.observe(time.system, attributes: [AttributeKey.cpuMode: "system"])
        }
        meter.observableUpDownCounter(
            MetricName.processMemoryUsage, unit: "By", description: "Memory of the process.",
        ) {
            let used = SystemBoot.memory.used
            if used > 0 { $0.observe(Int(clamping: used)) }
        }
    }
}
