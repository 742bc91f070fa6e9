import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import { fits, number, record, text } from '../model/shape.ts';

/** What is saved of an incident that settles: who it is, and since when. What it is about, the cluster tells again. */
export type Unsettled = Pick<Incident, 'id' | 'alertKey' | 'startedAt'> & {
  readonly seenAt: number;
  readonly settlesFrom?: number | undefined;
  /** Its root and reason. */
  readonly problem: string;
};

/** What two explanations of one problem have in common. */
export const problemOf = ({ root, reason }: Pick<Explanation, 'root' | 'reason'>): string => `${root.ref}|${reason}`;

/** Whether something remembered is that. */
export const isUnsettled = fits(
  record<Unsettled>(
    { id: text, alertKey: text, startedAt: number, seenAt: number, problem: text },
    { settlesFrom: number },
  ),
);

/** A problem that was settling before a restart and is not found again within this time is over (ms). */
const awaitedMs = 5 * 60_000;

/** Incidents that were settling before a restart, until what they are about is found again: they keep their id and their time. */
export class Awaited {
  #known: ReadonlyMap<string, Unsettled> = new Map();
  #until = Number.NEGATIVE_INFINITY;

  /** `seenUntil`: when Tocsin last looked (epoch milliseconds). */
  begin(saved: Iterable<Unsettled>, seenUntil: number): void {
    this.#known = new Map([...saved].map((one) => [one.problem, one]));
    this.#until = seenUntil + awaitedMs;
  }

  /** The incident that this problem was before the restart, once. */
  take(explanation: Explanation, now: number): Unsettled | undefined {
    if (this.#known.size === 0) return undefined;
    const known = now <= this.#until ? new Map(this.#known) : new Map<string, Unsettled>();
    const problem = problemOf(explanation);
    const found = known.get(problem);
    known.delete(problem);
    this.#known = known;
    return found;
  }
}

/** What is to be saved of the incidents that settle now, by id. */
export function unsettled(incidents: readonly Incident[]): ReadonlyMap<string, Unsettled> {
  return new Map(
    incidents.flatMap(({ id, state, alertKey, startedAt, seenAt, settlesFrom, explanation }) => {
      if (state !== 'Settling' || seenAt === undefined) return [];
      const since = { startedAt, seenAt, ...(settlesFrom !== undefined && { settlesFrom }) };
      return [[id, { id, alertKey, ...since, problem: problemOf(explanation) }]];
    }),
  );
}
