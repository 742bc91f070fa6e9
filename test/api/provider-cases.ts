/** Manifests of provider types besides the webhook: what is particular to their fields. */
import { type Case, cel, type Manifest, manifest, oneSource, ownBlock, type Spec, schema } from './case.ts';

const url = { secretKeyRef: { name: 'receiver', key: 'url' } };
const token = { secretKeyRef: { name: 'slack', key: 'token' } };
const slack = (block: unknown): Manifest => manifest('AlertProvider', { type: 'slack', slack: block });
const mail = { host: 'smtp.example.com', port: '587', from: 'Tocsin <tocsin@example.com>', to: 'oncall@example.com' };
const email = (block: Spec): Manifest => manifest('AlertProvider', { type: 'email', email: { ...mail, ...block } });
const webex = (block: Spec): Manifest =>
  manifest('AlertProvider', { type: 'webex', webex: { accessToken: token, ...block } });
const matrix = (internalRoomId: string): Manifest =>
  manifest('AlertProvider', {
    type: 'matrix',
    matrix: { homeServer: 'https://matrix.example.org', accessToken: token, internalRoomId },
  });
const zulip = (url: string): Manifest =>
  manifest('AlertProvider', { type: 'zulip', zulip: { url, email: 'bot@zulip.corp.net', token, channel: 'alerts' } });

/** Slack: which credential is required. */
export const slackCases: readonly Case[] = [
  { name: 'a bot and its channel', manifest: slack({ token, channel: 'C0123ABCD' }) },
  { name: 'a webhook alone', manifest: slack({ webhook: token }) },
  { name: 'a legacy webhook with a channel', manifest: slack({ webhook: token, channel: '#alerts', compact: true }) },
  { name: 'both, of which the bot is used', manifest: slack({ webhook: token, token, channel: 'C0123ABCD' }) },
  {
    name: 'who may press buttons, and no token to hear of it',
    manifest: slack({ token, channel: 'C0123ABCD', actions: { users: ['U0123ABCD'] } }),
    refused: cel('spec.slack.actions', 'set `appToken` with `users`'),
  },
  {
    name: 'who may press buttons',
    manifest: slack({ token, channel: 'C0123ABCD', actions: { users: ['U0123ABCD'], appToken: token } }),
  },
  {
    name: 'neither bot nor webhook',
    manifest: slack({ channel: 'C1' }),
    refused: cel('spec.slack', 'set `token` with'),
  },
  {
    name: 'an empty block',
    manifest: slack({}),
    refused: cel('spec.slack', 'set `token` with `channel`, or `webhook`'),
  },
  { name: 'a bot without a channel', manifest: slack({ token }), refused: cel('spec.slack', 'set `channel` with') },
  {
    name: 'a bot without a channel beside a webhook',
    manifest: slack({ token, webhook: token }),
    refused: cel('spec.slack', 'set `channel` with `token`'),
  },
  { name: 'a token as text', manifest: slack({ token: 'xoxb-1', channel: 'C1' }), refused: schema('spec.slack.token') },
  { name: 'a webhook as text', manifest: slack({ webhook: 'https://h/' }), refused: schema('spec.slack.webhook') },
  {
    name: 'a token with two sources',
    manifest: slack({ token: { ...token, value: 'x' }, channel: 'C1' }),
    refused: cel('spec.slack.token', oneSource),
  },
  { name: 'a channel that is a number', manifest: slack({ token, channel: 5 }), refused: schema('spec.slack.channel') },
  {
    name: 'a switch as text',
    manifest: slack({ webhook: token, compact: 'yes' }),
    refused: schema('spec.slack.compact'),
  },
  {
    name: 'a field of another product',
    manifest: slack({ webhook: token, username: 'tocsin' }),
    refused: schema('spec.slack.username'),
  },
  {
    name: 'the block of another type',
    manifest: manifest('AlertProvider', { type: 'slack', webhook: { url } }),
    refused: cel('spec', ownBlock),
  },
  {
    name: 'another type in place of the first',
    manifest: slack({ webhook: token }),
    previous: manifest('AlertProvider', { type: 'webhook', webhook: { url } }),
    refused: cel('spec.type', '`type` cannot be changed'),
  },
];

