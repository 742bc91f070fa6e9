import { defineProvider, mention, readDestination, secret, string } from './kit.ts';
import type { Reading } from './provider.ts';
import { connectorReading, takesMessages } from './teams/connector.ts';
import { flowReading, postCard, postNothing } from './teams/flow.ts';
import { endAdvice, endOfBlock, isConnector } from './teams/hosts.ts';

/** Teams by one address: a flow of Power Automate, or an Office 365 connector where one still lives. Source: Teams, webhooks. */
export const teams = defineProvider({
  type: 'teams',
  product: 'Microsoft Teams',
  family: 'chat',
  description: 'Posts cards to Microsoft Teams through a webhook.',
  behaviour: 'every act is a new message',
  credentials: [
    'Make a flow from the template *Send webhook alerts to a channel* in Teams and put the whole address of its trigger into a Secret; see [teamsworkflows](teamsworkflows.md), which does the same without `title`.',
    'Addresses of Office 365 connectors (`….webhook.office.com`, `outlook.office.com`) still work with this type, but Microsoft took connectors down in May 2026: replace them.',
  ],
  notes: [
    'Texts of the cluster stand where Teams reads no markup, or escaped: they mention nobody and make no links.',
    'What a pop-up says is up to the flow: that of the template says *Card*. [teamsworkflows](teamsworkflows.md) has one that says what broke.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'teams', key: 'webhook' } }, title: 'Production' },
  ending: endOfBlock,
  fields: {
    webhook: secret({
      required: true,
      holds: 'url',
      description: 'Address of the flow, or of an Office 365 connector.',
    }),
    title: string({ maxLength: 200, description: 'A line above the title of every card.' }),
  },
  reaches: { mentions: mention.teams },
  limits: { card: { bytes: 20_000 } },
  hosts: ['*.webhook.office.com', 'outlook.office.com', 'outlook.office365.com', '*.logic.azure.com'],
  secretBehind: ['webhook\\.office\\.com/webhookb2/', 'outlook\\.office(?:365)?\\.com/webhook/'],
  pacing: { perSecond: 1, burst: 4 }, // connectors: 4 requests a second, 60 in 30 s; flows: 100 calls a minute
  minTimeoutMs: 20_000, // a flow with a response of its own answers when it has posted

  async deliver({ notification, config, send, people }) {
    const destination = readDestination('webhook', config.webhook);
    const options = { heading: config.title, people: people?.mentions };
    const answer = await postCard(send, destination.url, notification, options);
    return answer.outcome(readingOf(destination.host));
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook);
    const answer = await postNothing(send, destination.url);
    if (isConnector(destination.host) && takesMessages(answer)) return { is: 'delivered' };
    return answer.outcome(readingOf(destination.host));
  },
});

function readingOf(host: string): Reading {
  const advice = endAdvice(host);
  return isConnector(host) ? connectorReading(advice) : flowReading(advice);
}
