/** The page of one provider type, from its definition and what the conformance suite has recorded of it. */
import { stringify } from 'yaml';
import { group, version } from '../../src/api/group.ts';
import { objectOf } from '../../src/providers/kit/block.ts';
import { type AnyProvider, schemaOf } from '../../src/providers/kit/define.ts';
import { endingsOf, type Recorded, recordedOf } from './recorded.ts';
import { fieldTable, generated, ruleList } from './reference.ts';
import { limitWords, paceWords, supportLine } from './words.ts';

/** The whole page. */
export function providerPage(provider: AnyProvider): string {
  const { type, product, description, credentials, notes, check } = provider;
  const json = schemaOf(provider);
  const recorded = recordedOf(provider);
  const rules = ruleList(json);
  return `${generated}
# ${product} (\`type: ${type}\`)

${description}
${endingsOf(provider)
  .map(
    ({ what, day, instead }) => `\n**${capitalized(what)}: the vendor's last day is ${day}.** Instead, ${instead}.\n`,
  )
  .join('')}
## Set it up

${credentials.join('\n\n')}

${secretCommand(provider)}\`${type}.yaml\`:

\`\`\`yaml
${stringify(manifestOf(provider), { lineWidth: 0 }).trimEnd()}
\`\`\`

\`\`\`sh
${check ? `tocsin lint --cluster --check ${type}.yaml   # tests the credentials, too; nobody is notified` : `tocsin lint ${type}.yaml   # credentials cannot be tested without telling something`}
kubectl apply -f ${type}.yaml
kubectl -n tocsin annotate --overwrite ap ${type} tocsin.dev/test=$(date +%s)   # ${testWords[provider.family]}
\`\`\`

## Fields of \`spec.${type}\`

${fieldTable(json)}
${rules === '' ? '' : `\n${rules}`}
Fields that all types have (\`routes\`, \`retry\`, \`fallback\`, \`suspend\`): [AlertProvider](../alertprovider.md).

${recorded ? `## What a message looks like\n\n${openingOf(recorded)}\n` : ''}
## What becomes of an incident

${becomes(provider)}
${recorded ? `\n${actTable(recorded)}\n` : ''}
${plainWords(provider)}

## Limits

${limitsOf(provider)}
${notes.length > 0 ? `\n## Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

function capitalized(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

/** What a test does. */
const testWords = {
  chat: 'sends one message marked as a test',
  mail: 'sends one mail marked as a test',
  log: 'sends one event marked as a test',
  pager: 'raises one alert marked as a test, and ends it',
  tracker: 'opens one item marked as a test, and closes it where that is possible',
} as const;

/** The sample as a whole manifest. */
export function manifestOf({ type, sample }: Pick<AnyProvider, 'type' | 'sample'>): object {
  return {
    apiVersion: `${group}/${version}`,
    kind: 'AlertProvider',
    metadata: { name: type, namespace: 'tocsin' },
    spec: { type, [type]: sample },
  };
}

/** How to make the Secret that the sample names, if it names one. */
function secretCommand({ sample }: AnyProvider): string {
  const keys = [...keysIn(sample)];
  const [first] = keys;
  if (!first) return '';
  const literals = keys.map(({ key }) => `--from-literal=${key}='…'`).join(' ');
  return `\`\`\`sh\nkubectl -n tocsin create secret generic ${first.name} ${literals}\n\`\`\`\n\n`;
}

function* keysIn(value: unknown): Generator<{ readonly name: unknown; readonly key: unknown }> {
  const object = objectOf(value);
  const reference = objectOf(object?.secretKeyRef);
  if (reference) yield { name: reference.name, key: reference.key };
  else for (const each of Array.isArray(value) ? value : Object.values(object ?? {})) yield* keysIn(each);
}

function openingOf({ opening: { language, text } }: Recorded): string {
  const fence = text.includes('```') ? '````' : '```';
  const about =
    language === 'text'
      ? 'The opening of an incident, in the words and the markup that are sent (its colours, buttons and pictures are not shown here):'
      : 'The opening of an incident, with every field that rules and searches can use:';
  return `${about}\n\n${fence}${language}\n${text}\n${fence}`;
}

function becomes({ behaviour, supports }: AnyProvider): string {
  const sentence = `${capitalized(behaviour)}.`;
  const list = supports.map((support) => `- ${supportLine(support)}`).join('\n');
  return `${sentence}${list === '' ? '' : `\n\n${list}`}\n\nAll types side by side: [capabilities](../../capabilities.md).`;
}

/** Acts by the names of their recordings, in words. */
const actNames = {
  open: 'opening',
  update: 'update',
  resolve: 'end',
  reopen: 'relapse',
  startup: 'startup summary',
  digest: 'digest',
  test: 'test',
} as const;

/** What is sent for each act; one line where it is always the same. */
function actTable({ requestsOf }: Recorded): string {
  const rows = Object.entries(actNames).flatMap(([act, name]) => {
    const requests = requestsOf(act);
    return requests ? [[name, requests.join('<br>')] as const] : [];
  });
  const [first] = rows;
  if (first && rows.every(([, requests]) => requests === first[1]))
    return first[1] === '`mail`' ? 'Each is one mail.' : `Each is one request: ${first[1]}`;
  return `| act | what is sent |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`;
}

/** What a family makes of a message that is no incident: one, and several. */
const things = {
  chat: ['a message', 'messages'],
  mail: ['a mail', 'mails'],
  log: ['an event', 'events'],
  pager: ['an alert', 'alerts'],
  tracker: ['an item', 'items'],
} as const;

/** How messages that are no incident are told. */
function plainWords({ plain, family }: AnyProvider): string {
  const [one, several] = things[family];
  const storm =
    family === 'chat' || family === 'mail'
      ? 'In a storm (more than 20 openings in a minute) what is over that comes as one overview.'
      : 'In a storm every incident is still told by itself.';
  if (plain === 'native')
    return `The startup summary and the digest of low-priority problems are ${several} of their own. ${storm}`;
  const untold = 'are not sent here: name a `fallback` that is a chat or mail, and it gets them.';
  if (plain === 'none') return `Startup summaries and digests of low-priority problems ${untold} ${storm}`;
  return `The startup summary is ${one} when it holds anything critical or high, and is resolved when that is healthy again. Digests of low-priority problems ${untold} ${storm}`;
}

function limitsOf({ limits, pacing, minTimeoutMs }: AnyProvider): string {
  const rows = limitWords(limits).map(([name, words]) => `| \`${name}\` | ${words} |`);
  const table =
    rows.length > 0
      ? `Longer texts are cut between characters, log lines first, and say so:\n\n| text | at most |\n| --- | --- |\n${rows.join('\n')}\n\n`
      : '';
  const waits = minTimeoutMs === undefined ? '' : ` An answer is waited for at least ${minTimeoutMs / 1000} s.`;
  return `${table}Requests to one destination: ${paceWords(pacing)}; what comes faster waits. When the product asks to wait, that is obeyed.${waits}`;
}
