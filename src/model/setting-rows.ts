import { flag, oneOf, type Properties, type TypeOf, text, whole } from './schema.ts';
import { severities } from './severity.ts';

const hour = 3_600;
const day = 24 * hour;

/**
 * The settings of AlertConfig that have a default, one row each, by group: what it means, its bounds and what applies without it.
 * The CRD, the reference, lint, the type of the settings and their defaults follow. Seconds where the name says so.
 */
export const settingRows = {
  app: {
    startupMessage: oneOf(
      'When to send a summary after Tocsin has started.',
      ['WhenBroken', 'Always', 'Never'],
      'WhenBroken',
    ),
  },
  detection: {
    volumeUsagePercent: whole(
      'Report volumes that are at least this full (bytes or inodes), where kubelets may be asked for it (docs/security.md).',
      { min: 1, max: 100, default: 85 },
    ),
    certificateExpiryDays: whole(
      'Report certificates that expire within this many days: CA bundles of webhooks, and those in TLS Secrets where these may be read (docs/security.md).',
      {
        min: 1,
        max: 365,
        default: 14,
      },
    ),
  },
  incidents: {
    cooldownSeconds: whole('A resolved incident that fails again within this time reopens.', {
      min: 0,
      max: day,
      default: 900,
    }),
    holdSeconds: whole('How long everything must stay healthy before an incident counts as resolved.', {
      min: 0,
      max: hour,
      default: 180,
    }),
    kubernetesEvents: flag('Write Events on the root object, and on objects with a maintenance annotation.', true),
  },
  digest: {
    intervalSeconds: whole('Time between two digests.', { min: 60, max: day, default: 1_800 }),
  },
  evidence: {
    logLines: whole('How many log lines to quote at most.', { min: 0, max: 100, default: 30 }),
    logs: flag('Quote the last log lines of a failing container.', true),
    events: flag('Quote the texts of Kubernetes Events. They explain either way.', true),
  },
  owners: {
    mentionFrom: oneOf('The mildest severity at which owners are mentioned.', severities, 'low'),
  },
  delivery: {
    timeoutSeconds: whole('How long a request to a provider may take.', { min: 1, max: 120, default: 10 }),
  },
  statusEndpoint: {
    enabled: flag('Serve the page /status.', false),
    allowPlainHTTP: flag('Serve the page over the network without TLS.', false),
  },
  metricsEndpoint: {
    authentication: oneOf(
      'Who may read it. None: everybody who reaches the port. Token: bearers of a token of this cluster whose account may get the nonResourceURL /metrics; on port 8060 the token travels without TLS.',
      ['None', 'Token'],
      'None',
    ),
  },
  alertsIn: {
    enabled: flag('Take alerts at /alerts.', false),
    allowPlainHTTP: flag('Take them over the network without TLS; the token travels unprotected then.', false),
    expireSeconds: whole(
      'An alert that nobody has repeated for this long is over. Longer than repeat_interval and group_interval of Alertmanager together.',
      { min: 300, max: 7 * day, default: 18_000 },
    ),
  },
  hub: {
    enabled: flag('Be a hub: take the summaries of members at /hub.', false),
    allowPlainHTTP: flag(
      'Take them over the network without TLS. They are signed either way, and can be read on the way then.',
      false,
    ),
  },
  heartbeat: {
    intervalSeconds: whole('Time between two requests.', { min: 10, max: hour, default: 60 }),
  },
  auditLog: {
    enabled: flag('Write the audit log.', false),
    path: text('File to write, or - for standard output. A link is not followed.', {
      min: 1,
      max: 512,
      pattern: '^(-|/[^\\s]*[^\\s/])$',
      default: '/var/lib/tocsin/audit.jsonl',
    }),
  },
} as const satisfies Readonly<Record<string, Properties>>;

/** A group of settings: each of them has a value. */
type Values<P extends Properties> = { readonly [K in keyof P]: TypeOf<P[K]> };

/** Group → its settings, each with its value. */
export type RowValues = { readonly [G in keyof typeof settingRows]: Values<(typeof settingRows)[G]> };

/** What applies where nothing is said, by group. */
export const defaultRows: RowValues = defaultsOf();

function defaultsOf(): RowValues {
  const groups = Object.entries<Properties>(settingRows).map(([group, rows]) => {
    return [group, Object.fromEntries(Object.entries(rows).map(([name, { json }]) => [name, json.default]))] as const;
  });
  // Each row has a default of its own type: its builder takes no other, and a test finds one that is missing.
  return Object.fromEntries(groups) as RowValues;
}
