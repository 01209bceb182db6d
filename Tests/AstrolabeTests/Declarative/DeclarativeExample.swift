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
                                        "local_parent_not_sampled": {"always_on": null}}}},
         "meter_provider": {
           "readers": [{"periodic": {"interval": 30000, "exporter": {"otlp_http": {
             "endpoint": "https://collector.example/base/v1/metrics", "temporality_preference": "cumulative",
             "headers": [{"name": "api-key", "value": "${KEY}"}, {"name": "x", "value": "1 2"}],
             "compression": "none", "timeout": 2000.0}}}}],
           "exemplar_filter": "always_off"}}
        """
}
