import { acknowledgementOutcomes } from '../model/acknowledgement.ts';
import { coverageStates } from '../model/coverage.ts';
import { editions } from '../model/edition.ts';
import { dispositions } from '../model/incident.ts';
import { count, flag, instant, list, object, oneOf, required, type TypeOf, table, text } from '../model/schema.ts';
import { settingRows } from '../model/setting-rows.ts';
import { severities } from '../model/severity.ts';
import { nameLength, secretSource } from '../schema/secret.ts';
import { configName } from './group.ts';
import { alertsIn } from './schema/alerts-in.ts';
import { conditions, globs, observedGeneration, seconds, selector } from './schema/common.ts';
import { hub } from './schema/hub.ts';
import { owners } from './schema/owners.ts';
import { ageColumn, conditionColumn, type OwnObject, type ResourceDefinition } from './schema/resource.ts';
import { signatures } from './schema/signatures.ts';

const day = 86_400;
const addressLength = 2048;
const address = (description: string) =>
  text(description, { max: addressLength, pattern: '^https?://[^/?#\\s][^\\s]*$' });

const override = object(
  'A different severity or settling time for some incidents. One that is milder or slower holds where it picks all that fails: nobody plays down the outage of another.',
  {
    selector: required(selector('The incidents it applies to.')),
    severity: oneOf('Severity to use instead of their own.', severities),
    maxSeverity: oneOf('Highest severity that they may have; a higher one is lowered to this.', severities),
    settleSeconds: seconds('How long a problem must last before anybody is notified.', 0, 3600),
  },
  [
    {
      rule: 'has(self.severity) || has(self.maxSeverity) || has(self.settleSeconds)',
      message: 'say what changes: set `severity`, `maxSeverity` or `settleSeconds`',
    },
    {
      rule: '!has(self.severity) || !has(self.maxSeverity)',
      message: 'set `severity` or `maxSeverity`, not both',
    },
  ],
);

/** Seconds between reminders of one severity. */
const reminder = (severity: string) => seconds(`Time between two reminders of a ${severity} incident.`, 300, 7 * day);

