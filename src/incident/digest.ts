import type { SummaryAnnouncement } from '../model/announcement.ts';
import type { Faults } from '../model/faults.ts';
import { shortHash } from '../model/hash.ts';
import { awaitsEnd, expected, hearingOf } from '../model/hearing.ts';
import type { Incident, ProviderUid } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import { isNumber, type Memory, recall } from '../model/memory.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { audienceOf, type StepContext } from './context.ts';
import { lastViewOf } from './endings.ts';
import { afterListing, wasListed } from './hearing.ts';
import { isMuted, ruleAlone } from './muting.ts';
import { isTakenBy } from './notices.ts';
import { readerOf } from './readers.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';

/** What is of low severity and was not listed yet, be it over by now: what came and went in the interval is told as well. */
function isNew(
  incident: Incident,
  provider: ProviderSettings,
  reader: ProviderSettings,
  context: StepContext,
): boolean {
  const audience = audienceOf(provider, context.settings);
  if (incident.standings[audience]?.disposition !== 'Digested') return false;
  // Of what recovers or is over nobody rules any more: what mutes it may have begun since.
  const view = lastViewOf(audience, incident);
  if (view === undefined || isMuted(ruleAlone(view, audience, context).disposition)) return false;
  const hearing = hearingOf(incident, reader.uid);
  // Who was told of it by itself, when it was worse, need not read of it again.
  const { knows, told } = expected(hearing);
  const isOver = knows === 'over' && told !== undefined && told.at >= incident.startedAt;
  if (wasListed(hearing, 'digest') || awaitsEnd(hearing) || isOver) return false;
  return isTakenBy(provider, incident);
}

const isDigested = ({ standings }: Incident): boolean => {
  for (const audience in standings) if (standings[audience]?.disposition === 'Digested') return true;
  return false;
};

/**
 * The digests: what is of low severity and new to a provider, listed once the first of it has waited for the interval. So there is at most
 * one message per interval, whatever becomes of it, and none when nothing is new.
 */
export class Digests {
  /** Reader → when its last digest was announced (epoch milliseconds). */
  readonly #lastAt = new Map<ProviderUid, number>();
  readonly #faults: Faults;

  /** `faults`: where the digest of a provider is set aside that cannot be made. */
  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** When each reader's last digest was announced. */
  memory(): Memory {
    return { digests: this.#lastAt };
  }

  /** Goes on from what was announced before a restart. */
  restore(memory: Memory): void {
    for (const [uid, at] of recall(memory, 'digests', isNumber)) this.#lastAt.set(uid, at);
  }

  /** Those that are due. `wakeAt`: when the next one is (epoch milliseconds). */
  due(store: IncidentStore, context: StepContext): { announcements: SummaryAnnouncement[]; wakeAt: number } {
    const { settings, providers } = context;
    for (const uid of this.#lastAt.keys()) if (!providers.has(uid)) this.#lastAt.delete(uid);
    const announcements: SummaryAnnouncement[] = [];
    const wakes: number[] = [];
    const low = store.all().filter(isDigested);
    for (const provider of low.length === 0 ? [] : settings.providers) {
      const at = { step: 'list', about: provider.ref, by: 'digest' } as const;
      const due = this.#faults.guard(
        at,
        () => this.#dueOf(provider, low, store, context),
        () => undefined,
      );
      if (typeof due === 'number') wakes.push(due);
      else if (due) announcements.push(due);
    }
    return { announcements, wakeAt: earliest(wakes) };
  }

  /** The digest of one provider, or when it is due; neither where nothing is new to it. */
  #dueOf(
    provider: ProviderSettings,
    low: readonly Incident[],
    store: IncidentStore,
    context: StepContext,
  ): SummaryAnnouncement | number | undefined {
    const { settings, traits, now } = context;
    const reader = provider.active.is ? readerOf(provider, 'digest', settings, traits) : undefined;
    if (reader === undefined) return;
    const audience = audienceOf(provider, settings);
    const fresh = low.filter((incident) => isNew(store.get(incident.id) ?? incident, provider, reader, context));
    if (fresh.length === 0) return;
    const first = earliest(fresh.map(({ standings }) => standings[audience]?.at ?? now));
    const lastAt = this.#lastAt.get(reader.uid) ?? Number.NEGATIVE_INFINITY;
    const dueAt = Math.max(first, lastAt) + settings.digest.intervalSeconds * 1000;
    if (now < dueAt) return dueAt;
    const id = shortHash(['digest', reader.ref, now]);
    this.#lastAt.set(reader.uid, now);
    for (const incident of fresh) list(incident.id, reader, id, store);
    return summaryOf('digest', id, 'opening', fresh, audience, [reader.ref]);
  }
}

/** A digest names an incident. */
function list(incident: string, { uid }: ProviderSettings, id: string, store: IncidentStore): void {
  const known = store.get(incident);
  if (known === undefined) return;
  store.hear(known.id, uid, afterListing(hearingOf(known, uid), 'digest', id, known.explanation.severity));
}
