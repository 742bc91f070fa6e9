import type { Ref } from '../../../src/model/ref.ts';
import { type ProducedCase, titleOf } from '../../e2e/produced/case.ts';
import { namespacesOf, settlingSeconds } from './produced.ts';
import { type Scenario, toldAs } from './scenario.ts';

/** Whom to blame, others that are as right, or that nobody is told of it alone. `$` stands for the namespace of the case. */
export type Label = Ref | { readonly root: Ref; readonly accepts: readonly Ref[] } | 'low';

/** The cases that are told of, as scenarios named `produced-<namespace>`. Throws on a case without a label, and the reverse. */
export function producedStories(
  cases: readonly ProducedCase[],
  labels: Readonly<Record<string, Label>>,
): Readonly<Record<string, Scenario>> {
  const namespaces = namespacesOf(cases);
  const left = new Set(Object.keys(labels));
  const stories = cases.flatMap((row): [string, Scenario][] => {
    const title = titleOf(row).replace(' produced:', '');
    const label = labels[title];
    if (label === undefined) throw new Error(`"${title}" has no label: who is to blame?`);
    left.delete(title);
    const ns = namespaces.get(row) ?? '';
    return label === 'low' ? [] : [[`produced-${ns}`, told(row, title, label, ns)]];
  });
  if (left.size > 0) throw new Error(`no case is produced for ${[...left].join(', ')}`);
  return Object.fromEntries(stories);
}

function told(row: ProducedCase, title: string, label: Exclude<Label, 'low'>, ns: string): Scenario {
  const own = (ref: Ref): Ref => ref.replaceAll('$', ns) as Ref;
  const { root, accepts = [] } = typeof label === 'string' ? { root: label } : label;
  const patience = row.withinSeconds ?? 120;
  return toldAs({
    description: `Produced: ${title.replace(/^\w+ /, '')}`,
    edition: row.edition ?? 'Community',
    incidents: [
      {
        root: own(root),
        ...(accepts.length > 0 && { accepts: accepts.map(own) }),
        messages: { open: 1, update: '≤1' },
        firstMessageWithinSeconds: patience + settlingSeconds,
      },
    ],
    produced: { row, namespace: ns },
  });
}