const spec = object('Settings of Tocsin as a whole; all optional.', {
  app: object('What this installation is called, and how it works as a whole.', {
    clusterName: text('Name of the cluster in messages.', { max: 63 }),
    communityProvider: text('Name of the one AlertProvider that is active in the Community edition.', {
      min: 1,
      max: nameLength,
    }),
    timeZone: text(
      "IANA time zone of the times in messages, such as Europe/Berlin; by default UTC. `message.timeZone` of an AlertProvider replaces it. Slack, Discord and pages show times in the reader's zone.",
      { min: 1, max: 63, pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$' },
    ),
    proxyURL: address('HTTP proxy for provider traffic; never used for the API server.'),
    ...settingRows.app,
  }),
  filters: object('Which incidents are delivered; what is watched stays the same.', {
    namespaces: globs(
      'Deliver only incidents that concern these namespaces; `*` and `?` are wildcards, `!` in front excludes.',
    ),
    reasons: globs('Deliver only incidents with these reasons; wildcards as for `namespaces`.'),
  }),
  detection: object('When something counts as a problem, and how bad it is.', {
    overrides: list(
      'Other severities or settling times for some incidents; the first override whose selector matches wins.',
      override,
      { max: 100, type: 'atomic' },
    ),
    ...settingRows.detection,
  }),
  incidents: object('How incidents end, come back and are repeated.', {
    ...settingRows.incidents,
    renotifySeconds: object('Reminders of open incidents, by severity; none for a severity that is not set.', {
      critical: reminder('critical'),
      high: reminder('high'),
      medium: reminder('medium'),
      low: reminder('low'),
    }),
  }),
  digest: object('The digest, a message that lists low-severity problems.', settingRows.digest),
  evidence: object('What messages quote as evidence.', settingRows.evidence),
  messages: object('What messages hold, and where their links lead.', {
    runbooks: table(
      'Addresses of runbooks, by the reason of an incident, such as OOMKilled.',
      address('Address of the runbook.'),
      { max: 100 },
    ),
    dashboardURL: address('Address of a dashboard; {namespace} and {name} are filled in.'),
    statusPageURL: address(
      'Address at which people reach the page /status. Messages of open incidents then link to the command that silences them, while `statusEndpoint.enabled`; messages to a single namespace do not.',
    ),
  }),
  owners,
  delivery: object('How requests to providers are made.', {
    ...settingRows.delivery,
    allowedPrivateDestinations: list(
      'Private networks (CIDR) that AlertProviders outside the namespace of Tocsin may send to.',
      text('A network such as 10.0.0.0/8.', { max: 49, pattern: '^[0-9A-Fa-f.:]+/[0-9]{1,3}$' }),
      { max: 50, type: 'set' },
    ),
  }),
  statusEndpoint: object('The page /status: what is open, for people and programs.', {
    ...settingRows.statusEndpoint,
    tls: object('Serve all endpoints with TLS, on port 8443, as well.', {
      secretName: required(
        text(
          "Name of a Secret of type kubernetes.io/tls in the operator's namespace; a renewed one is served within a minute.",
          { min: 1, max: nameLength },
        ),
      ),
    }),
  }),
  metricsEndpoint: object('The page /metrics, for Prometheus.', settingRows.metricsEndpoint),
  alertsIn,
  hub,
  signatures,
  heartbeat: object("A request to a dead man's switch, sent while everything is healthy.", {
    url: required(secretSource('Address to request; keep it in a Secret.')),
    ...settingRows.heartbeat,
  }),
  auditLog: object('A log of every decision, one JSON line each (Pro).', settingRows.auditLog),
  license: secretSource('The licence key for the Pro edition.'),
  trial: flag('Try Pro for 30 days, once in this cluster, without a licence. Where `license` is set it has no effect.'),
});

const status = object('What Tocsin watches and knows; rebuilt after a restart.', {
  observedGeneration,
  conditions,
  edition: oneOf('The edition in use.', editions),
  licensee: text('Holder of the licence.', { max: 253 }),
  expires: instant('When the licence expires.'),
  watchedResources: count('How many resources are watched.'),
  coverage: list(
    'Resources that are not watched, and why; /health lists all.',
    object('A resource.', {
      resource: required(
        text('Plural name and group of the resource, such as deployments.apps.', { min: 1, max: nameLength }),
      ),
      state: required(oneOf('Whether it is watched.', coverageStates)),
      reason: required(text('Reason code for the state.', { max: 63 })),
      since: required(instant('When it came into this state.')),
    }),
    { max: 100, type: 'map', keys: ['resource'] },
  ),
  openIncidents: object('How many incidents are open.', {
    total: required(count('All open incidents.')),
    critical: required(count('Open incidents of severity critical.')),
    high: required(count('Open incidents of severity high.')),
    medium: required(count('Open incidents of severity medium.')),
    low: required(count('Open incidents of severity low.')),
  }),
  incidents: list(
    'The worst open incidents.',
    object('An incident.', {
      id: required(text('ID of the incident, as messages show it.', { min: 1, max: 253 })),
      severity: required(oneOf('Severity of the incident.', severities)),
      reason: required(text('Reason of the incident, as its title shows it.', { max: 63 })),
      root: required(text('Object that is taken for the cause, as kind/namespace/name.', { max: 600 })),
      since: required(instant('When it began.')),
      disposition: required(oneOf('What holds it back; Delivered: nothing does.', dispositions)),
      unrouted: flag('Nobody is notified although nothing mutes it: no route of any AlertProvider matches it.'),
      acknowledgedBy: text('Who has acknowledged it.', { max: 253 }),
      acknowledgedAt: instant('When it was acknowledged.'),
      notifiedAt: instant('When somebody was last notified of it by a message of its own.'),
      notDelivered: list(
        'AlertProviders that could not be notified of it, as namespace/name.',
        text('Namespace and name of an AlertProvider.', { max: 320 }),
        { max: 10, type: 'set' },
      ),
    }),
    { max: 20, type: 'map', keys: ['id'] },
  ),
  acknowledgements: list(
    'What the annotations acknowledged.tocsin.dev/<id> of this object have done.',
    object('An annotation.', {
      incident: required(text('ID of the incident.', { min: 1, max: 253 })),
      outcome: required(
        oneOf(
          'Acknowledged; NotOpen: no open incident has this ID; Lapsed: it ended and failed again: annotate it once more.',
          acknowledgementOutcomes,
        ),
      ),
    }),
    { max: 100, type: 'map', keys: ['incident'] },
  ),
  failedDeliveries: count('Deliveries that were given up and can still be sent again.'),
});

/** The spec. */
export type AlertConfigSpec = TypeOf<typeof spec>;
/** The status. */
export type AlertConfigStatus = TypeOf<typeof status>;
/** An AlertConfig; an absent spec means the defaults. */
export type AlertConfig = Omit<OwnObject<AlertConfigSpec, AlertConfigStatus>, 'spec'> & {
  readonly spec?: AlertConfigSpec;
};

/** The kind. */
export const alertConfig: ResourceDefinition<AlertConfigSpec, AlertConfigStatus> = {
  kind: 'AlertConfig',
  description: 'Settings of Tocsin as a whole: one object named default in its namespace.',
  spec,
  specRequired: false,
  status,
  columns: [
    { name: 'Edition', type: 'string', path: '.status.edition', description: 'The edition in use.' },
    conditionColumn('Covered', 'Whether every required resource is watched.'),
    conditionColumn('Delivering', 'Whether notifications arrive.'),
    conditionColumn('Ready', 'Whether its configuration is valid.'),
    { name: 'Open', type: 'integer', path: '.status.openIncidents.total', description: 'Open incidents.' },
    ageColumn,
  ],
  validations: [
    {
      rule: `self.metadata.name == '${configName}'`,
      message: `the one AlertConfig must be named ${configName}: rename this one`,
    },
  ],
  sample: `apiVersion: tocsin.dev/v1beta1
kind: AlertConfig
metadata:
  name: default
  namespace: tocsin
spec:
  app:
    clusterName: prod-eu
  filters:
    namespaces: ["!sandbox-*"]
  messages:
    runbooks:
      OOMKilled: https://runbooks.example.com/out-of-memory
`,
};
