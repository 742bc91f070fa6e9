import { humanDuration } from '../../model/duration.ts';
import type { Notification } from '../../model/notification.ts';
import type { Case } from './case.ts';
import { ending } from './exit.ts';

/** A fact as people read it. `shown`: its value in words; nothing when this case has none worth a line. */
type Row = { readonly name: string; readonly shown: (about: Case) => string | undefined };

const plain =
  (key: string) =>
  ({ facts }: Case): string | undefined =>
    facts[key] === undefined || facts[key] === '' ? undefined : String(facts[key]);

/** How often, and how long it lived: a container that dies at once has another fault than one that dies after an hour. */
function restarts({ facts: { restarts: times, ranSeconds } }: Case): string | undefined {
  if (typeof times !== 'number' || times === 0) return undefined;
  return ranSeconds === undefined
    ? `${times}`
    : `${times} (its last run lasted ${humanDuration(Number(ranSeconds) * 1000)})`;
}

/** How it ended, in few words; nothing where the reason says it. */
function exitCode({ facts }: Case): string | undefined {
  const { exitCode: code, exitReason } = facts;
  return code === undefined || exitReason === 'OOMKilled' ? undefined : ending(facts)?.replace(/^exit code /, '');
}

/** The one node on which all of it happens: several say nothing about any of them. */
function node({ facts, pods }: Case): string | undefined {
  const nodes = new Set(pods.map(({ subject, facts: own }) => subject.node ?? own.node));
  const [only] = nodes.size === 0 ? [facts.node] : nodes;
  return nodes.size > 1 || only === undefined ? undefined : String(only);
}

/** A kill without a reason may be the memory's doing all the same. */
function limitOfKilled({ facts: { exitCode, memoryLimit } }: Case): string | undefined {
  return exitCode === 137 && memoryLimit !== undefined ? String(memoryLimit) : undefined;
}

/** Every fact that a message can show. Findings hold others, which only programs read. */
const rows = {
  container: { name: 'Container', shown: plain('container') },
  image: { name: 'Image', shown: plain('image') },
  restarts: { name: 'Restarts', shown: restarts },
  exitCode: { name: 'Exit code', shown: exitCode },
  limitOfKilled: { name: 'Memory limit', shown: limitOfKilled },
  node: { name: 'Node', shown: node },
  failed: { name: 'Failed pods', shown: plain('failed') },
  active: { name: 'Active pods', shown: plain('active') },
  runs: { name: 'Failed runs', shown: plain('runs') },
  schedule: { name: 'Schedule', shown: plain('schedule') },
  zone: { name: 'Zone', shown: plain('zone') },
  victim: { name: 'Killed process', shown: plain('victim') },
  storageClass: { name: 'Storage class', shown: plain('storageClass') },
  size: { name: 'Size asked for', shown: plain('size') },
  volume: { name: 'Volume', shown: plain('volume') },
  claim: { name: 'Claim', shown: plain('claim') },
  driver: { name: 'CSI driver', shown: plain('driver') },
  deviceClasses: { name: 'Device classes', shown: plain('deviceClasses') },
  signature: { name: 'Signature', shown: plain('signature') },
  kubelet: { name: 'Kubelet', shown: plain('kubeletVersion') },
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a fact that a reason may ask for. */
export type FactName = keyof typeof rows;

/** The facts that a reason asks for, in its order. */
export function factsOf(names: readonly FactName[], about: Case): Notification['facts'] {
  return names.flatMap((key) => {
    const { name, shown } = rows[key];
    const value = shown(about);
    return value === undefined ? [] : [{ name, value }];
  });
}
