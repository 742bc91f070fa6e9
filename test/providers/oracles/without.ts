/** The types that no judge was found for, and what there is instead. */

const silent = 'the vendor publishes neither a schema nor types of this';
const closed = 'a closed service that takes any body';
const tried = (what: string, size: string): string => `${what}, is ${size}; tried by hand once, it took every request`;
const server = 'a real server: [test/servers](../../test/servers/README.md)';

/** Type → reason. */
export const without: Readonly<Record<string, string>> = {
  alerta: 'its schema is Python code; the server is no npm package',
  clickup: 'the vendor publishes an OpenAPI description, but no package of it',
  datadog: tried('`@datadog/datadog-api-client` 1.64.0, whose serializer judges', '136 MB'),
  dingtalk: silent,
  feishu: tried('`@larksuiteoapi/node-sdk` 1.74.0, whose type is `InteractiveCard`', '42 MB'),
  flock: silent,
  goalert: server,
  gotify: server,
  homeassistant: 'the server is Python; there is no schema of its actions',
  ifttt: closed,
  ilert: 'the vendor publishes an OpenAPI description, but no package of it',
  incidentio: 'the vendor publishes an OpenAPI description, but no package of it',
  matrix: `${server}; ${tried('`matrix-js-sdk` 43.0.0, whose type is `RoomMessageEventContent`', '23 MB')} but for \`is_falling_back\`, which its type lacks and the specification has`,
  n8n: `it takes any body; that \`isbot\` 3.6.13, which its webhooks ask, does not take us for a robot was tried by hand once`,
  newrelic: 'the types are in Go; there is no npm package of this',
  ntfy: 'no schema; the server could not be had as a package',
  opsgenie: 'the package of the vendor has no types',
  plivo: tried('`plivo` 4.79.0, whose client sends the same', '22 MB with what it needs'),
  pushbullet: silent,
  pushover: silent,
  rocketchat: '`@rocket.chat/core-typings` 8.8.1 cannot be installed: it names a patch of a package that is not in it',
  sensu:
    'the types are in Go, and every request was decoded with them once: [test/servers](../../test/servers/README.md)',
  signal: 'the gateway is no npm package, and needs a registered number',
  signl4: 'the vendor shows a Swagger page, but publishes no package of it',
  splunk: 'the server is not free to install',
  splunkoncall: silent,
  squadcast: silent,
  threema: 'the mock of the vendor is Python',
  twilio: tried('`twilio` 6.2.0, whose client sends the same', '25 MB with what it needs'),
  vonage: `${tried('`@vonage/sms` 1.24.1, whose client sends the same', '17 MB with what it needs')}; its types have names that end in a question mark`,
  webex: silent,
  wecom: silent,
  zapier: closed,
  zenduty: silent,
  zulip: 'the vendor publishes an OpenAPI description within its server, but no package of it',
};
