import type { Incident } from '../model/incident.ts';
import { namespaceOf } from '../model/ref.ts';
import { type LabelSelector, selectorText, selects } from '../world/reading/label-selector.ts';

/** What is asked for. Absent fields ask for everything. */
export type Question = {
  readonly namespace?: string;
  readonly labels?: LabelSelector;
  /** Only what began so shortly ago (ms). */
  readonly sinceMs?: number;
  readonly sinceText?: string;
};

/** Whether an incident is asked for: its root or anything that it hits is. `now`: epoch milliseconds. */
export function isAskedFor({ explanation, startedAt }: Incident, asked: Question, now: number): boolean {
  const { namespace, labels, sinceMs } = asked;
  if (sinceMs !== undefined && startedAt < now - sinceMs) return false;
  const { root, affected, members, workloads } = explanation;
  const hit = [root, ...affected, ...members.map(({ subject }) => subject)];
  const refs = [...hit.map(({ ref }) => ref), ...workloads];
  if (namespace !== undefined && !refs.some((ref) => namespaceOf(ref) === namespace)) return false;
  return labels === undefined || hit.some((one) => selects(labels, one.labels));
}

/** What an answer is limited to, in words; `undefined`: it is not. */
export function limitsInWords({ namespace, labels, sinceText }: Question): string | undefined {
  const parts = [
    ...(namespace === undefined ? [] : [`the namespace ${namespace}`]),
    ...(labels === undefined ? [] : [`what has the labels ${selectorText(labels)}`]),
    ...(sinceText === undefined ? [] : [`what began in the last ${sinceText}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