const ofChat = (type: string, block: Spec): Manifest => manifest('AlertProvider', { type, [type]: block });
const bot = { url: 'https://chat.example.com', token };

/** Mattermost and Rocket.Chat: which credential is required, and what goes with it. */
export const botCases: readonly Case[] = [
  { name: 'a Mattermost webhook alone', manifest: ofChat('mattermost', { webhook: token }) },
  {
    name: 'a Mattermost bot and its channel',
    manifest: ofChat('mattermost', { ...bot, channel: '4xp9fdt77pncbef59f4k1qe83o' }),
  },
  {
    name: 'neither a Mattermost bot nor a webhook',
    manifest: ofChat('mattermost', { url: 'https://chat.example.com' }),
    refused: cel('spec.mattermost', 'set `token` with `url` and `channel`, or `webhook`'),
  },
  {
    name: 'a Mattermost bot without a channel',
    manifest: ofChat('mattermost', { ...bot, webhook: token }),
    refused: cel('spec.mattermost', 'set `url` and `channel` with `token`'),
  },
  {
    name: 'a Mattermost channel by its name',
    manifest: ofChat('mattermost', { ...bot, channel: 'alerts' }),
    refused: schema('spec.mattermost.channel'),
  },
  { name: 'a Rocket.Chat webhook alone', manifest: ofChat('rocketchat', { webhook: token }) },
  {
    name: 'a Rocket.Chat account and its channel',
    manifest: ofChat('rocketchat', { ...bot, userId: 'rbAXPnMktTFbNpwtJ', channel: '#alerts' }),
  },
  {
    name: 'neither a Rocket.Chat account nor a webhook',
    manifest: ofChat('rocketchat', { userId: 'rbAXPnMktTFbNpwtJ' }),
    refused: cel('spec.rocketchat', 'set `token` with `url`, `userId` and `channel`, or `webhook`'),
  },
  {
    name: 'a Rocket.Chat token without its account',
    manifest: ofChat('rocketchat', { ...bot, channel: '#alerts' }),
    refused: cel('spec.rocketchat', 'set `url`, `userId` and `channel` with `token`'),
  },
];

const without = (type: string, block: Spec): Manifest =>
  manifest('AlertProvider', { type, [type]: block, sendResolved: false });
const leftOpen = cel('spec', 'leave `sendResolved` on');
const forge = { token, owner: 'acme', repo: 'ops' };
const site = { url: 'https://acme.atlassian.net', user: 'tocsin@example.com', apiToken: token, projectKey: 'OPS' };

/** Ends that are not sent: nowhere where they close something. */
export const silenceOfEndsCases: readonly Case[] = [
  { name: 'a chat without ends', manifest: without('slack', { webhook: token }) },
  { name: 'a webhook without ends', manifest: without('webhook', { url }) },
  { name: 'issues that people close, without ends', manifest: without('github', forge) },
  { name: 'the same, said so', manifest: without('github', { ...forge, closeOnResolve: false }) },
  { name: 'a Jira project whose issues people close, without ends', manifest: without('jira', site) },
  {
    name: 'a pager with ends',
    manifest: manifest('AlertProvider', {
      type: 'pagerduty',
      pagerduty: { integrationKey: token },
      sendResolved: true,
    }),
  },
  { name: 'a pager without ends', manifest: without('pagerduty', { integrationKey: token }), refused: leftOpen },
  {
    name: 'issues that an end closes, without ends',
    manifest: without('github', { ...forge, closeOnResolve: true }),
    refused: leftOpen,
  },
  {
    name: 'a transition at the end, without ends',
    manifest: without('jira', { ...site, closeTransition: 'Done' }),
    refused: leftOpen,
  },
  {
    name: 'ends in words',
    manifest: manifest('AlertProvider', { type: 'slack', slack: { webhook: token }, sendResolved: 'no' }),
    refused: schema('spec.sendResolved'),
  },
  {
    name: 'silent updates',
    manifest: manifest('AlertProvider', { type: 'slack', slack: { webhook: token }, silentUpdates: true }),
  },
];

