import { expected, hearingOf, lastArrived } from '../../model/hearing.ts';
import type { Audience, Disposition, Hearing, Incident, Standing } from '../../model/incident.ts';
import { describeRef, nameOf, type Ref } from '../../model/ref.ts';
import type { ProviderSettings, Settings } from '../../model/settings.ts';
import { wholeCluster } from '../../model/view.ts';
import { clockTime } from '../parts/times.ts';
import { list } from '../parts/words.ts';
import { agentOf } from './notes.ts';
import { type Fate, fateInWords, heardInWords } from './why.ts';

/** What an account is made of besides the incident. */
export type AccountContext = {
  readonly settings: Pick<Settings, 'providers' | 'operatorNamespace' | 'silences' | 'windows'>;
  /** The incident of an id. */
  readonly parent: (id: string) => Incident | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** What an AlertProvider has heard of an incident. `told`: all that was to be told has arrived there. */
export type Heard = { readonly provider: Ref; readonly told: boolean; readonly says: string };

/** What became of an incident for one audience, and what each AlertProvider of it really heard. */
export type Account = {
  readonly audience: Audience;
  readonly standing: Standing;
  /** A few words: `Notified 18:51 UTC`, `Not delivered: slack (HTTP 500)`, `Silenced until 20:15 UTC by Silence tocsin/move`. */
  readonly summary: string;
  /** The same in sentences. */
  readonly says: string;
  /** When what holds it back ends, where that is known (epoch milliseconds). */
  readonly endsAt?: number;
  /** Who has heard of it, or could not be told. */
  readonly providers: readonly Heard[];
};

/** What was decided for each audience, and what arrived there. */
export function accountsOf(incident: Incident, context: AccountContext): readonly Account[] {
  return Object.entries(incident.standings).map(([audience, standing]): Account => {
    const readers = providersIn(audience, context.settings);
    const fate = fateOf(standing, incident, context);
    const { endsAt } = fate;
    return {
      ...{ audience, standing, summary: summaryOf(fate, readers, incident, context.now) },
      ...{ says: fateInWords(fate, context.now), ...(endsAt !== undefined && { endsAt }) },
      providers: readers.flatMap((provider) => heardBy(provider, incident, standing, context.now) ?? []),
    };
  });
}

/** What one AlertProvider has heard of an incident, or could not be told; `undefined`: nothing. `now`: epoch milliseconds. */
export function heardBy(
  provider: ProviderSettings,
  incident: Incident,
  { disposition }: Pick<Standing, 'disposition'>,
  now: number,
): Heard | undefined {
  const hearing = hearingOf(incident, provider.uid);
  const says = heardInWords(hearing, incident, provider, { now, isHeld: disposition !== 'Delivered' });
  return says === undefined ? undefined : { provider: provider.ref, told: isTold(hearing), says };
}

const isTold = (hearing: Hearing): boolean => expected(hearing).knows !== 'nothing' && hearing.trouble === undefined;

/** The AlertProviders of an audience. */
export function providersIn(
  audience: Audience,
  { providers, operatorNamespace }: Pick<Settings, 'providers' | 'operatorNamespace'>,
): readonly ProviderSettings[] {
  return providers.filter(({ namespace }) => namespace === (audience === wholeCluster ? operatorNamespace : audience));
}

/** When what mutes ends, where that is known. */
export function endOf(by: string | undefined, { silences, windows }: Pick<Settings, 'silences' | 'windows'>) {
  const endsAt =
    silences.find(({ ref }) => ref === by)?.endsAt ?? windows.find(({ ref }) => ref === by)?.opening?.endsAt;
  return endsAt === undefined ? {} : { endsAt };
}

/** What became of an incident by a standing, with what it hangs on. */
export function fateOf({ disposition, by }: Standing, incident: Incident, { settings, parent }: AccountContext): Fate {
  const under = disposition === 'Folded' && by !== undefined ? parent(by)?.explanation.root.ref : undefined;
  const told = lastArrived(incident);
  return {
    ...{ disposition, ...(by !== undefined && { by }), ...endOf(by, settings) },
    ...{ ...(under && { foldedUnder: under }), ...(told && { toldAt: told.at }) },
  };
}

type Summary = (fate: Fate, until: string) => string;

const heldBy: Readonly<Record<Exclude<Disposition, 'Delivered'>, Summary>> = {
  Baseline: () => 'In the startup summary',
  Folded: ({ foldedUnder }) => `Part of ${foldedUnder === undefined ? 'another incident' : describeRef(foldedUnder)}`,
  Filtered: ({ by = 'filters' }) => `Filtered out by spec.${by}`,
  Maintenance: ({ by = '' }, until) => `In maintenance${until} by ${agentOf(by)}`,
  Silenced: ({ by = '' }, until) => `Silenced${until} by ${agentOf(by)}`,
  ToldByHub: ({ by = '' }) => `Told by ${agentOf(by)}`,
  Digested: () => 'Waits for the digest',
};

function summaryOf(fate: Fate, readers: readonly ProviderSettings[], incident: Incident, now: number): string {
  const { disposition, endsAt, toldAt } = fate;
  const notified = toldAt === undefined ? '' : `Notified ${clockTime(toldAt, now)}`;
  if (disposition !== 'Delivered') {
    const held = heldBy[disposition](fate, endsAt === undefined ? '' : ` until ${clockTime(endsAt, now)}`);
    return notified === '' ? held : `${held} (n${notified.slice(1)})`;
  }
  const hearings = readers.map((provider) => ({ provider, hearing: hearingOf(incident, provider.uid) }));
  const failed = hearings.flatMap(({ provider, hearing: { trouble } }) =>
    trouble ? [`${nameOf(provider.ref)} (${trouble.message})`] : [],
  );
  if (failed.length > 0) return `Not delivered: ${list(failed, 3)}`;
  if (hearings.some(({ hearing }) => hearing.collapsed !== undefined)) return 'Waits for an overview';
  const isNotified = hearings.some(({ hearing }) => hearing.knows !== 'nothing');
  if (isNotified || (notified !== '' && readers.length === 0)) return notified;
  if (hearings.some(({ hearing }) => hearing.sending !== undefined)) return 'Being sent';
  if (hearings.some(({ hearing }) => hearing.listed !== undefined)) return 'Named in a list';
  return 'Nobody notified';
}
