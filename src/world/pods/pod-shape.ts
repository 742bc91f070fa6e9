import { isSame } from '../../model/same.ts';
import type { ContainerState, PodView, Termination } from '../kinds/workloads/pod.ts';
import { given } from '../reading/fields.ts';
import type { Condition } from '../reading/meta.ts';

type ConditionShape = Omit<Condition, 'since'>;
/** How a container ended, without when. */
export type TerminationShape = Pick<Termination, 'exitCode' | 'signal' | 'reason' | 'message'>;
type ContainerShape = Pick<ContainerState, 'name' | 'ready' | 'started' | 'image' | 'waiting' | 'brokenDevices'> & {
  readonly running?: true;
  readonly terminated?: TerminationShape;
  readonly last?: TerminationShape;
};

/** A Pod's status without its numbers: healthy Pods of one template all have the same. */
export type PodShape = Pick<PodView, 'phase' | 'reason' | 'message' | 'finalizers'> & {
  readonly conditions: readonly ConditionShape[];
  readonly containers: readonly ContainerShape[];
};

/** Lists of conditions that are shared at once: Pods of all templates have one of some dozens. */
const maxLists = 32;

/** Finds the shapes of Pods, so that Pods that look the same share theirs. */
export class PodShapes {
  /** The list that was asked for last comes first. */
  readonly #lists: PodShape['conditions'][] = [];

  /** The shape of a Pod: one of the likely ones if it fits, else a new one. */
  of(view: PodView, likely: Iterable<PodShape>): PodShape {
    for (const shape of likely) if (hasShape(view, shape)) return shape;
    return {
      phase: view.phase,
      conditions: this.#conditionsOf(view),
      containers: view.containers.map(shapeOfContainer),
      ...given({ reason: view.reason, message: view.message, finalizers: view.finalizers }),
    };
  }

  #conditionsOf({ conditions }: PodView): PodShape['conditions'] {
    const at = this.#lists.findIndex((list) => areLike(conditions, list));
    const [known] = at < 0 ? [] : this.#lists.splice(at, 1);
    const list = known ?? conditions.map(({ since: _, ...shape }) => shape);
    this.#lists.unshift(list);
    if (this.#lists.length > maxLists) this.#lists.pop();
    return list;
  }
}

/** Whether a status without its numbers is this shape. */
function hasShape(view: PodView, shape: PodShape): boolean {
  const { phase, reason, message, finalizers, conditions, containers } = view;
  return (
    phase === shape.phase &&
    reason === shape.reason &&
    message === shape.message &&
    isSame(finalizers, shape.finalizers) &&
    containers.length === shape.containers.length &&
    areLike(conditions, shape.conditions) &&
    containers.every((state, at) => isLikeContainer(state, shape.containers[at]))
  );
}

function areLike(conditions: readonly Condition[], list: PodShape['conditions']): boolean {
  return conditions.length === list.length && conditions.every((condition, at) => isLikeCondition(condition, list[at]));
}

function isLikeCondition({ type, status, reason, message }: Condition, shape: ConditionShape | undefined): boolean {
  return type === shape?.type && status === shape.status && reason === shape.reason && message === shape.message;
}

function isLikeContainer(state: ContainerState, shape: ContainerShape | undefined): boolean {
  return (
    state.name === shape?.name &&
    state.ready === shape.ready &&
    state.started === shape.started &&
    state.image === shape.image &&
    state.waiting?.reason === shape.waiting?.reason &&
    state.waiting?.message === shape.waiting?.message &&
    (state.running !== undefined) === (shape.running === true) &&
    isLikeEnd(state.terminated, shape.terminated) &&
    isLikeEnd(state.last, shape.last) &&
    isSame(state.brokenDevices, shape.brokenDevices)
  );
}

function isLikeEnd(end: Termination | undefined, shape: TerminationShape | undefined): boolean {
  return (
    (end !== undefined) === (shape !== undefined) &&
    end?.exitCode === shape?.exitCode &&
    end?.signal === shape?.signal &&
    end?.reason === shape?.reason &&
    end?.message === shape?.message
  );
}

function shapeOfContainer(state: ContainerState): ContainerShape {
  const { name, ready, started, image, waiting, running, terminated, last, brokenDevices } = state;
  return {
    name,
    ready,
    image,
    ...given({
      started,
      waiting,
      running: running ? (true as const) : undefined,
      terminated: terminated && shapeOfEnd(terminated),
      last: last && shapeOfEnd(last),
      brokenDevices,
    }),
  };
}

function shapeOfEnd({ exitCode, signal, reason, message }: Termination): TerminationShape {
  return { exitCode, reason, ...given({ signal, message }) };
}
