/** The page that shows what is tested for each type: made from the plan, so that it cannot say more than is run. */
import { type Group, groups, type Mode } from './case-file.ts';
import type { Case } from './plan.ts';

/** What each column is about. */
const meanings: Readonly<Record<Group, string>> = {
  golden: 'for every act, the request or mail exactly as recorded',
  statuses: 'every class of status (HTTP) or reply at every step (SMTP), redirects included: none is followed',
  answers: "the product's own errors, those hidden in a 200 included, by the class the facts sheet gives them",
  faults: 'no answer, a reset, half an answer, an answer that never ends',
  size: 'far too much of everything: ASCII, quotes, escapes, CJK, emoji, right-to-left, accents',
  injection:
    'mentions, links, markup, line breaks and header lines in every text of the cluster; other scripts, which arrive as they are',
  secrets: 'a product that quotes the whole request; payload, outcome, report, outbox, log and metrics are searched',
  order: 'open, update, resolve, reopen through outbox and dispatcher, with references kept and lost',
  supports:
    'what [the list of types](../reference/README.md) says of the type, shown by what arrives; what is done and not said fails as well',
  check: 'the credential check, with good and bad ones',
};

type Row = { readonly type: string; readonly name: string; readonly mode: Mode; readonly plan: readonly Case[] };

/** The page. */
export function tableOf(rows: readonly Row[]): string {
  const notes: string[] = [];
  const cell = ({ mode, plan }: Row, group: Group): string => {
    const count = plan.filter((each) => each.group === group).length;
    if (count > 0) return String(count);
    const note = mode.without[group] ?? '';
    if (!notes.includes(note)) notes.push(note);
    return `none (${notes.indexOf(note) + 1})`;
  };
  const lines = rows.map((row) => {
    const title = row.name === 'default' ? row.type : `${row.type}, ${row.name}`;
    return `| ${title} | ${groups.map((group) => cell(row, group)).join(' | ')} |`;
  });
  return `<!-- Written by test/providers/conformance.test.ts with UPDATE_GOLDEN=1. Do not edit. -->

# Conformance of the provider types

Each type is run against a product on loopback, through the real sender or mailer. The numbers count tests.

| type | ${groups.join(' | ')} |
| --- |${groups.map(() => ' ---: |').join('')}
${lines.join('\n')}

${groups.map((group) => `- **${group}**: ${meanings[group]}`).join('\n')}

Where a cell says none:

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}
`;
}
