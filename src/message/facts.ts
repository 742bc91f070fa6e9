import { humanDuration } from '../model/duration.ts';
import { exitInWords } from '../model/exit-code.ts';
import type { Facts } from '../model/finding.ts';

/** A fact's name in a message, and how its value is written where not as it is. */
type Named = {
  readonly key: string;
  readonly name: string;
  readonly shown?: (value: string | number, facts: Facts) => string;
};

const seconds = (value: string | number): string => humanDuration(Number(value) * 1000);

/** Facts with a name of their own, in the order people look for them. */
const rows: readonly Named[] = [
  { key: 'node', name: 'Node' },
  { key: 'zone', name: 'Zone' },
  { key: 'container', name: 'Container' },
  { key: 'image', name: 'Image' },
  {
    key: 'exitCode',
    name: 'Exit code',
    shown: (value, { exitReason }) => exitInWords(Number(value), String(exitReason ?? '')).replace(/^exit code /, ''),
  },
  { key: 'ranSeconds', name: 'Ran for', shown: seconds },
  { key: 'restarts', name: 'Restarts' },
  { key: 'backOffSeconds', name: 'Waits between starts', shown: seconds },
  { key: 'startupBudgetSeconds', name: 'Allowed to start', shown: seconds },
  { key: 'memoryLimit', name: 'Memory limit' },
  { key: 'failed', name: 'Failed pods' },
  { key: 'revision', name: 'Revision' },
  { key: 'kubeletVersion', name: 'Kubelet' },
];
/** Facts that the sentences of a message say already, or that are codes for programs. */
const elsewhere = new Set([
  ...['terminationMessage', 'signal', 'exitReason', 'conditionReason', 'podReason', 'pod', 'pods', 'workloads'],
  ...['missing', 'missingKey', 'pullCause', 'pullError', 'configError', 'createError', 'startError'],
  ...['schedulerMessage', 'refusal', 'wanted', 'ready', 'available', 'updated', 'registry'],
  ...rows.map(({ key }) => key),
]);

/** `readyReplicas` as `Ready replicas`. */
function spelled(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A finding's facts as named values: the known ones in their order, then those of newer detectors by name. */
export function namedFacts(facts: Facts): readonly { readonly name: string; readonly value: string }[] {
  const others = Object.keys(facts)
    .filter((key) => !elsewhere.has(key))
    .sort()
    .map((key): Named => ({ key, name: spelled(key) }));
  return [...rows, ...others].flatMap(({ key, name, shown }) => {
    const value = facts[key];
    return value === undefined || value === '' ? [] : [{ name, value: shown?.(value, facts) ?? String(value) }];
  });
}