/** Mail: addresses, ports, TLS. */
export const emailCases: readonly Case[] = [
  { name: 'mail by an access token', manifest: email({ oauth: { accessToken: token } }) },
  {
    name: 'mail by a refresh token',
    manifest: email({ oauth: { tokenURL: 'https://oauth2.example.com/token', clientId: 'a', refreshToken: token } }),
  },
  {
    name: 'mail by the credentials of a client',
    manifest: email({
      oauth: { tokenURL: 'https://oauth2.example.com/token', clientId: 'a', clientSecret: token, scope: 's' },
    }),
  },
  {
    name: 'mail by a password and an access token',
    manifest: email({ password: token, oauth: { accessToken: token } }),
    refused: cel('spec.email', 'set `password` or `oauth`, not both'),
  },
  {
    name: 'OAuth of nothing',
    manifest: email({ oauth: {} }),
    refused: cel('spec.email.oauth', 'exactly one of `accessToken` and `tokenURL`'),
  },
  {
    name: 'a token endpoint that nobody asks',
    manifest: email({ oauth: { tokenURL: 'https://oauth2.example.com/token', clientId: 'a' } }),
    refused: cel('spec.email.oauth', 'set `clientId` with `tokenURL`, and `clientSecret` or `refreshToken`'),
  },
  { name: 'a relay without a login', manifest: email({ tls: 'none', port: '25' }) },
  { name: 'a port that is a number', manifest: email({ port: 465 }) },
  { name: 'a login', manifest: email({ username: 'tocsin', password: token, tls: 'required' }) },
  { name: 'several recipients', manifest: email({ to: 'a@example.com, Team <b@example.com>,c@example.com' }) },
  { name: 'an address in letters of the world', manifest: email({ from: 'Störung <störung@bücher.example>' }) },
  { name: 'a relay by address', manifest: email({ host: 'fd00::25' }) },
  { name: 'no host', manifest: email({ host: null }), refused: schema('spec.email.host') },
  { name: 'no recipient', manifest: email({ to: null }), refused: schema('spec.email.to') },
  { name: 'no sender', manifest: email({ from: null }), refused: schema('spec.email.from') },
  { name: 'no port', manifest: email({ port: null }), refused: schema('spec.email.port') },
  { name: 'a port out of range', manifest: email({ port: 65_536 }), refused: schema('spec.email.port') },
  { name: 'a port in words', manifest: email({ port: 'smtp' }), refused: schema('spec.email.port') },
  { name: 'an unknown word for TLS', manifest: email({ tls: 'starttls' }), refused: schema('spec.email.tls') },
  { name: 'a sender without a domain', manifest: email({ from: 'tocsin' }), refused: schema('spec.email.from') },
  { name: 'two senders', manifest: email({ from: 'a@b.example, c@d.example' }), refused: schema('spec.email.from') },
  { name: 'an empty recipient', manifest: email({ to: 'a@b.example,' }), refused: schema('spec.email.to') },
  {
    name: 'a line break in a recipient',
    manifest: email({ to: 'a@b.example\r\nBcc: c@d.example' }),
    refused: schema('spec.email.to'),
  },
  {
    name: 'a line break in the sender',
    manifest: email({ from: 'Tocsin\n <a@b.example>' }),
    refused: schema('spec.email.from'),
  },
  { name: 'a host that is an address', manifest: email({ host: 'smtp://relay' }), refused: schema('spec.email.host') },
  { name: 'a password as text', manifest: email({ password: 'secret' }), refused: schema('spec.email.password') },
];

