/** One metric: what it is and the names of its labels. Label values come from bounded lists or the number of providers. */
type Metric = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the unit of its name. */
  readonly buckets?: readonly number[];
};

/** Every metric of ours, by name; one row each. The reference page lists this table. */
export const metricTable = {
  tocsin_delivery_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver a message, by how they ended: delivered, retryable, rateLimited or permanent.',
    labels: ['provider', 'type', 'outcome'],
  },
  tocsin_delivery_failed_total: {
    kind: 'counter',
    help: 'Deliveries that ended as failed, by reason. The fallback, if any, is a delivery of its own.',
    labels: ['provider', 'type', 'reason'],
  },
  tocsin_delivery_duration_seconds: {
    kind: 'histogram',
    help: 'Time of one attempt.',
    labels: ['provider', 'type'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  tocsin_delivery_queue_depth: {
    kind: 'gauge',
    help: 'Deliveries in the outbox: accepted, neither delivered nor failed yet.',
    labels: ['provider', 'type'],
  },
  tocsin_delivery_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest delivery in the outbox, 0 when there is none.',
    labels: ['provider', 'type'],
  },
  tocsin_provider_usable: {
    kind: 'gauge',
    help: 'Whether an active provider can be used: 0 while its configuration is invalid or a Secret that it names is missing.',
    labels: ['provider', 'type'],
  },
  tocsin_decisions_total: {
    kind: 'counter',
    help: 'Decisions about incidents, by what was done and what became of it.',
    labels: ['action', 'disposition', 'severity'],
  },
  tocsin_incidents: {
    kind: 'gauge',
    help: 'Incidents that are open now, by severity and by what became of their opening.',
    labels: ['severity', 'disposition'],
  },
  tocsin_turn_duration_seconds: {
    kind: 'histogram',
    help: 'Time of one turn of the core.',
    labels: [],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5],
  },
  tocsin_turn_inputs: {
    kind: 'histogram',
    help: 'Inputs taken by one turn.',
    labels: [],
    buckets: [1, 10, 100, 1000, 10_000],
  },
  tocsin_detection_lag_seconds: {
    kind: 'histogram',
    help: 'From the beginning of a problem, by the time of the objects, to its opening.',
    labels: ['severity'],
    buckets: [5, 10, 15, 30, 45, 60, 90, 120, 300, 900],
  },
  tocsin_source_state: {
    kind: 'gauge',
    help: '1 for the state a watched resource is in: Watching, Syncing, Denied, NotServed, Failing or Disabled.',
    labels: ['source', 'state'],
  },
  tocsin_source_objects: { kind: 'gauge', help: 'Objects seen of a watched resource.', labels: ['source'] },
  tocsin_api_requests_total: {
    kind: 'counter',
    help: 'Requests to the API server; code 0 means no answer.',
    labels: ['verb', 'code'],
  },
  tocsin_state_transactions_total: {
    kind: 'counter',
    help: 'Transactions written to the state file.',
    labels: [],
  },
  tocsin_state_written_bytes_total: {
    kind: 'counter',
    help: 'Bytes of the rows written to the state file; SQLite writes whole pages.',
    labels: [],
  },
  tocsin_state_last_save_seconds: {
    kind: 'gauge',
    help: 'How long the last transaction of the state file took, until the disk had it.',
    labels: [],
  },
  tocsin_state_problem: {
    kind: 'gauge',
    help: '1 while state cannot be saved, by why: DiskFull, ReadOnly, Slow, Corrupt, ForeignFile, Locked or IOError.',
    labels: ['code'],
  },
  tocsin_state_rows_set_aside: {
    kind: 'gauge',
    help: 'Saved rows that could not be used and are kept in the quarantine of the state file, at most 200.',
    labels: [],
  },
  tocsin_set_aside_total: {
    kind: 'counter',
    help: 'What was set aside since a step of Tocsin failed on it: take, judge, explain, follow, list or tell. Each is a bug.',
    labels: ['step'],
  },
  tocsin_clock_difference_seconds: {
    kind: 'gauge',
    help: 'How far the API server’s clock is ahead of this machine’s, by its last answer; 0 while nothing shows a difference.',
    labels: [],
  },
  tocsin_lease_held: { kind: 'gauge', help: '1 while this process holds the state lock.', labels: [] },
  tocsin_heartbeat_requests_total: {
    kind: 'counter',
    help: 'Requests of the heartbeat, by whether they were accepted or failed.',
    labels: ['outcome'],
  },
  tocsin_heartbeat_last_success_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the last heartbeat was accepted (Unix time), 0 when none was.',
    labels: [],
  },
  tocsin_alerts_in_total: {
    kind: 'counter',
    help: 'Alerts that Alertmanager sent, by what became of them: taken, ended, ignored, unnamed (their labels name nothing that is there), or displaced by others.',
    labels: ['outcome'],
  },
  tocsin_hub_summaries_total: {
    kind: 'counter',
    help: 'Summaries of members of this hub: taken, stale (old, or by a clock that is off), or refused.',
    labels: ['outcome'],
  },
  tocsin_hub_requests_total: {
    kind: 'counter',
    help: 'Summaries sent to the hub: answered, or failed.',
    labels: ['outcome'],
  },
  tocsin_audit_lines_total: {
    kind: 'counter',
    help: 'Lines of the audit log: written, which means safe on the disk, or lost.',
    labels: ['outcome'],
  },
  tocsin_audit_failing: { kind: 'gauge', help: '1 while the audit log is wanted and cannot be written.', labels: [] },
  tocsin_license_expiry_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the licence ends (Unix time), 0 without one.',
    labels: [],
  },
  tocsin_build_info: { kind: 'gauge', help: 'Always 1; says what runs.', labels: ['version', 'edition'] },
} as const satisfies Record<string, Metric>;

/** Names of metrics of one kind. */
export type MetricName<K extends Metric['kind'] = Metric['kind']> = {
  [N in keyof typeof metricTable]: (typeof metricTable)[N]['kind'] extends K ? N : never;
}[keyof typeof metricTable];

/** The labels a metric takes: each exactly once. */
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof metricTable)[N]['labels'][number], string>>;
