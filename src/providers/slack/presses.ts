import type { Outcome } from '../../model/delivery.ts';
import { cleanText } from '../../model/redact.ts';
import { Secret } from '../../model/secret.ts';
import { objectOf } from '../kit.ts';
import type { AnswerablePress, Listening } from '../provider.ts';
import { reading } from './answers.ts';
import { callSlack } from './thread.ts';

/** Characters of a name, and of what is answered. */
const maxName = 64;
const maxAnswer = 300;
/** Where answers to presses go; what comes back from a socket is not believed beyond that. */
const replyHost = /^hooks\.slack(?:-gov)?\.com$/;

type Config = { readonly site: string; readonly actions?: { readonly appToken?: Secret } };

/**
 * Hears what is pressed by Socket Mode: a WebSocket that is opened from here. Slack asks for each envelope to be acknowledged, and ends the
 * connection every few hours; then the next one is opened. Source: docs.slack.dev, Socket Mode, apps.connections.open, block_actions.
 */
export const slackListening: Listening<Config> = {
  async listen({ config: { site, actions }, send, converse, signal, heard }): Promise<Outcome> {
    const token = actions?.appToken;
    if (token === undefined) return { is: 'permanent', reason: 'set `actions.appToken`', credential: false };
    const answer = await callSlack({ send, token, site }, 'apps.connections.open', {});
    const outcome = answer.outcome(reading);
    const { url } = objectOf(answer.json()) ?? {};
    if (outcome.is !== 'delivered' || typeof url !== 'string') return outcome;
    await converse({
      ...{ url: new Secret(url), signal },
      heard(text, { say, end }) {
        const envelope = parsed(text);
        if (envelope?.type === 'disconnect') return end();
        const id = envelope?.envelope_id;
        if (typeof id !== 'string') return;
        const presses = pressesIn(envelope?.payload);
        if (presses.length > 0) heard(presses);
        // Whatever it holds: what is not acknowledged is sent again.
        say(JSON.stringify({ envelope_id: id }));
      },
    });
    return outcome;
  },

  async answer({ send, reply: { url = '' }, says }): Promise<Outcome> {
    const to = URL.parse(url);
    if (to?.protocol !== 'https:' || !replyHost.test(to.hostname))
      return { is: 'permanent', reason: 'Slack named no address to answer at', credential: false };
    const json = { response_type: 'ephemeral', replace_original: false, text: cleanText(says, maxAnswer) };
    return (await send({ method: 'POST', url: new Secret(to.href), json })).outcome(reading);
  },
};

function parsed(text: string): ReturnType<typeof objectOf> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * The presses that a payload tells of; of anything else none. Its instant, by whom and of what it was are the same however often it is sent.
 */
function pressesIn(payload: unknown): readonly AnswerablePress[] {
  const { type, user, team, actions, response_url: url } = objectOf(payload) ?? {};
  const { id: account, username, name } = objectOf(user) ?? {};
  if (type !== 'block_actions' || typeof account !== 'string' || account === '' || !Array.isArray(actions)) return [];
  const called = [username, name].find((each) => typeof each === 'string' && each !== '') ?? account;
  return actions.flatMap((action): readonly AnswerablePress[] => {
    const { action_ts: at, value } = objectOf(action) ?? {};
    if (typeof at !== 'string' || typeof value !== 'string') return [];
    const who = { id: account, name: cleanText(String(called).replaceAll(/\s+/g, ' ').trim(), maxName) };
    const id = [objectOf(team)?.id ?? '', account, at, value].join(' ');
    return [{ id, user: who, carries: value, reply: typeof url === 'string' ? { url } : {} }];
  });
}