/** Webex: whom to write to. */
export const webexCases: readonly Case[] = [
  { name: 'a space', manifest: webex({ roomId: 'Y2lzY29' }) },
  { name: 'a person', manifest: webex({ toPersonEmail: 'oncall@example.com' }) },
  { name: 'neither', manifest: webex({}), refused: cel('spec.webex', 'set `roomId` or `toPersonEmail`') },
  { name: 'an address for a space', manifest: webex({ roomId: 'https://x' }), refused: schema('spec.webex.roomId') },
];

/** Matrix: a room by its own id, of which the newest have no server. */
export const matrixCases: readonly Case[] = [
  { name: 'a room', manifest: matrix('!abc:example.org') },
  { name: 'a room of the newest version', manifest: matrix('!abcdefghijklmnopqrstuvwxyz') },
  { name: 'an alias', manifest: matrix('#alerts:example.org'), refused: schema('spec.matrix.internalRoomId') },
];

/** Zulip: the address of somebody's own organisation. */
export const zulipCases: readonly Case[] = [
  { name: 'an organisation', manifest: zulip('https://examples.zulipchat.com/') },
  ...['https://yourzulipdomain.zulipchat.com', 'https://zulip.example.com', 'http://x.Example:8443/zulip'].map(
    (url): Case => ({
      name: `the example ${url}`,
      manifest: zulip(url),
      refused: cel('spec.zulip', 'set `url` to the address of your organisation'),
    }),
  ),
];

const hec = (address: string): Manifest =>
  manifest('AlertProvider', { type: 'splunk', splunk: { url: address, token } });

/** Splunk: which endpoint. */
export const splunkCases: readonly Case[] = [
  { name: 'a collector', manifest: hec('https://splunk.example.com:8088') },
  { name: 'a whole endpoint', manifest: hec('https://splunk.example.com:8088/services/collector/event') },
  {
    name: 'the raw endpoint',
    manifest: hec('https://splunk.example.com:8088/services/collector/raw'),
    refused: cel('spec.splunk', 'services/collector/event'),
  },
];

const chat = (chatId: unknown): Manifest =>
  manifest('AlertProvider', { type: 'telegram', telegram: { token, chatId } });

/** Telegram: which chat. */
export const telegramCases: readonly Case[] = [
  { name: 'a supergroup', manifest: chat('-1001234567890') },
  { name: 'a chat without quotes', manifest: chat(-1001234567890) },
  { name: 'a public channel', manifest: chat('@oncall_prod') },
  { name: 'a link to a chat', manifest: chat('https://t.me/oncall'), refused: schema('spec.telegram.chatId') },
  { name: 'a name without @', manifest: chat('oncall'), refused: schema('spec.telegram.chatId') },
];

