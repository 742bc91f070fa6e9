import type { Ref } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { PodView, Termination } from '../kinds/workloads/pod.ts';
import { given } from '../reading/fields.ts';
import { mirrorAnnotation } from '../reading/meta.ts';
import { packedAddress, unpackedAddress } from '../reading/packed-address.ts';
import type { PodTemplate } from '../reading/pod-template.ts';
import type { PodShape, TerminationShape } from './pod-shape.ts';

/** What the Pods of one owner and one template share. */
export type Siblings = {
  /** The controlling owner, or the Pod itself when it has none. */
  readonly family: Ref;
  readonly owner: Ref | undefined;
  readonly namespace: string;
  /** Names of claims hold `podNameMark` where the Pod's name stands. */
  readonly template: PodTemplate;
  readonly labels: Labels;
  /** Whether one of them has, or had, labels of its own, as the Pods of a StatefulSet do. */
  varied: boolean;
  readonly pods: PodRecord[];
};

/**
 * A Pod as it is kept, about 0.5 KB with its entries in the indexes: what it has of its own, and pointers to what it
 * shares. Times are epoch seconds, which the engine stores as small integers and the API has no finer.
 */
export type PodRecord = {
  readonly ref: Ref;
  readonly uid: string;
  readonly createdAt: number;
  siblings: Siblings;
  labels: Labels;
  annotations: Labels | undefined;
  node: string | undefined;
  deletionAt: number;
  generation: number;
  shape: PodShape;
  /** In the order in which `numbersOf` writes and `viewOf` reads them; `never` where the API gave none. */
  numbers: readonly number[];
};

const never = -1;
/** Stands for the Pod's name in the names of claims made for one Pod alone (StatefulSets, ephemeral volumes). */
export const podNameMark = '\0';

const seconds = (time: number | undefined): number => (time === undefined ? never : time / 1000);
const milliseconds = (time: number | undefined): number | undefined =>
  time === undefined || time === never ? undefined : Math.round(time * 1000);

/** The numbers of a status, by the shape's order. */
export function numbersOf(view: PodView): readonly number[] {
  const numbers = [seconds(view.startedAt), packedAddress(view.address) ?? never];
  for (const condition of view.conditions) numbers.push(seconds(condition.since));
  for (const { restarts, running, terminated, last } of view.containers) {
    numbers.push(restarts);
    if (running) numbers.push(seconds(running.startedAt));
    for (const end of [terminated, last]) if (end) numbers.push(seconds(end.startedAt), seconds(end.finishedAt));
  }
  // A list that grew has room to spare; its copy has none.
  return numbers.slice();
}

/** The packed address of a Pod that has a network of its own; `undefined`: it has none yet. */
export function addressOf({ numbers, siblings }: PodRecord): number | undefined {
  const [, address = never] = numbers;
  return address === never || siblings.template.hostNetwork ? undefined : address;
}

/** The view of a record, made when somebody asks. */
export function viewOf(record: PodRecord): PodView {
  const { ref, uid, shape, numbers, siblings } = record;
  let at = 0;
  const next = (): number => numbers[at++] ?? never;
  const startedAt = milliseconds(next());
  const address = next();
  const conditions = shape.conditions.map((each) => ({ ...each, since: milliseconds(next()) ?? 0 }));
  const end = (ended: TerminationShape | undefined): Termination | undefined =>
    ended && { ...ended, ...given({ startedAt: milliseconds(next()), finishedAt: milliseconds(next()) }) };
  const containers = shape.containers.map(({ running, terminated, last, ...rest }) => {
    const restarts = next();
    return {
      ...rest,
      restarts,
      ...given({
        running: running && { startedAt: milliseconds(next()) ?? 0 },
        terminated: end(terminated),
        last: end(last),
      }),
    };
  });
  return {
    ref,
    uid,
    labels: record.labels,
    createdAt: Math.round(record.createdAt * 1000),
    generation: record.generation,
    kind: 'Pod',
    template: withClaimsOf(ref, siblings.template),
    phase: shape.phase,
    conditions,
    containers,
    mirror: record.annotations?.[mirrorAnnotation] !== undefined,
    ...given({
      annotations: record.annotations,
      deletionAt: milliseconds(record.deletionAt),
      owner: siblings.owner,
      node: record.node,
      reason: shape.reason,
      message: shape.message,
      finalizers: shape.finalizers,
      startedAt,
      address: address === never ? undefined : unpackedAddress(address),
    }),
  };
}

/** The template with the Pod's own claims, the shared one when it has none of its own. */
export function withClaimsOf(ref: Ref, template: PodTemplate): PodTemplate {
  if (!template.claims.some((claim) => claim.includes(podNameMark))) return template;
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return { ...template, claims: template.claims.map((claim) => claim.replace(podNameMark, name)) };
}

/** The template as siblings can share it. */
export function sharedTemplate(ref: Ref, template: PodTemplate): PodTemplate {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  if (!template.claims.some((claim) => claim.includes(name))) return template;
  return { ...template, claims: template.claims.map((claim) => claim.replace(name, podNameMark)) };
}
