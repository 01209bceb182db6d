-- A file of version 12 of the console's format.
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;
BEGIN;
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE resources (
    id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, service TEXT NOT NULL,
    lane INTEGER NOT NULL, attributes TEXT NOT NULL, spans INTEGER NOT NULL DEFAULT 0,
    logs INTEGER NOT NULL DEFAULT 0, points INTEGER NOT NULL DEFAULT 0, last_seq INTEGER NOT NULL, replays INTEGER NOT NULL DEFAULT 0, schema_url TEXT NOT NULL DEFAULT '', dropped INTEGER NOT NULL DEFAULT 0,
    UNIQUE (hash_high, hash_low));
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, name TEXT NOT NULL,
    version TEXT NOT NULL, attributes TEXT NOT NULL, last_seq INTEGER NOT NULL, schema_url TEXT NOT NULL DEFAULT '', dropped INTEGER NOT NULL DEFAULT 0, UNIQUE (hash_high, hash_low));
CREATE TABLE traces (
    id INTEGER PRIMARY KEY, high INTEGER NOT NULL, low INTEGER NOT NULL, first_start INTEGER NOT NULL,
    last_end INTEGER NOT NULL, spans INTEGER NOT NULL, logs INTEGER NOT NULL, errors INTEGER NOT NULL,
    lead_rank INTEGER NOT NULL, lead_start INTEGER NOT NULL, lead_span INTEGER NOT NULL,
    lead_seq INTEGER NOT NULL, unclaimed_spans INTEGER NOT NULL, unclaimed_events INTEGER NOT NULL,
    unclaimed_errors INTEGER NOT NULL, unclaimed_crashes INTEGER NOT NULL, last_seq INTEGER NOT NULL,
    UNIQUE (high, low));
CREATE INDEX traces_by_start ON traces (first_start, id);
CREATE TABLE spans (
    seq INTEGER PRIMARY KEY, trace INTEGER NOT NULL, span INTEGER NOT NULL, parent INTEGER NOT NULL,
    session INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL, kind INTEGER NOT NULL,
    category INTEGER NOT NULL, status INTEGER NOT NULL, start INTEGER NOT NULL, duration INTEGER NOT NULL,
    name TEXT NOT NULL, attributes TEXT, more TEXT, flags INTEGER NOT NULL DEFAULT 0);
CREATE TABLE logs (
    seq INTEGER PRIMARY KEY, uid_high INTEGER NOT NULL, uid_low INTEGER NOT NULL, trace INTEGER NOT NULL,
    span INTEGER NOT NULL, session INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL,
    category INTEGER NOT NULL, severity INTEGER NOT NULL, time INTEGER NOT NULL, name TEXT NOT NULL,
    body TEXT, attributes TEXT, observed INTEGER NOT NULL DEFAULT 0, flags INTEGER NOT NULL DEFAULT 0, severity_text TEXT, dropped INTEGER NOT NULL DEFAULT 0, sent INTEGER, original INTEGER);
CREATE UNIQUE INDEX logs_by_uid ON logs (uid_high, uid_low);
CREATE INDEX logs_by_session ON logs (session) WHERE session <> 0;
CREATE INDEX logs_by_trace ON logs (trace) WHERE trace <> 0;
CREATE TABLE series (
    id INTEGER PRIMARY KEY, hash_high INTEGER NOT NULL, hash_low INTEGER NOT NULL, name TEXT NOT NULL,
    description TEXT NOT NULL, unit TEXT NOT NULL, kind INTEGER NOT NULL, temporality INTEGER NOT NULL,
    monotonic INTEGER NOT NULL, resource INTEGER NOT NULL, scope INTEGER NOT NULL, session INTEGER NOT NULL,
    attributes TEXT, last_seq INTEGER NOT NULL, metadata TEXT, UNIQUE (hash_high, hash_low));
CREATE TABLE points (
    seq INTEGER PRIMARY KEY, series INTEGER NOT NULL, time INTEGER NOT NULL, start INTEGER NOT NULL,
    value REAL, count INTEGER, histogram TEXT, integer INTEGER, exemplars TEXT);
