/** `docs/reference/README.md`: every provider type, by what it is, and what each can do. */
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import { type Ability, abilities, abilityOf } from '../../src/providers/kit/supports.ts';
import { providers } from '../../src/providers/registry.ts';
import { mark } from './mark.ts';
import { endingsOf } from './recorded.ts';
import { abilityTitles, conditionOf } from './words.ts';

const abilityNames = Object.keys(abilities) as readonly Ability[];

/** Families in the order of the page. */
const families = {
  chat: ['Chats and phones', 'People read each message. A storm of incidents becomes one overview.'],
  mail: ['Mail', 'The same, by mail.'],
  pager: [
    'On call',
    'Each incident is an alert with an end; people may be called; more than 20 of one namespace in a minute are one alert.',
  ],
  tracker: ['Trackers', 'Each incident is an issue or a task.'],
  log: ['Logs and automation', 'Programs read it; every incident is sent, even in a storm.'],
} as const;

/** What a type does with messages about no single incident, where it does not simply send them. */
const plainWords = { native: '', alert: 'startup summary only', none: 'incidents only' } as const;

/** The whole page. */
export function providersPage(): string {
  const endings = providers.flatMap((provider) =>
    endingsOf(provider).map(
      ({ what, day, instead }) => `- [${provider.product}](providers/${provider.type}.md): ${what}, ${day}: ${instead}`,
    ),
  );
  return `<!-- ${mark} -->

# Where messages go

An [AlertProvider](alertprovider.md) sends to one destination. Each type has a short page: how to set it up, its fields, and what becomes of an
incident there. \`kubectl explain alertproviders.spec\` shows the same texts. Editors complete manifests by the JSON Schemas in \`docs/reference/schemas\`: begin a file with
\`# yaml-language-server: $schema=<path or address of the schema>\`.

## Provider types

${Object.keys(families)
  .filter((family) => isFamily(family))
  .map(familyText)
  .join('\n\n')}

## What the words say

${abilityNames.map((ability) => `- **${abilityTitles[ability].toLowerCase()}**: ${abilities[ability]}.`).join('\n')}
- \\*: it depends on how the type is configured; its page says how.
- **startup summary only**: of the messages about no single incident it gets the startup summary, as an alert or item that ends; name a chat or mail
  as \`fallback\` for digests and the overview of a storm. **Incidents only**: not even that.
- **credentials untested**: \`tocsin lint --check\` cannot try them without a message. It can for all others.

## What vendors will shut down

\`tocsin lint\` warns of these, too.

${endings.join('\n')}
`;
}

const isFamily = (family: string): family is keyof typeof families => Object.hasOwn(families, family);

function familyText(family: keyof typeof families): string {
  const [title, about] = families[family];
  const own = providers.filter((provider) => provider.family === family);
  const rows = own.map(cells);
  const isNoted = rows.some(([, , note]) => note !== '');
  const table = [['product', 'for an incident', 'note'], ['---', '---', '---'], ...rows].map((row) =>
    row.slice(0, isNoted ? 3 : 2),
  );
  return `### ${title}

${about}

${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}`;
}

function cells({ type, product, supports, check, plain }: AnyProvider): readonly string[] {
  const can = supports.map(
    (support) => `${abilityTitles[abilityOf(support)].toLowerCase()}${conditionOf(support) === '' ? '' : '\\*'}`,
  );
  const notes = [plainWords[plain], check ? '' : 'credentials untested'].filter((note) => note !== '');
  return [
    `[${product}](providers/${type}.md) (\`${type}\`)`,
    can.join(', ') || 'a message each time',
    notes.join('; '),
  ];
}
