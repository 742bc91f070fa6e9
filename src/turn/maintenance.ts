import { features, includes } from '../model/edition.ts';
import type { Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { EventRequest } from '../model/turn.ts';
import type { Mark } from '../world/objects/marks.ts';
import type { WritableWorld } from '../world/view/world.ts';

/** What the Event on an object with a maintenance annotation says of it. */
type Verdict = Pick<EventRequest, 'type' | 'reason' | 'message'> & {
  readonly is: 'begun' | 'past' | 'wrong' | 'unlicensed' | 'ended';
};

/** An instant as people write it. */
const written = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** What there is to say of a mark at `now` (epoch milliseconds); `undefined`: nothing. */
function verdictOf(mark: Mark | undefined, { edition, editionIsKnown }: Settings, now: number): Verdict | undefined {
  if (mark === undefined) return undefined;
  const invalid = { type: 'Warning', reason: 'MaintenanceInvalid' } as const;
  if ('wrong' in mark) return { is: 'wrong', ...invalid, message: `${mark.wrong}. Nothing is held back.` };
  const { until } = mark;
  if (until <= now) {
    const message = `\`tocsin.dev/maintenance-until\` is ${written(until)}, which is past. Nothing is held back.`;
    return { is: 'past', ...invalid, message };
  }
  if (!includes(edition, 'maintenance')) {
    // While the licence cannot be read nobody knows.
    if (!editionIsKnown) return undefined;
    const message = `The maintenance annotation needs a licence. ${features.maintenance.without}`;
    return { is: 'unlicensed', type: 'Warning', reason: 'MaintenanceNotLicensed', message };
  }
  const end = Number.isFinite(until) ? written(until) : 'the annotation is removed';
  const message = `Notifications about this object and what is below it are held back until ${end}.`;
  return { is: 'begun', type: 'Normal', reason: 'MaintenanceStarted', message };
}

const ended: Verdict = {
  ...{ is: 'ended', type: 'Normal', reason: 'MaintenanceEnded' },
  message: 'Maintenance has ended. What is still wrong is told now.',
};

/**
 * Answers maintenance annotations with Events on their objects: that it has begun, that it is over, or why it does nothing. Once
 * for each change. Of what was there at the start only what is wrong is said: the rest was said before.
 */
export class MaintenanceEvents {
  /** What was said last of an object. */
  readonly #said = new Map<Ref, Verdict>();
  /** The edition that was last judged by, and whether it was known. */
  #edition = '';
  /** When a maintenance that has begun is over by itself (epoch milliseconds). */
  #endsAt = Number.POSITIVE_INFINITY;

  /** The Events that are due. `atStart`: this turn sees everything for the first time. */
  due(world: WritableWorld, settings: Settings, now: number, atStart: boolean): EventRequest[] {
    const changed = world.marks.takeChanged();
    const all = world.marks.all();
    const edition = `${settings.edition} ${settings.editionIsKnown}`;
    const looksAtAll = this.#edition !== edition || now >= this.#endsAt;
    this.#edition = edition;
    if (changed.size === 0 && !looksAtAll) return [];
    const events: EventRequest[] = [];
    for (const about of looksAtAll ? new Set([...changed, ...all.keys()]) : changed) {
      if (isCopy(about, world)) continue;
      const news = this.#news(about, verdictOf(all.get(about), settings, now), changed.has(about), atStart);
      const uid = world.uidOf(about);
      if (news === undefined || uid === undefined || !settings.incidents.kubernetesEvents) continue;
      const { type, reason, message } = news;
      events.push({ about, uid, type, reason, message });
    }
    this.#endsAt = world.marks.at(now).changesAt;
    return events;
  }

  /** What is said of it now that was not said before. */
  #news(about: Ref, verdict: Verdict | undefined, isChanged: boolean, atStart: boolean): Verdict | undefined {
    const before = this.#said.get(about);
    if (verdict) this.#said.set(about, verdict);
    else this.#said.delete(about);
    if (before?.is === 'begun' && (verdict === undefined || verdict.is === 'past')) return ended;
    if (verdict?.is === 'past') return isChanged && !atStart ? verdict : undefined;
    if (verdict?.is === 'begun' && atStart) return undefined;
    return before?.message === verdict?.message ? undefined : verdict;
  }
}

/** What a controller makes of a template has the annotations of that: who wrote them does not look there. */
function isCopy(ref: Ref, world: WritableWorld): boolean {
  const view = world.get(ref);
  return typeof view === 'object' && view.owner !== undefined;
}