CREATE UNIQUE INDEX points_by_series ON points (series, time);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, first_any INTEGER NOT NULL, last_any INTEGER NOT NULL,
    first_device INTEGER NOT NULL, last_device INTEGER NOT NULL, spans INTEGER NOT NULL,
    events INTEGER NOT NULL, errors INTEGER NOT NULL, crashes INTEGER NOT NULL, points INTEGER NOT NULL,
    requests INTEGER NOT NULL, failed_requests INTEGER NOT NULL, device_requests INTEGER NOT NULL,
    device_failed_requests INTEGER NOT NULL, traces INTEGER NOT NULL, resource INTEGER NOT NULL,
    resource_rank INTEGER NOT NULL, resource_time INTEGER NOT NULL, resource_tie INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    started INTEGER AS (CASE WHEN first_device < 9223372036854775807 THEN first_device ELSE first_any END));
CREATE INDEX sessions_by_start ON sessions (started, id);
CREATE TABLE session_traces (
    trace INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (trace, session)) WITHOUT ROWID;
CREATE INDEX session_traces_by_session ON session_traces (session, trace);
CREATE TABLE session_screens (
    session INTEGER NOT NULL, name TEXT NOT NULL, first_time INTEGER NOT NULL,
    PRIMARY KEY (session, name)) WITHOUT ROWID;
CREATE TABLE session_activity (
    session INTEGER NOT NULL, bucket INTEGER NOT NULL, records INTEGER NOT NULL, errors INTEGER NOT NULL,
    PRIMARY KEY (session, bucket)) WITHOUT ROWID;
CREATE INDEX resources_by_installation ON resources (json_extract(attributes, '$."app.installation.id"'));
CREATE INDEX sessions_by_resource ON sessions (resource);
CREATE INDEX series_by_resource ON series (resource);
CREATE INDEX logs_of_health ON logs (name, seq) WHERE name IN ('app.jank', 'app.crash', 'astrolabe.hang');
CREATE TABLE problems (
    seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, fingerprint TEXT NOT NULL, title TEXT NOT NULL,
    place TEXT NOT NULL, wanted TEXT NOT NULL, time INTEGER NOT NULL, session INTEGER NOT NULL,
    installation TEXT NOT NULL, version TEXT NOT NULL, screen TEXT NOT NULL, duration REAL);
CREATE INDEX problems_by_group ON problems (fingerprint, time);
CREATE INDEX problems_that_want ON problems (seq) WHERE wanted <> '[]';
CREATE TABLE replays (
    seq INTEGER PRIMARY KEY, uid_high INTEGER NOT NULL, uid_low INTEGER NOT NULL, session INTEGER NOT NULL,
    resource INTEGER NOT NULL, scope INTEGER NOT NULL, recording TEXT NOT NULL, sequence INTEGER NOT NULL,
    is_key INTEGER NOT NULL, time INTEGER NOT NULL, frame TEXT NOT NULL, attributes TEXT);
CREATE UNIQUE INDEX replays_by_uid ON replays (uid_high, uid_low);
CREATE UNIQUE INDEX replays_by_recording ON replays (recording, sequence);
CREATE INDEX replays_by_session ON replays (session, recording, sequence, time, is_key);
CREATE INDEX series_by_metric ON series (name, unit, kind, session);
CREATE INDEX spans_of_errors ON spans (trace, parent) WHERE status = 2;
CREATE INDEX logs_by_time ON logs (time, seq);
CREATE INDEX logs_by_severity ON logs (time, seq) WHERE severity >= 13;
CREATE INDEX logs_by_resource ON logs (resource, time, seq);
CREATE TABLE milestones (
    seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL, trace INTEGER NOT NULL, session INTEGER NOT NULL,
    amount REAL);
CREATE INDEX milestones_by_session ON milestones (session) WHERE session <> 0;
CREATE INDEX milestones_by_trace ON milestones (trace) WHERE session = 0;
CREATE TABLE sealed (
    dataset TEXT NOT NULL, start INTEGER NOT NULL, last INTEGER NOT NULL, row_count INTEGER NOT NULL,
    omitted INTEGER NOT NULL, version INTEGER NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (dataset, last)) WITHOUT ROWID;
