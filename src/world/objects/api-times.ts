import type { Ref } from '../../model/ref.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { ContainerState, Termination } from '../kinds/workloads/pod.ts';
import type { Condition } from '../reading/meta.ts';

/** A time of the API may lie this far ahead: whole seconds, and clocks that are kept right. */
const toleranceMs = 5_000;
/** What changes while its kind is watched happened no longer ago than this; kubelets report within seconds. */
const reportingMs = 60_000;

/** The times of an object that cannot be right, each followed by the one that is taken for it. */
type Corrections = readonly number[];

/**
 * One story of time out of the clocks of many machines. A Node's clock may be wrong by half an hour, and its kubelet writes
 * with it when containers end and conditions turn. What lies ahead happened when it was first seen; so did what was seen to
 * change and is said to have happened long ago; nothing of an object happened before it was made. Times of one update keep
 * their distances, and a time once taken stays while the object has it.
 */
export class ApiTimes {
  readonly #corrections = new Map<Ref, Corrections>();

  /**
   * The view with times that can be right. `before`: the object as it was (`undefined` at first sight). `isLive`: its kind was
   * being watched already, so that what is new has come just now (`now`, epoch milliseconds).
   */
  settle<V extends Projection>(view: V, before: Projection | undefined, isLive: boolean, now: number): V {
    const known = this.#corrections.get(view.ref);
    // The API's times are whole seconds, and Pods keep theirs as such.
    const seconds = Math.floor(now / 1000) * 1000;
    const born = Math.min(birthOf(view), seconds);
    const bounds = { earliest: isLive ? now - reportingMs : born, latest: now + toleranceMs };
    if (!known && isWithin(view, bounds)) return view;

    const old = new Set(before && timesOf(before));
    const news = timesOf(view).filter((time) => correctionOf(known, time) === undefined && !old.has(time));
    const shift = shiftOf(news, bounds, isLive, seconds);
    const used: number[] = [];
    const settled = withTimes(view, (time) => {
      const taken = correctionOf(known, time) ?? (old.has(time) ? time : Math.max(born, shift(time)));
      if (taken !== time && correctionOf(used, time) === undefined) used.push(time, taken);
      return taken;
    });
    if (used.length === 0) {
      this.#corrections.delete(view.ref);
      return view;
    }
    this.#corrections.set(view.ref, used.slice());
    return settled;
  }

  /** The object has gone. */
  drop(ref: Ref): void {
    this.#corrections.delete(ref);
  }
}

/** Between which times (epoch milliseconds) one is taken as it is. */
type Bounds = { readonly earliest: number; readonly latest: number };

/** How the new times of an update are moved, so that the newest of those that cannot be right becomes `now`. */
function shiftOf(news: readonly number[], { earliest, latest }: Bounds, isLive: boolean, now: number) {
  const newest = news.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (newest > latest) return (time: number): number => (time > latest ? time - newest + now : time);
  return isLive && newest < earliest ? (time: number): number => time - newest + now : (time: number): number => time;
}

/** Nothing of an object happened before. The API object of a static Pod is younger than its containers. */
function birthOf(view: Projection): number {
  return view.kind === 'Pod' && view.mirror ? Number.NEGATIVE_INFINITY : view.createdAt;
}

function correctionOf(corrections: Corrections | undefined, time: number): number | undefined {
  if (!corrections) return undefined;
  for (let at = 0; at < corrections.length; at += 2) if (corrections[at] === time) return corrections[at + 1];
  return undefined;
}

/** Whether all times of a view are within bounds: true for nearly all objects, of which there are many. */
function isWithin(view: Projection, { earliest, latest }: Bounds): boolean {
  const fits = (time: number | undefined): boolean => time === undefined || (time >= earliest && time <= latest);
  const endFits = (end: Termination | undefined): boolean => !end || (fits(end.startedAt) && fits(end.finishedAt));
  if (view.createdAt > latest) return false;
  if ('conditions' in view && !view.conditions.every(({ since }) => fits(since))) return false;
  if ('completedAt' in view && !fits(view.completedAt)) return false;
  if ('startedAt' in view && !fits(view.startedAt)) return false;
  return (
    !('containers' in view) ||
    view.containers.every(
      ({ running, terminated, last }) => fits(running?.startedAt) && endFits(terminated) && endFits(last),
    )
  );
}

/** Every time of a view at which something happened. */
function timesOf(view: Projection): number[] {
  const times: number[] = [];
  withTimes(view, (time) => {
    times.push(time);
    return time;
  });
  return times;
}

/** The view with each of its times, at which something happened, replaced. */
function withTimes<V extends Projection>(view: V, take: (time: number) => number): V {
  const end = (termination: Termination): Termination => ({
    ...termination,
    ...(termination.startedAt !== undefined && { startedAt: take(termination.startedAt) }),
    ...(termination.finishedAt !== undefined && { finishedAt: take(termination.finishedAt) }),
  });
  const condition = (each: Condition): Condition => ({ ...each, since: take(each.since) });
  const container = ({ running, terminated, last, ...rest }: ContainerState): ContainerState => ({
    ...rest,
    ...(running && { running: { startedAt: take(running.startedAt) } }),
    ...(terminated && { terminated: end(terminated) }),
    ...(last && { last: end(last) }),
  });
  return {
    ...view,
    createdAt: take(view.createdAt),
    ...('startedAt' in view && view.startedAt !== undefined && { startedAt: take(view.startedAt) }),
    ...('completedAt' in view && view.completedAt !== undefined && { completedAt: take(view.completedAt) }),
    ...('conditions' in view && { conditions: view.conditions.map(condition) }),
    ...('containers' in view && { containers: view.containers.map(container) }),
  };
}
