import type { SummaryAnnouncement } from '../model/announcement.ts';
import type { Faults } from '../model/faults.ts';
import type { Decision, Incident } from '../model/incident.ts';
import { isTrue, type Memory, recall } from '../model/memory.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { StepContext } from './context.ts';
import type { Message } from './notices.ts';
import { type Ends, endsFor } from './owed-ends.ts';
import type { Reach, Reached } from './reach.ts';
import { standInDebts } from './stand-in-debts.ts';
import { type Found, type Reading, readingOf, startLists } from './start-lists.ts';
import type { IncidentStore } from './store.ts';

/** What is told to providers of what they should know and do not. */
export type Paid = {
  /** Sent first: an alert must be closed before another is opened under its key. */
  readonly ends: readonly Message[];
  readonly summaries: readonly SummaryAnnouncement[];
  readonly messages: readonly Message[];
  readonly decisions: readonly Decision[];
};

/**
 * Tells providers what they should know and do not: at the start what the baseline found, later what never reached them (nobody was
 * configured yet, or it could not be told and can be now). Chats read one summary; trackers and pagers get what is no baseline one by one,
 * and pagers one alert for what is urgent of the baseline.
 */
export class Debts {
  /** Whether a start with nothing broken has been told, or something else instead. */
  #startTold = false;
  readonly #faults: Faults;

  /** `faults`: where a provider is set aside whose debts cannot be gathered. */
  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** Whether a start was told. */
  memory(): Memory {
    return { start: new Map(this.#startTold ? [['told', true]] : []) };
  }

  /** Goes on from what was known before a restart. */
  restore(memory: Memory): void {
    this.#startTold = recall(memory, 'start', isTrue).has('told');
  }

  /** `found`: what everybody reads. `fresh`: this life took a baseline. */
  pay(
    reached: Reached,
    { found, fresh, reach }: { found: Found | undefined; fresh: boolean; reach: Reach },
    store: IncidentStore,
    context: StepContext,
  ): Paid {
    const { settings, providers } = context;
    const { arrived, answered, probed, settled } = reached;
    const uids = new Set([...arrived, ...answered, ...probed, ...(found ? settled : [])]);
    if (uids.size === 0) return { ends: [], summaries: [], messages: [], decisions: [] };
    const all = store.all();
    const onlyFound = found ? all.filter(({ id }) => found.incidents.has(id)) : [];
    const paid: PaidOne[] = [];
    for (const provider of settings.providers) {
      if (!uids.has(provider.uid) || !providers.has(provider.uid)) continue;
      const at = { step: 'list', about: provider.ref, by: 'debts' } as const;
      const one = this.#faults.guard(
        at,
        () => payOne(provider, { all, onlyFound }, { ...reached, reach }, store, context),
        () => undefined,
      );
      if (one) paid.push(one);
    }
    const readings = paid.flatMap(({ reading }) => reading ?? []);
    const tellsStart = fresh && !this.#startTold && settings.app.startupMessage === 'Always';
    if (readings.some(({ provider }) => arrived.has(provider.uid))) this.#startTold = true;
    return {
      summaries: startLists(readings, tellsStart, found, store, context),
      ends: paid.flatMap(({ ends }) => ends.messages),
      messages: [...paid.flatMap(({ standing }) => standing), ...readings.flatMap(({ alone }) => alone)],
      decisions: paid.flatMap(({ ends }) => ends.decisions),
    };
  }
}

/** What one provider is told of what it should know: ends, what it stands in for, and what it reads. */
type PaidOne = { readonly ends: Ends; readonly standing: readonly Message[]; readonly reading: Reading | undefined };

function payOne(
  provider: ProviderSettings,
  { all, onlyFound }: { readonly all: readonly Incident[]; readonly onlyFound: readonly Incident[] },
  { arrived, answered, probed, reach }: Reached & { readonly reach: Reach },
  store: IncidentStore,
  context: StepContext,
): PaidOne {
  const { uid } = provider;
  const isDue = arrived.has(uid) || answered.has(uid) || probed.has(uid);
  const extent = arrived.has(uid) ? 'all' : answered.has(uid) ? 'unreached' : 'one';
  const ends = isDue ? endsFor(provider, all, extent, context, store) : { messages: [], decisions: [] };
  const standing = isDue && !provider.active.is ? standInDebts(provider, all, extent, context, store) : [];
  const isDone = extent === 'one' && isDue && ends.messages.length > 0;
  const reading =
    provider.active.is && !isDone
      ? readingOf(provider, isDue ? all : onlyFound, isDue ? extent : 'all', context)
      : undefined;
  const told = [ends.messages, standing, reading?.listed ?? [], reading?.alone ?? []];
  const isTold = told.some(({ length }) => length > 0);
  if (probed.has(uid)) reach.probed(uid, isTold, context.now);
  if (isDue && reading?.isMuted && !(probed.has(uid) && isTold)) reach.muted(uid, context.now);
  return { ends, standing, reading };
}