CREATE INDEX spans_by_trace ON spans (trace, span);
CREATE INDEX logs_by_original ON logs (original) WHERE original IS NOT NULL;
CREATE TABLE arrivals (last_seq INTEGER PRIMARY KEY, minute INTEGER NOT NULL, age INTEGER NOT NULL);
CREATE TABLE session_triggers (
    session INTEGER NOT NULL, name TEXT NOT NULL, first_time INTEGER NOT NULL,
    PRIMARY KEY (session, name)) WITHOUT ROWID;
CREATE TABLE phones (
    id INTEGER PRIMARY KEY, service TEXT NOT NULL, first_report INTEGER NOT NULL, last_report INTEGER NOT NULL,
    received INTEGER NOT NULL, ledger_time INTEGER NOT NULL, created INTEGER NOT NULL,
    delivered INTEGER NOT NULL, pending INTEGER NOT NULL, not_sent INTEGER NOT NULL, lost INTEGER NOT NULL,
    left_out INTEGER NOT NULL, lost_before INTEGER NOT NULL, baseline INTEGER NOT NULL,
    held_from INTEGER NOT NULL, last_seq INTEGER NOT NULL);
CREATE INDEX phones_by_service ON phones (service);
CREATE TABLE phone_hours (
    hour INTEGER NOT NULL, phone INTEGER NOT NULL, PRIMARY KEY (hour, phone)) WITHOUT ROWID;
CREATE TABLE phone_arrivals (
    service TEXT NOT NULL, slot INTEGER NOT NULL, arrival INTEGER NOT NULL, is_evidence INTEGER NOT NULL,
    records INTEGER NOT NULL, PRIMARY KEY (service, slot, arrival, is_evidence)) WITHOUT ROWID;
CREATE TABLE phone_drops (
    service TEXT NOT NULL, slot INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (service, slot)) WITHOUT ROWID;
INSERT INTO facts (name, value) VALUES ('milestones', 1);
INSERT INTO resources (id, hash_high, hash_low, service, lane, attributes, spans, logs, points, last_seq, replays)
    VALUES (1, 1, 1, 'astronomy-shop', 1,
    '{"service.name":"astronomy-shop","service.version":"1.4.2","os.name":"iOS","app.installation.id":"i-1"}', 1, 2,
    1, 12, 1);
INSERT INTO scopes (id, hash_high, hash_low, name, version, attributes, last_seq) VALUES (2, 2, 2, 'astrolabe',
    '0.1.0', '{}', 12);
INSERT INTO resources (id, hash_high, hash_low, service, lane, attributes, spans, logs, points, last_seq) VALUES (3,
    3, 3, 'shop-backend', 0, '{"service.name":"shop-backend"}', 1, 0, 0, 7);
INSERT INTO traces (id, high, low, first_start, last_end, spans, logs, errors, lead_rank, lead_start, lead_span,
    lead_seq, unclaimed_spans, unclaimed_events, unclaimed_errors, unclaimed_crashes, last_seq) VALUES (4, 165, 2,
    1790000005010000000, 1790000005880000000, 2, 0, 1, 1, 1790000005010000000, 22, 6, 1, 0, 1, 0, 7);
INSERT INTO sessions (id, name, first_any, last_any, first_device, last_device, spans, events, errors, crashes,
    points, requests, failed_requests, device_requests, device_failed_requests, traces, resource, resource_rank,
    resource_time, resource_tie, last_seq) VALUES (5, 's-1', 1790000000050000000, 1790000007000000000,
    1790000000050000000, 1790000007000000000, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1790000000050000000, 1, 12);
