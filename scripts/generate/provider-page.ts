/** The page of one provider type, from its definition and what the conformance suite has recorded of it. */
import { stringify } from 'yaml';
import { group, version } from '../../src/api/group.ts';
import type { Way } from '../../src/model/people.ts';
import { objectOf } from '../../src/providers/kit/block.ts';
import { type AnyProvider, schemaOf } from '../../src/providers/kit/define.ts';
import { picturesOf } from '../gallery/pictures.ts';
import { fieldTable, ruleList } from './field-table.ts';
import { mark } from './mark.ts';
import { endingsOf, type Recorded, recordedOf } from './recorded.ts';
import { limitWords, paceWords, supportLine } from './words.ts';

/** The whole page. */
export function providerPage(provider: AnyProvider): string {
  const { type, product, description, credentials, notes, check } = provider;
  const json = schemaOf(provider);
  const recorded = recordedOf(provider);
  const rules = ruleList(json);
  return `<!-- ${mark} -->

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
${check ? `tocsin lint --cluster --check ${type}.yaml   # tests the credentials, too; notifies nobody` : `tocsin lint ${type}.yaml   # the credentials cannot be tested without a message`}
kubectl apply -f ${type}.yaml
kubectl -n tocsin annotate --overwrite ap ${type} tocsin.dev/test=$(date +%s)   # ${testWords[provider.family]}
\`\`\`

## Fields of \`spec.${type}\`

${fieldTable(json)}

${
  rules === ''
    ? ''
    : `${rules}
`
}Fields of every type, and what a *secret* is: [AlertProvider](../alertprovider.md).

${owners(provider)}${looks(provider, recorded)}## What becomes of an incident

${becomes(provider)}
${[recorded ? actTable(recorded) : '', plainWords(provider)]
  .filter((part) => part !== '')
  .map((part) => `\n${part}\n`)
  .join('')}
## Limits

${limitsOf(provider)}
${notes.length > 0 ? `\n## Notes\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

/** What the table of owners takes for the type. */
const ways = {
  mentions: 'Mentioned when an incident opens, is back or is worse',
  channel: 'Where its incidents are posted instead',
  assignees: 'Who gets the issue',
  responders: 'Who is called',
} as const satisfies Readonly<Record<Way, string>>;

function owners({ type, reaches }: AnyProvider): string {
  if (!reaches) return '';
  const rows = Object.entries(reaches).map(([way, { pattern, description }]) => {
    const says = Object.entries(ways).find(([name]) => name === way)?.[1];
    return `| \`${way}\` | ${says}. | ${description} \`${pattern.replaceAll('|', '\\|')}\` |`;
  });
  return `## Owners

What \`owners.contacts.<owner>.${type}\` of the [AlertConfig](../alertconfig.md) takes ([sample](../../../config/recipes/owners/alertconfig.yaml)):

| field | what it does | what it is |
| --- | --- | --- |
${rows.join('\n')}

`;
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

/** The message, as the product shows it where there is a picture of that, else in its words. */
function looks({ type, product }: AnyProvider, recorded: Recorded | undefined): string {
  const drawn = picturesOf(type);
  const shown = drawn.map(({ name, shows }) => `![${shows}, ${product}](../../gallery/${name}.png)`);
  if (drawn.length > 0) return `## What a message looks like\n\n${shown.join('\n\n')}\n\n`;
  return recorded ? `## What a message looks like\n\n${openingOf(recorded)}\n\n` : '';
}

function openingOf({ opening: { language, text } }: Recorded): string {
  const fence = text.includes('```') ? '````' : '```';
  const about =
    language === 'text'
      ? 'The opening of an incident, as text (without colours and buttons):'
      : 'The opening of an incident, with every field that rules and searches can use:';
  return `${about}\n\n${fence}${language}\n${text}\n${fence}`;
}

function becomes({ behaviour, supports }: AnyProvider): string {
  const sentence = `${capitalized(behaviour)}.`;
  const list = supports.map((support) => `- ${supportLine(support)}`).join('\n');
  return `${sentence}${list === '' ? '' : `\n\n${list}`}`;
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

/** What is sent for each act; acts that send the same share a line. */
function actTable({ requestsOf }: Recorded): string {
  const sent = Object.entries(actNames).flatMap(([act, name]) => {
    const requests = requestsOf(act);
    return requests ? [{ name, requests: requests.join(', ') }] : [];
  });
  const lines = [...Map.groupBy(sent, ({ requests }) => requests)].map(
    ([requests, acts]) => `- ${acts.map(({ name }) => name).join(', ')}: ${requests}`,
  );
  const [only] = lines.length === 1 ? sent : [];
  if (only) return only.requests === '`mail`' ? 'Each is one mail.' : `Each is one request: ${only.requests}`;
  return `What is sent for each:\n\n${lines.join('\n')}`;
}

/** What a type does with messages that are about no single incident, where it is not simply sent them. */
function plainWords({ plain }: AnyProvider): string {
  const untold = 'are not sent here: they go to the `fallback`, if that is a chat or mail.';
  if (plain === 'none') return `Startup summaries and digests of low-priority problems ${untold}`;
  if (plain === 'alert')
    return `The startup summary is sent when it holds anything critical or high, and is resolved once that is healthy. Digests of low-priority problems ${untold}`;
  return '';
}

function limitsOf({ limits, pacing, minTimeoutMs }: AnyProvider): string {
  const rows = limitWords(limits).map(([name, words]) => `| \`${name}\` | ${words} |`);
  const table =
    rows.length > 0
      ? `Longer texts are cut, log lines first, and say so:\n\n| text | at most |\n| --- | --- |\n${rows.join('\n')}\n\n`
      : '';
  const waits = minTimeoutMs === undefined ? '' : ` An answer is waited for at least ${minTimeoutMs / 1000} s.`;
  return `${table}Requests to one destination: ${paceWords(pacing)}; more than that waits, and so does everything when the product asks for it.${waits}`;
}
