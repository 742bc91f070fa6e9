import { shortHash } from '../model/hash.ts';
import type { Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';
import { given } from './fields.ts';
import { createPool, type Pool } from './intern.ts';
import type { ContainerState, PodView, Termination } from './kinds/pod.ts';
import type { Condition } from './meta.ts';
import { mirrorAnnotation } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** What the Pods of one owner and one template share. */
export type Siblings = {
  /** The controlling owner, or the Pod itself when it has none. */
  readonly family: Ref;
  readonly owner: Ref | undefined;
  readonly namespace: string;
  /** Names of claims hold `podNameMark` where the Pod's name stands. */
  readonly template: PodTemplate;
  readonly labels: Labels;
  readonly pods: PodRecord[];
};

type TerminationFace = Pick<Termination, 'exitCode' | 'signal' | 'reason' | 'message'>;
type ContainerFingerprint = Pick<ContainerState, 'name' | 'ready' | 'started' | 'image' | 'waiting'> & {
  readonly running?: true;
  readonly terminated?: TerminationFace;
  readonly last?: TerminationFace;
};

/** A Pod's status without its numbers: healthy Pods of one template all have the same. */
type Shape = Pick<PodView, 'phase' | 'reason' | 'message'> & {
  readonly conditions: readonly Omit<Condition, 'since'>[];
  readonly containers: readonly ContainerFingerprint[];
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
  shape: Shape;
  /** In the order in which `numbersOf` writes and `viewOf` reads them; `never` where the API gave none. */
  numbers: readonly number[];
};

const never = -1;
/** Stands for the Pod's name in the names of claims made for one Pod alone (StatefulSets, ephemeral volumes). */
export const podNameMark = '\0';

/** Shares the shapes of statuses. `likely`: what the shape may well be, which is looked at first. */
export type ShapePool = (view: PodView, likely: Shape | undefined) => Shape;

/** Builds the pools of shapes: conditions are shared by all Pods, containers by those of one template. */
export function createShapePool(capacity: number): ShapePool {
  const shapes: Pool<Shape> = createPool(capacity);
  const conditionLists: Pool<Shape['conditions']> = createPool(capacity);
  const faces: Pool<ContainerFingerprint> = createPool(capacity);
  // By hash: the whole text as the key would cost as much as the value.
  const share = <T>(pool: Pool<T>, value: unknown, make: () => T): T => pool(shortHash([JSON.stringify(value)]), make);
  return (view, likely) => {
    if (likely && hasShape(view, likely)) return likely;
    const conditions = view.conditions.map(({ since: _, ...face }) => face);
    const containers = view.containers.map(faceOf);
    const own = given({ reason: view.reason, message: view.message });
    return share(shapes, [view.phase, own, conditions, containers], () => ({
      phase: view.phase,
      conditions: share(conditionLists, conditions, () => conditions),
      containers: containers.map((face) => share(faces, face, () => face)),
      ...own,
    }));
  };
}

/** Whether a status without its numbers is this shape. */
function hasShape({ phase, reason, message, conditions, containers }: PodView, shape: Shape): boolean {
  return (
    phase === shape.phase &&
    reason === shape.reason &&
    message === shape.message &&
    conditions.length === shape.conditions.length &&
    containers.length === shape.containers.length &&
    conditions.every((condition, at) => hasFace(condition, shape.conditions[at])) &&
    containers.every((state, at) => isFaceOf(state, shape.containers[at]))
  );
}

function hasFace({ type, status, reason, message }: Condition, face: Omit<Condition, 'since'> | undefined): boolean {
  return type === face?.type && status === face.status && reason === face.reason && message === face.message;
}

function isFaceOf(state: ContainerState, face: ContainerFingerprint | undefined): boolean {
  return (
    state.name === face?.name &&
    state.ready === face.ready &&
    state.started === face.started &&
    state.image === face.image &&
    state.waiting?.reason === face.waiting?.reason &&
    state.waiting?.message === face.waiting?.message &&
    (state.running !== undefined) === (face.running === true) &&
    isEndOf(state.terminated, face.terminated) &&
    isEndOf(state.last, face.last)
  );
}

function isEndOf(end: Termination | undefined, face: TerminationFace | undefined): boolean {
  return (
    (end !== undefined) === (face !== undefined) &&
    end?.exitCode === face?.exitCode &&
    end?.signal === face?.signal &&
    end?.reason === face?.reason &&
    end?.message === face?.message
  );
}

function faceOf(state: ContainerState): ContainerFingerprint {
  const { name, ready, started, image, waiting, running, terminated, last } = state;
  return {
    name,
    ready,
    image,
    ...given({
      started,
      waiting,
      running: running ? (true as const) : undefined,
      terminated: terminated && terminationFace(terminated),
      last: last && terminationFace(last),
    }),
  };
}

function terminationFace({ exitCode, signal, reason, message }: Termination): TerminationFace {
  return { exitCode, reason, ...given({ signal, message }) };
}

const seconds = (time: number | undefined): number => (time === undefined ? never : time / 1000);
const milliseconds = (time: number | undefined): number | undefined =>
  time === undefined || time === never ? undefined : Math.round(time * 1000);

/** The numbers of a status, by the shape's order. */
export function numbersOf(view: PodView): readonly number[] {
  const numbers = [seconds(view.startedAt)];
  for (const condition of view.conditions) numbers.push(seconds(condition.since));
  for (const { restarts, running, terminated, last } of view.containers) {
    numbers.push(restarts);
    if (running) numbers.push(seconds(running.startedAt));
    for (const end of [terminated, last]) if (end) numbers.push(seconds(end.startedAt), seconds(end.finishedAt));
  }
  // A list that grew has room to spare; its copy has none.
  return numbers.slice();
}

/** The view of a record, made when somebody asks. */
export function viewOf(record: PodRecord): PodView {
  const { ref, uid, shape, numbers, siblings } = record;
  let at = 0;
  const next = (): number => numbers[at++] ?? never;
  const startedAt = milliseconds(next());
  const conditions = shape.conditions.map((face) => ({ ...face, since: milliseconds(next()) ?? 0 }));
  const end = (face: TerminationFace | undefined): Termination | undefined =>
    face && { ...face, ...given({ startedAt: milliseconds(next()), finishedAt: milliseconds(next()) }) };
  const containers = shape.containers.map(({ running, terminated, last, ...face }) => {
    const restarts = next();
    return {
      ...face,
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
      startedAt,
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
