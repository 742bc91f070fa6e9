import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mark } from './mark.ts';

const fixtures = resolve(import.meta.dirname, '../../test/providers/fixtures');

/** What lock screens, voices and lists give of a message before they cut. */
export const shownChars = 100;

/** Type → where the text that a phone, a voice or a list shows first stands in the request. */
const places: Readonly<Record<string, string>> = {
  ...{ alerta: 'text', clickup: 'name', datadog: 'title', dingtalk: 'actionCard.title', discord: 'content' },
  ...{ email: 'headers.subject', feishu: 'card.header.title.content', flock: 'notification', gitea: 'title' },
  ...{ github: 'title', gitlab: 'title', goalert: 'summary', googlechat: 'text', gotify: 'title' },
  ...{ homeassistant: 'title', ifttt: 'value1', ilert: 'summary', incidentio: 'title', jira: 'fields.summary' },
  ...{ mailgun: 'subject', matrix: 'body', mattermost: 'text', messagebird: 'text', n8n: 'title', newrelic: '0.title' },
  ...{ ntfy: 'title', opsgenie: 'message', pagerduty: 'payload.summary', plivo: 'text', pushbullet: 'title' },
  ...{ pushover: 'title', resend: 'subject', rocketchat: 'text', sendgrid: 'subject', sensu: 'check.output' },
  ...{ ses: 'Content.Simple.Subject.Data', signal: 'message', signl4: 'Title', slack: 'text', sns: 'Message' },
  ...{ splunk: 'event.title', splunkoncall: 'entity_display_name', squadcast: 'message', teams: 'summary' },
  ...{
    teamsworkflows: 'summary',
    telegram: 'text',
    threema: 'text',
    twilio: 'Body',
    vonage: 'text',
    webex: 'markdown',
  },
  ...{ webhook: 'title', wecom: 'markdown.content', zapier: 'title', zenduty: 'message', zulip: 'content' },
};

/** The value at a path; `undefined` where there is none. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => {
    if (typeof part === 'string' && part.startsWith('{')) return at(JSON.parse(part), key);
    return typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined;
  }, value);
}

/** A text as it is shown: without the marks of bold, tags and headings, on one line. */
function asShown(text: string): string {
  const plain = text.startsWith('{"default":') ? String(at(JSON.parse(text), 'default')) : text;
  return (
    plain
      .replace(/:large_orange_circle:|:rotating_light:/g, '')
      // Slack shows an instant by what stands behind it where it shows no markup.
      .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
      .replace(/<\/?(?:b|strong|font|p)\b[^>]*>/g, '')
      .replace(/\*+|^#+ |\\(?=[^\w\s])/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** The first request of a type for an act, of whichever of its configurations is recorded first. */
function requestOf(type: string, act: string): unknown {
  const own = join(fixtures, type, `${act}.json`);
  const [file] = existsSync(own) ? [own] : globSync(join(fixtures, type, `**/${act}.json`)).sort();
  if (file === undefined) throw new Error(`${type} records no ${act}`);
  const requests: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(requests)) throw new Error(`${file} holds no requests`);
  const texts = requests.map((request: unknown) => at(request, 'body') ?? request);
  return texts.find((body) => at(body, places[type] ?? '') !== undefined);
}

/** What a person sees first of the opening of the incident that the types are tested with: type → text. */
export function lockScreens(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(places).map(([type, path]) => {
      const text = at(requestOf(type, 'open'), path);
      if (typeof text !== 'string') throw new Error(`${type} has no text at ${path}`);
      return [type, asShown(text).slice(0, shownChars)];
    }),
  );
}

/** `docs/contributing/lock-screen.md`. */
export function lockScreenPage(): string {
  const rows = [...lockScreens()].map(([type, text]) => `| \`${type}\` | ${text.replaceAll('|', '\\|')} |`);
  return `# What a lock screen shows

<!-- ${mark} -->

The first ${shownChars} characters of one opening as each of the ${rows.length} types sends it: the push text, subject, summary or first line. They say what broke,
why, whom it hits and in which cluster. Reason and severity are fields, labels and colours. Taken from the recorded requests of the tests.

| type | what is shown first |
| --- | --- |
${rows.join('\n')}
`;
}
