import { defineProvider, mention, readDestination, secret } from './kit.ts';
import { flowReading, postCard, postNothing } from './teams/flow.ts';
import { endAdvice, endOfBlock } from './teams/hosts.ts';

/** Teams Workflows (Power Automate): a flow with a webhook trigger that posts cards. Source: Teams, "Workflows" templates. */
export const teamsworkflows = defineProvider({
  type: 'teamsworkflows',
  product: 'Microsoft Teams Workflows',
  family: 'chat',
  description: 'Posts cards to Microsoft Teams through a Power Automate flow.',
  behaviour: 'every act is a new message',
  credentials: [
    'In Teams, make a flow from the template *Send webhook alerts to a channel* (or *to a chat*) and put the whole address of its trigger into a Secret, with `sig` and everything else after the `?`. The trigger must be open to anyone who has the address.',
  ],
  notes: [
    'A flow of your own gets `{"type": "message", "summary": "…", "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": null, "content": { … }}]}` and must post each `content` as a card.',
    'With the flow of the template a pop-up says *Card* and no more, since it posts the card alone. [config/teams](../../../config/teams) is a flow that posts what broke as a message, which pop-ups show, and the card as its reply: pack what is in the folder as a zip, import it in Power Automate (*My flows*, *Import*, *Import Package (Legacy)*) with your own connection of Teams, choose team and channel in both of its actions, and switch it on.',
    'The flow answers before it posts, so what goes wrong inside it is seen in its run history only: send a test message after setting it up. It stops when its owner leaves and, without use, after 90 days; addresses on logic.azure.com stopped working on 30 November 2025.',
    '`lint --check` makes the flow run once without a card, which posts nothing and ends as a failed run in its history.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'teams', key: 'flow' } } },
  ending: endOfBlock,
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Whole address of the trigger of the flow.' }),
  },
  reaches: { mentions: mention.teams },
  limits: { card: { bytes: 20_000 } },
  hosts: ['*.logic.azure.com', '*.api.powerplatform.com'],
  pacing: { perSecond: 1, burst: 4 }, // four messages per second and channel; the connector in a flow takes 100 calls a minute
  minTimeoutMs: 20_000, // a flow with a response of its own answers when it has posted

  async deliver({ notification, config, send, people }) {
    const destination = readDestination('webhook', config.webhook);
    const answer = await postCard(send, destination.url, notification, { people: people?.mentions });
    return answer.outcome(flowReading(endAdvice(destination.host)));
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook);
    const answer = await postNothing(send, destination.url);
    return answer.outcome(flowReading(endAdvice(destination.host)));
  },
});
