/** The page that shows who judges what: made from the tables that the test runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCaseFile } from '../conformance/case-file.ts';
import { judges, unjudged } from './judges.ts';

const file = join(import.meta.dirname, '../../../package.json');
const { devDependencies }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(file, 'utf8'),
);

/** The page; its order is that of `types`. Throws where a judge's package is not pinned. */
export function pageOf(types: readonly string[]): string {
  const rows = types.flatMap((type) =>
    (judges[type] ?? []).map(({ by, says, ...how }) => {
      const version = devDependencies[by];
      if (version === undefined) throw new Error(`${by} is not among the devDependencies`);
      return `| ${type} | \`${by}\` ${version} | ${'type' in how ? 'type' : 'run'} | ${says} |`;
    }),
  );
  const gaps = types.flatMap((type) =>
    (unjudged[type] ?? []).map(({ of, why }) => `| ${type} | \`${of.source}\` | ${why} |`),
  );
  const others = types
    .filter((type) => judges[type] === undefined)
    .map((type) => `| ${type} | ${readCaseFile(type).unjudged} |`);
  return `<!-- Written by test/providers/oracles.test.ts with UPDATE_GOLDEN=1. Do not edit. -->

# Independent judges of the requests

The [conformance suite](conformance.md) holds each type to its facts sheet, which we wrote. Here what a type sends is held to what
others wrote: the vendor's types, schemas and own code, from npm. Judged is every request of every act, with references kept and lost,
of hostile texts and of far too much text.

- **type**: the payload is compiled as a literal of the vendor's type; a misspelt or unknown name, or a value of another kind, fails.
  Each type must also refuse nonsense, since one that has become \`any\` judges nothing.
- **run**: the vendor's code, or its schema, is run on the request. Each must also refuse a request that was spoilt for it.

| type | judge | how | what it says |
| --- | --- | --- | --- |
${rows.join('\n')}

## Requests of these types that nobody judges

| type | request | why |
| --- | --- | --- |
${gaps.join('\n')}

## Types without a judge

| type | why, and what there is instead |
| --- | --- |
${others.join('\n')}
`;
}