INSERT INTO session_traces (trace, session) VALUES (4, 5);
INSERT INTO session_screens (session, name, first_time) VALUES (5, 'Checkout', 1790000005010000000);
INSERT INTO session_triggers (session, name, first_time) VALUES (5, 'crash', 1790000005010000000);
INSERT INTO session_activity (session, bucket, records, errors) VALUES (5, 29833333, 4, 1);
INSERT INTO spans (seq, trace, span, parent, session, resource, scope, kind, category, status, start, duration, name,
    attributes, more, flags) VALUES (6, 4, 22, 0, 5, 1, 2, 3, 1, 2, 1790000005010000000, 870000000,
    'POST /api/checkout', '{"session.id":"s-1","http.request.method":"POST","http.response.status_code":500}',
    '{"message":"HTTP 500"}', 257);
INSERT INTO spans (seq, trace, span, parent, session, resource, scope, kind, category, status, start, duration, name,
    attributes, more, flags) VALUES (7, 4, 23, 22, 0, 3, 2, 2, 3, 2, 1790000005050000000, 800000000,
    'POST /api/checkout', '{"demo.order.id":"o-77"}', NULL, 257);
INSERT INTO logs (seq, uid_high, uid_low, trace, span, session, resource, scope, category, severity, time, name, body,
    attributes, observed, severity_text) VALUES (8, 8, 8, 0, 0, 5, 1, 2, 9, 9, 1790000000050000000, 'session.start',
    NULL, '{"session.id":"s-1","log.record.uid":"e-1"}', 1790000000051000000, 'INFO');
INSERT INTO logs (seq, uid_high, uid_low, trace, span, session, resource, scope, category, severity, time, name, body,
    attributes, observed, severity_text) VALUES (9, 9, 9, 0, 0, 5, 1, 2, 10, 21, 1790000006000000000, 'app.crash',
    '"stopped"', '{"session.id":"s-1","exception.type":"SIGILL","log.record.uid":"e-3"}', 1790000006001000000,
    'FATAL');
INSERT INTO series (id, hash_high, hash_low, name, description, unit, kind, temporality, monotonic, resource, scope,
    session, attributes, last_seq) VALUES (10, 10, 10, 'process.memory.usage', '', 'By', 0, 0, 0, 1, 2, 5,
    '{"session.id":"s-1"}', 11);
INSERT INTO points (seq, series, time, start, value, count, histogram) VALUES (11, 10, 1790000007000000000,
    1790000000000000000, 2.5, NULL, NULL);
INSERT INTO replays (seq, uid_high, uid_low, session, resource, scope, recording, sequence, is_key, time, frame,
    attributes) VALUES (12, 12, 12, 5, 1, 2, 'r-1', 0, 1, 1790000001000000000,
    '{"root":1,"size":[393,852],"nodes":[{"id":1,"role":"screen"}]}', NULL);
INSERT INTO problems (seq, kind, fingerprint, title, place, wanted, time, session, installation, version, screen,
    duration) VALUES (9, 1, 'f-1', 'SIGILL', 'CheckoutViewModel.placeOrder()', '["0a1b2c3d"]', 1790000006000000000, 5,
    'i-1', '1.4.2', 'Checkout', NULL);
INSERT INTO milestones (seq, kind, trace, session, amount) VALUES (6, 1, 4, 5, NULL);
INSERT INTO sealed (dataset, start, last, row_count, omitted, version, checksum) VALUES ('spans', 6, 7, 2, 0, 1, 77);
INSERT INTO arrivals (last_seq, minute, age) VALUES (12, 29833333, 29833333);
INSERT INTO phones (id, service, first_report, last_report, received, ledger_time, created, delivered, pending, not_sent,
    lost, left_out, lost_before, baseline, held_from, last_seq) VALUES (77, 'astronomy-shop', 1789999980000000000,
    1789999980000000000, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12);
INSERT INTO phone_hours (hour, phone) VALUES (497222, 77);
INSERT INTO phone_arrivals (service, slot, arrival, is_evidence, records) VALUES ('astronomy-shop', 1988888, 1988888, 0,
    6);
INSERT INTO phone_drops (service, slot, records) VALUES ('astronomy-shop', 1988888, 2);
PRAGMA application_id = 1098085443;
PRAGMA user_version = 12;
COMMIT;
