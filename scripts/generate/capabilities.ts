/** The page that shows all provider types side by side. */
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import { type Ability, abilities, abilityOf } from '../../src/providers/kit/supports.ts';
import { providers } from '../../src/providers/registry.ts';
import { endingsOf } from './recorded.ts';
import { generated } from './reference.ts';
import { abilityTitles, conditionOf, limitWords, paceWords } from './words.ts';

const abilityNames = Object.keys(abilities) as readonly Ability[];

/** What a family is. */
const families = {
  chat: 'people read it: a storm of incidents becomes one overview',
  mail: 'the same, by mail',
  tracker: 'each incident is an issue or a task',
  pager:
    'each incident is an alert with an end; people may be called; more than 20 of one namespace in a minute are one alert',
  log: 'programs read it; every incident goes there by itself, even in a storm',
} as const;

const plainWords = { native: 'all', alert: 'startup', none: 'none' } as const;

/** The whole page. */
export function capabilitiesPage(): string {
  const notes: string[] = [];
  const rows = providers.map((provider) => `| ${cells(provider, notes).join(' | ')} |`);
  const head = [
    ...['type', 'product', 'family', ...abilityNames.map((ability) => abilityTitles[ability].toLowerCase())],
    ...['check', 'plain messages', 'texts, at most', 'pace', 'ends'],
  ];
  return `${generated}
# What the ${providers.length} provider types can do

Every type tells of an incident and of its end. What becomes of it there differs; the [conformance suite](contributing/conformance.md) shows
each claim by what arrives at the product.

| ${head.join(' | ')} |
|${head.map(() => ' --- |').join('')}
${rows.join('\n')}

${notes.map((note, index) => `${index + 1}. When ${note}.`).join('\n')}

${abilityNames.map((ability) => `- **${abilityTitles[ability].toLowerCase()}**: ${abilities[ability]}.`).join('\n')}
- *with* names the fields that must be set for it.
- **check**: \`tocsin lint --check\` tests the credentials without telling anybody anything.
- **plain messages**: those that are no incident. *All*: the startup summary, the digest of low-priority problems and the overview of
  a storm. *Startup*: of them, the startup summary alone, as an alert or an item that ends; name a \`fallback\` for the rest.
- **pace**: how many requests are sent to one destination; what comes faster waits.
- **ends**: the vendor's last day of something that a configuration may use, with what to do instead; \`tocsin lint\` warns of it.

Families: ${Object.entries(families)
    .map(([family, meaning]) => `*${family}*, ${meaning}`)
    .join('; ')}.
`;
}

/** One row. Conditions that are long are notes below the table. */
function cells(provider: AnyProvider, notes: string[]): readonly string[] {
  const { type, product, family, supports, check, plain, limits, pacing } = provider;
  const cellOf = (ability: Ability): string => {
    const support = supports.find((each) => abilityOf(each) === ability);
    if (support === undefined) return '–';
    if (typeof support === 'string' || !('when' in support)) return conditionOf(support) || 'yes';
    if (!notes.includes(support.when)) notes.push(support.when);
    return `yes (${notes.indexOf(support.when) + 1})`;
  };
  return [
    `[\`${type}\`](reference/providers/${type}.md)`,
    product,
    family,
    ...abilityNames.map(cellOf),
    check ? 'yes' : '–',
    plainWords[plain],
    limitWords(limits)
      .map(([name, words]) => `${name}: ${words}`)
      .join('<br>'),
    paceWords(pacing),
    endingsOf(provider)
      .map(({ what, day, instead }) => `${what}, ${day}: ${instead}`)
      .join('<br>'),
  ];
}
