import Astrolabe

/// A file that uses most of the keys that the SDK follows.
enum DeclarativeExample {
    static let whole = """
        {"file_format": "1.1", "disabled": false,
         "resource": {"attributes_list": "service.name=list,team=a%20b",
                      "attributes": [{"name": "service.name", "value": "${NAME:-shop}"},
                                     {"name": "service.version", "value": "2.1"},
                                     {"name": "ports", "value": ["1", "2"], "type": "string_array"},
                                     {"name": "share", "value": 0.5}, {"name": "size", "value": 3, "type": "double"},
                                     {"name": "whole", "value": 2.0}]},
         "attribute_limits": {"attribute_value_length_limit": 4096, "attribute_count_limit": 64},
         "propagator": {"composite": [{"tracecontext": null}, {"b3": {}}], "composite_list": "baggage,b3"},
         "tracer_provider": {
           "processors": [{"batch": {"schedule_delay": 5000, "exporter": {"otlp_http": {
             "endpoint": "https://collector.example/base/v1/traces", "headers_list": "api-key=list,x=1%202",
             "headers": [{"name": "API-Key", "value": "${KEY}"}], "compression": "none", "timeout": "${TIMEOUT}"}}}}],
           "limits": {"event_count_limit": 7, "link_count_limit": 8, "event_attribute_count_limit": 9,
                      "link_attribute_count_limit": 9},
           "sampler": {"parent_based": {"root": {"trace_id_ratio_based": {"ratio": 0.25}},
                                        "remote_parent_sampled": {"always_on": {}},
                                        "remote_parent_not_sampled": {"composite/development": {"rule_based": {
                                          "rules": [
                                            {"attribute_values": {"key": "url.path", "values": ["/a"]},
                                             "sampler": {"always_off": {}}},
                                            {"attribute_patterns": {"key": "a", "included": ["b*"], "excluded": ["bc"]},
                                             "span_kinds": ["client"], "parent": ["remote", "none"],
                                             "sampler": {"parent_threshold": {"root": {"probability": {}}}}}]}}},
                                        "local_parent_not_sampled": {"always_on": null}}}},
         "meter_provider": {
           "readers": [{"periodic": {"interval": 30000, "exporter": {"otlp_http": {
             "endpoint": "https://collector.example/base/v1/metrics", "temporality_preference": "cumulative",
             "headers": [{"name": "api-key", "value": "${KEY}"}, {"name": "x", "value": "1 2"}],
             "default_histogram_aggregation": "base2_exponential_bucket_histogram",
             "compression": "none", "timeout": 2000.0}}}}],
           "views": [
             {"selector": {"instrument_name": "http.*", "instrument_type": "histogram", "unit": "s",
                           "meter_name": "http", "meter_version": "1",
                           "meter_schema_url": "https://example.com/1"},
              "stream": {"name": "requests", "description": "All of them.", "aggregation_cardinality_limit": 50,
                         "attribute_keys": {"included": ["http.*", "server.address"], "excluded": ["http.url"]},
                         "aggregation": {"base2_exponential_bucket_histogram": {"max_size": 40, "max_scale": 5}}}},
             {"selector": {}, "stream": {"aggregation": {"explicit_bucket_histogram": {"boundaries": [1, 2.5]}}}},
             {"selector": {}, "stream": {"aggregation": {"explicit_bucket_histogram": null}}},
             {"selector": {}, "stream": {"aggregation": {"base2_exponential_bucket_histogram": {}}}},
             {"selector": {"instrument_type": "observable_gauge"}, "stream": {"aggregation": {"drop": {}}}},
             {"selector": {"instrument_type": "counter"}, "stream": {"aggregation": {"last_value": {}}}},
             {"selector": {"instrument_type": "gauge"}, "stream": {"aggregation": {"sum": null}}},
             {"selector": {"instrument_type": "up_down_counter"}, "stream": {"aggregation": {"default": {}}}}],
           "exemplar_filter": "trace_based"}}
        """

    /// The description of its composite sampler.
    static let composite =
        "CompositeSampler{ComposableRuleBased{rules[0]:ComposableAlwaysOff,"
        + "rules[1]:ComposableParentThreshold{root:ComposableProbability{1.0}}}}"

    /// The views of that file.
    static let views = [
        MetricView(
            instrument: "http.*", kind: .histogram, unit: "s", meter: "http", meterVersion: "1",
            meterSchemaURL: "https://example.com/1", name: "requests", description: "All of them.",
            attributeKeys: ["http.*", "server.address"],
            excludedAttributeKeys: ["http.url"], aggregation: .base2Exponential(maxSize: 40, maxScale: 5),
            cardinalityLimit: 50),
        MetricView(aggregation: .explicitBuckets([1, 2.5])),
        MetricView(
            aggregation: .explicitBuckets([
                0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
            ])),
        MetricView(aggregation: .base2Exponential(maxSize: 160, maxScale: 20)),
        MetricView(kind: .observableGauge, aggregation: .drop), MetricView(kind: .counter, aggregation: .lastValue),
        MetricView(kind: .gauge, aggregation: .sum), MetricView(kind: .upDownCounter),
    ]
}
