/** The reference: kinds and provider types from the same definitions as the CRDs. */
import { conditionReasons } from '../../src/api/conditions.ts';
import { type Kind, kindNames, kinds } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { providers } from '../../src/providers/registry.ts';
import { fieldTable, ruleList } from './field-table.ts';
import { mark } from './mark.ts';
import { providerPage } from './provider-page.ts';
import { providersPage } from './providers-page.ts';

/** One page of documentation by its path below `docs/reference`. */
export type Page = { readonly path: string; readonly text: string };

/** Kinds with a page of fields; those of the others stand below what the kinds are for. */
const ownPage: ReadonlySet<Kind> = new Set(['AlertConfig', 'AlertProvider']);

/** All pages: one per kind that has its own, one per provider type, and the way to them. */
export function referencePages(): readonly Page[] {
  return [
    { path: 'README.md', text: providersPage() },
    ...kindNames
      .filter((kind) => ownPage.has(kind))
      .map((kind) => ({ path: `${kinds[kind].singular}.md`, text: kindPage(kind) })),
    ...providers.map((provider) => ({ path: `providers/${provider.type}.md`, text: providerPage(provider) })),
  ];
}

const aboutSecrets = `A *secret* is either \`secretKeyRef: { name, key }\`, a key of a Secret in the same namespace, or \`value\`, the text itself, which anyone who can
read the object can see. A *selector* picks incidents: [its fields](../silencing.md#selectors).
`;

/** What stands above the fields of a kind, besides what it is. */
const introduction: Readonly<Partial<Record<Kind, string>>> = {
  AlertConfig: aboutSecrets,
  AlertProvider: `One block named like \`type\` says where exactly: [the page of each type](README.md#provider-types) has its fields.

${aboutSecrets}`,
};

function kindPage(kind: Kind): string {
  const { description, sample } = resources[kind];
  return `<!-- ${mark} -->

# ${kind}

${description} Short name \`${kinds[kind].shortName}\`.

\`\`\`yaml
${sample.trimEnd()}
\`\`\`

${introduction[kind] ?? ''}
## Spec

${kindFields(kind, { heading: '##' })}`;
}

/** Spec, status, conditions and columns of a kind, for its page or as a part of another. */
export function kindFields(
  kind: Kind,
  { heading, withSelectors }: { heading: string; withSelectors?: boolean },
): string {
  const { spec, status, columns, validations } = resources[kind];
  const own = kind === 'AlertProvider' ? withoutBlocks(spec.json) : spec.json;
  const rules = ruleList(
    own,
    validations.map(({ message }) => message),
  );
  const conditions = Object.entries(conditionReasons[kind]).map(
    ([type, reasons]) => `- \`${type}\`: ${reasons.map((reason: string) => `\`${reason}\``).join(', ')}`,
  );
  const shown = columns.map(
    ({ name, description: meaning, wide }) => `- **${name}**: ${meaning}${wide ? ' (with `-o wide`)' : ''}`,
  );
  return `${fieldTable(own, { withSelectors: withSelectors ?? false })}

${rules}
${heading} Status

${fieldTable(status.json)}

Conditions, with their reasons:

${conditions.join('\n')}

Columns of \`kubectl get\`:

${shown.join('\n')}
`;
}

function withoutBlocks(spec: StructuralSchema): StructuralSchema {
  const types = new Set(providers.map(({ type }) => type));
  const kept = Object.entries(spec.properties ?? {}).filter(([name]) => !types.has(name));
  return { ...spec, properties: Object.fromEntries(kept) };
}