const block = (type: string, own: Spec): Manifest => manifest('AlertProvider', { type, [type]: own });
const letter = { apiKey: token, from: 'Tocsin <tocsin@example.com>', to: 'oncall@example.com' };
const recipients = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}@b.example`).join(',');

const keys = { accessKeyId: token, secretAccessKey: token };
const topic = 'arn:aws:sns:us-east-1:123456789012:alerts';
const endpoint = 'arn:aws:sns:us-east-1:123456789012:endpoint/APNS/app/0c2f';
const sns = (own: Spec): Manifest => block('sns', { ...keys, ...own });

/** Amazon: recipients, regions, ARNs. */
const amazonCases: readonly Case[] = [
  { name: 'a sender of SES', manifest: block('ses', { ...keys, from: letter.from, to: letter.to }) },
  {
    name: '51 recipients of SES',
    manifest: block('ses', { ...keys, from: letter.from, to: recipients(51) }),
    refused: cel('spec.ses', 'at most 50 recipients'),
  },
  {
    name: 'a region of SES that is none',
    manifest: block('ses', { ...keys, from: letter.from, to: letter.to, region: 'Ireland' }),
    refused: schema('spec.ses.region'),
  },
  { name: 'a topic in the default region', manifest: sns({ topicArn: topic }) },
  { name: 'an endpoint', manifest: sns({ targetArn: endpoint, region: 'us-east-1' }) },
  {
    name: 'a FIFO topic of the partition of the government',
    manifest: sns({ topicArn: 'arn:aws-us-gov:sns:us-gov-west-1:123456789012:a.fifo', region: 'us-gov-west-1' }),
  },
  { name: 'no topic', manifest: sns({}), refused: cel('spec.sns', 'set exactly one of `topicArn` and `targetArn`') },
  {
    name: 'a topic and an endpoint',
    manifest: sns({ topicArn: topic, targetArn: endpoint }),
    refused: cel('spec.sns', 'set exactly one of `topicArn` and `targetArn`'),
  },
  {
    name: 'a topic of another region',
    manifest: sns({ topicArn: topic, region: 'eu-west-1' }),
    refused: cel('spec.sns', 'set `region` to the region inside the ARN'),
  },
  {
    name: 'an endpoint of another region',
    manifest: sns({ targetArn: endpoint, region: 'eu-west-1' }),
    refused: cel('spec.sns', 'set `region` to the region inside the ARN'),
  },
  { name: 'a topic by its name', manifest: sns({ topicArn: 'alerts' }), refused: schema('spec.sns.topicArn') },
  { name: 'no keys, for the role of the Pod', manifest: block('sns', { topicArn: topic }) },
  {
    name: 'half of the keys',
    manifest: block('sns', { topicArn: topic, accessKeyId: token }),
    refused: cel('spec.sns', 'set `accessKeyId` and `secretAccessKey` together'),
  },
  {
    name: 'the other half of the keys',
    manifest: block('ses', { from: 'a@example.org', to: 'b@example.org', secretAccessKey: token }),
    refused: cel('spec.ses', 'set `accessKeyId` and `secretAccessKey` together'),
  },
];

/** Mail APIs, Amazon and home automation: recipients, domains, actions. */
export const hookCases: readonly Case[] = [
  ...amazonCases,
  { name: '50 recipients of Resend', manifest: block('resend', { ...letter, to: recipients(50) }) },
  {
    name: '51 recipients of Resend',
    manifest: block('resend', { ...letter, to: recipients(51) }),
    refused: cel('spec.resend', 'at most 50 recipients'),
  },
  { name: 'recipients of SendGrid in one text', manifest: block('sendgrid', letter) },
  { name: 'recipients of SendGrid as a list', manifest: block('sendgrid', { ...letter, to: ['a@b.example'] }) },
  { name: 'a domain of Mailgun', manifest: block('mailgun', { ...letter, domain: 'mg.example.com' }) },
  {
    name: 'a domain of Mailgun with a path',
    manifest: block('mailgun', { ...letter, domain: 'mg.example.com/x' }),
    refused: schema('spec.mailgun.domain'),
  },
  { name: 'an event of IFTTT', manifest: block('ifttt', { key: token, event: 'oncall_2' }) },
  {
    name: 'an event of IFTTT with a space',
    manifest: block('ifttt', { key: token, event: 'on call' }),
    refused: schema('spec.ifttt.event'),
  },
  {
    name: 'an action of Home Assistant',
    manifest: block('homeassistant', { token, service: 'persistent_notification.create' }),
  },
  {
    name: 'an action of Home Assistant in capitals',
    manifest: block('homeassistant', { token, service: 'notify.Phone' }),
    refused: schema('spec.homeassistant.service'),
  },
  {
    name: 'a path in place of an action of Home Assistant',
    manifest: block('homeassistant', { token, service: 'notify/phone' }),
    refused: schema('spec.homeassistant.service'),
  },
];

const clickup = (block: Spec): Manifest =>
  manifest('AlertProvider', { type: 'clickup', clickup: { token, listId: '901', ...block } });

const jira = (block: Spec): Manifest => {
  const site = { url: 'https://acme.atlassian.net', user: 'tocsin@example.com', apiToken: token, projectKey: 'OPS' };
  return manifest('AlertProvider', { type: 'jira', jira: { ...site, ...block } });
};

const github = (block: Spec): Manifest =>
  manifest('AlertProvider', { type: 'github', github: { token, owner: 'acme', repo: 'ops', ...block } });

/** Trackers: names, numbers, statuses. */
export const trackerCases: readonly Case[] = [
  { name: 'a list alone', manifest: clickup({}) },
  { name: 'a list by its number', manifest: clickup({ listId: 901100200300 }) },
  { name: 'both statuses', manifest: clickup({ closeStatus: 'complete', reopenStatus: 'to do', priority: 4 }) },
  { name: 'no list', manifest: clickup({ listId: null }), refused: schema('spec.clickup.listId') },
  ...[0, 5].map(
    (priority): Case => ({
      name: `the priority ${priority}`,
      manifest: clickup({ priority }),
      refused: schema('spec.clickup.priority'),
    }),
  ),
  { name: 'a Jira project', manifest: jira({}) },
  { name: 'both transitions', manifest: jira({ issueType: 'Bug', closeTransition: 'Done', reopenTransition: '41' }) },
  {
    name: 'what a create screen wants',
    manifest: jira({ fields: { customfield_10021: { value: 'Payments' }, labels: ['kubernetes'] } }),
  },
  {
    name: 'further fields as a text',
    manifest: jira({ fields: 'customfield_10021' }),
    refused: schema('spec.jira.fields'),
  },
  {
    name: 'too many further fields',
    manifest: jira({
      fields: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`customfield_${index}`, 1])),
    }),
    refused: schema('spec.jira.fields'),
  },
  { name: 'no Jira project', manifest: jira({ projectKey: null }), refused: schema('spec.jira.projectKey') },
  {
    name: 'a transition as a number',
    manifest: jira({ closeTransition: 31 }),
    refused: schema('spec.jira.closeTransition'),
  },
  { name: 'a repository', manifest: github({}) },
  { name: 'a repository whose issues are closed', manifest: github({ closeOnResolve: true }) },
  { name: 'a repository with its owner', manifest: github({ repo: 'acme/ops' }), refused: schema('spec.github.repo') },
  { name: 'a path as the owner', manifest: github({ owner: 'acme/' }), refused: schema('spec.github.owner') },
];

const pager = { integrationKey: token };
const service = { url: 'https://goalert.example.com', token, serviceId: '6d5f3f0c-7a2e-4b0a-9d55-0a9f0d4c1e7b' };

/** Pagers: regions, words and ids. */
export const pagerCases: readonly Case[] = [
  { name: 'PagerDuty in Europe', manifest: block('pagerduty', { ...pager, region: 'eu' }) },
  {
    name: 'a region that PagerDuty does not have',
    manifest: block('pagerduty', { ...pager, region: 'EU' }),
    refused: schema('spec.pagerduty.region'),
  },
  { name: 'Jira Service Management', manifest: block('opsgenie', { apiKey: token, region: 'jsm' }) },
  {
    name: 'a region that Opsgenie does not have',
    manifest: block('opsgenie', { apiKey: token, region: 'ap' }),
    refused: schema('spec.opsgenie.region'),
  },
  { name: 'the highest priority of ilert', manifest: block('ilert', { ...pager, priority: 'CRITICAL' }) },
  {
    name: 'a priority of ilert in small letters',
    manifest: block('ilert', { ...pager, priority: 'high' }),
    refused: schema('spec.ilert.priority'),
  },
  { name: 'a type of alert of Zenduty', manifest: block('zenduty', { ...pager, alertType: 'warning' }) },
  {
    name: 'a type of alert of Zenduty that ends one',
    manifest: block('zenduty', { ...pager, alertType: 'resolved' }),
    refused: schema('spec.zenduty.alertType'),
  },
  { name: 'a service of GoAlert', manifest: block('goalert', service) },
  {
    name: 'a service of GoAlert by its name',
    manifest: block('goalert', { ...service, serviceId: 'payments' }),
    refused: schema('spec.goalert.serviceId'),
  },
];
