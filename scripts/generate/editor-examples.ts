import type { Kind } from '../../src/api/group.ts';

const head = (kind: Kind, name: string): string =>
  `apiVersion: tocsin.dev/v1beta1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: tocsin }\nspec:\n`;

/** Every field of a selector. */
const selector = [
  '{ namespaces: [shop, "payments-*", "!payments-sandbox"]',
  'reasons: [CrashLoopBackOff, "Image*"], kinds: [Deployment, StatefulSet]',
  'names: [checkout, "cart-*"], nodes: ["pool-a-*"], labels: { team: payments }, owners: ["payments*", "!sandbox"] }',
].join(', ');

/** A secret of a provider that its sample leaves out. */
const fromSecret = (name: string, key: string): string => `{ secretKeyRef: { name: ${name}, key: ${key} } }`;

/** Temporary credentials of Amazon. */
const ofAmazon = (name: string): string =>
  ['accessKeyId', 'secretAccessKey', 'sessionToken']
    .map((key) => `${key}: ${fromSecret(name, key)}`)
    .concat('region: eu-west-1')
    .join('\n    ');

/** Beside the sample of each kind: manifests with the fields that it leaves out, so that an editor can show a value for each. */
export const editorExamples: Readonly<Record<Kind, readonly string[]>> = {
  AlertConfig: [
    `${head('AlertConfig', 'default')}
  app: { communityProvider: oncall, timeZone: Europe/Berlin, proxyURL: "http://proxy.example.com:3128" }
  filters: { reasons: ["!Evicted"] }
  detection: { overrides: [{ selector: ${selector}, settleSeconds: 120 }] }
  incidents: { renotifySeconds: { critical: 3600, high: 14400, medium: 86400, low: 604800 } }
  messages:
    dashboardURL: "https://grafana.example.com/d/workload?var-namespace={namespace}&var-name={name}"
    statusPageURL: https://tocsin.example.com/status
  alertsIn:
    enabled: true
    token: { secretKeyRef: { name: alertmanager, key: token } }
    names: ["!CPUThrottlingHigh", "!KubeHpaMaxedOut"]
    rules:
      - { label: rollout, kind: Deployment, namespaceLabel: team }
    severities: { P1: critical }
  hub: { url: "https://tocsin.example.com:8443", key: { secretKeyRef: { name: tocsin-hub, key: key } } }
  signatures:
    - name: PoolExhausted
      says: has no database connections left
      forSeconds: 60
      lastLine: "remaining connection slots are reserved"
    - name: ReplicaBehind
      says: is far behind its primary
      kinds: [Cluster.postgresql.cnpg.io]
      namespaces: ["shop*"]
      condition: { type: ReplicaUpToDate, reason: "Lag*", message: "* behind" }
    - name: LeaseOfPortLost
      says: has lost its port
      event: { reason: PortTaken, message: "leased to" }
  owners:
    keys: [tocsin.dev/owner, team]
    mentionFrom: high
    contacts:
      payments:
        slack: { mentions: [S0123ABCD], channel: C0456EFGH }
        jira: { assignees: ["5b10ac8d82e05b22cc7d4ef5"] }
        opsgenie: { responders: [payments] }
  delivery: { allowedPrivateDestinations: [10.20.0.0/16] }
  statusEndpoint: { tls: { secretName: tocsin-tls } }
  heartbeat: { url: { secretKeyRef: { name: heartbeat, key: url } } }
  license: { secretKeyRef: { name: tocsin-license, key: license } }
`,
  ],
  AlertProvider: [
    `${head('AlertProvider', 'oncall')}
  type: webhook
  routes: [{ selector: ${selector} }]
  retry: { maxAttempts: 5, delay: 5s }
  fallback: everything-else
  message:
    prefix: PROD
    facts:
      add: [{ name: Team, label: team }, { name: Region, value: eu-west-1 }]
      leaveOut: [Image]
      order: [Owner, Restarts]
    timeZone: Europe/Berlin
  tls:
    caBundle: ${fromSecret('receiver-tls', 'ca.crt')}
    clientCertificate: ${fromSecret('receiver-tls', 'tls.crt')}
    clientKey: ${fromSecret('receiver-tls', 'tls.key')}
  webhook:
    url: ${fromSecret('oncall', 'url')}
    signingSecret: ${fromSecret('oncall', 'signingSecret')}
    body: '{"records": [{"value": event}]}'
    contentType: application/vnd.kafka.json.v2+json
`,
    `${head('AlertProvider', 'behind-a-password')}
  type: webhook
  webhook:
    url: ${fromSecret('oncall', 'url')}
    basicAuth: { username: tocsin, password: ${fromSecret('oncall', 'password')} }
`,
    `${head('AlertProvider', 'issues')}
  type: github
  github:
    token: ${fromSecret('github', 'token')}
    owner: example
    repo: cluster
    url: https://github.example.com/api/v3
`,
    `${head('AlertProvider', 'work-items')}
  type: gitlab
  gitlab: { token: ${fromSecret('gitlab', 'token')}, projectId: platform/cluster, url: "https://gitlab.example.com" }
`,
    `${head('AlertProvider', 'mail')}
  type: ses
  ses:
    ${ofAmazon('ses')}
    from: alerts@example.com
    to: oncall@example.com
`,
    `${head('AlertProvider', 'topic')}
  type: sns
  sns:
    ${ofAmazon('sns')}
    topicArn: "arn:aws:sns:eu-west-1:123456789012:alerts"
`,
    `${head('AlertProvider', 'channel-with-buttons')}
  type: slack
  slack:
    token: ${fromSecret('slack', 'token')}
    channel: C0123ABCD
    actions: { users: [U0123ABCD], appToken: ${fromSecret('slack', 'appToken')} }
`,
    `${head('AlertProvider', 'chat-with-buttons')}
  type: telegram
  telegram: { token: ${fromSecret('telegram', 'token')}, chatId: "-1001234567890", actions: { users: ["123456789"] } }
`,
    `${head('AlertProvider', 'room-with-reactions')}
  type: matrix
  matrix:
    homeServer: https://matrix.example.com
    accessToken: ${fromSecret('matrix', 'token')}
    internalRoomId: "!abcdefghijklmnopqr:example.com"
    actions: { users: ["@ada:example.com"] }
`,
    `${head('AlertProvider', 'pager-that-is-read-back')}
  type: pagerduty
  pagerduty:
    integrationKey: ${fromSecret('pagerduty', 'integrationKey')}
    actions: { readBack: true, apiToken: ${fromSecret('pagerduty', 'apiToken')} }
`,
    `${head('AlertProvider', 'post')}
  type: email
  email:
    host: smtp.gmail.com
    port: 587
    from: tocsin@acme.test
    to: oncall@acme.test
    oauth:
      tokenURL: https://oauth2.googleapis.com/token
      clientId: 1234567890-abc.apps.googleusercontent.com
      clientSecret: ${fromSecret('mail', 'clientSecret')}
      refreshToken: ${fromSecret('mail', 'refreshToken')}
      scope: https://mail.google.com/
`,
    `${head('AlertProvider', 'posted')}
  type: email
  email: { host: smtp.office365.com, port: 587, from: tocsin@acme.test, to: oncall@acme.test, oauth: { accessToken: ${fromSecret('mail', 'accessToken')} } }
`,
    `${head('AlertProvider', 'zaps')}
  type: zapier
  zapier: { url: ${fromSecret('zapier', 'url')}, token: ${fromSecret('zapier', 'token')} }
`,
    `${head('AlertProvider', 'zulip')}
  type: zulip
  zulip:
    email: tocsin-bot@zulip.acme.test
    token: ${fromSecret('zulip', 'token')}
    channel: alerts
    url: https://zulip.acme.test
    title: production
`,
    `${head('AlertProvider', 'relayed')}
  type: signl4
  signl4: { teamSecret: ${fromSecret('signl4', 'teamSecret')}, url: "https://relay.example.com/webhook" }
`,
    `${head('AlertProvider', 'escalation')}
  type: splunkoncall
  splunkoncall:
    apiKey: ${fromSecret('splunkoncall', 'apiKey')}
    routingKey: ${fromSecret('splunkoncall', 'routingKey')}
    url: https://alert.victorops.com/integrations/generic/20131114/alert
`,
    `${head('AlertProvider', 'direct')}
  type: webex
  webex: { accessToken: ${fromSecret('webex', 'accessToken')}, toPersonEmail: oncall@example.com }
`,
  ],
  MaintenanceWindow: [
    `${head('MaintenanceWindow', 'database-move')}
  selector: ${selector}
  startsAt: 2026-11-28T22:00:00Z
  endsAt: 2026-11-29T02:00:00Z
`,
  ],
  Silence: [
    `${head('Silence', 'database-move')}
  selector: ${selector}
  startsAt: 2026-11-28T22:00:00Z
  endsAt: 2026-11-29T02:00:00Z
  createdBy: on-call
`,
  ],
};
