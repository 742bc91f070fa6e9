import type { DeliveryReport } from '../model/delivery.ts';
import type { ProviderUid } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import { isText, type Memory, recall } from '../model/memory.ts';
import type { Ref } from '../model/ref.ts';
import { effectiveRoutes } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { fits, flag, number, record, set } from '../model/shape.ts';
import { mayReceive, type StepContext } from './context.ts';

/** Between two looks whether a product takes messages again, while something is owed there: they double from the first to the last (ms). */
const probeMs = { first: 5 * 60_000, longest: 60 * 60_000 };

/**
 * A provider where something was given up. `probeAt`: when it is worth another try (epoch milliseconds); `isProbed`: one is under way;
 * `answers`: it has taken another message since, so that what it refused as it is is all that is left.
 */
type Silent = {
  readonly tries: number;
  readonly probeAt: number;
  readonly isProbed: boolean;
  readonly answers?: true;
};

const isSilent = fits(record<Silent>({ tries: number, probeAt: number, isProbed: flag }, { answers: set }));

/** Who can be told now that could not before. UIDs of providers. */
export type Reached = {
  /** Made anew, edited, resumed, with other credentials, chosen, asked for, or found to take what they refused: they are told all that they do not know. */
  readonly arrived: ReadonlySet<ProviderUid>;
  /** Their product has taken a message: they are told what it could not be reached for. */
  readonly answered: ReadonlySet<ProviderUid>;
  /** It is time to find out whether they can be told: by one message. */
  readonly probed: ReadonlySet<ProviderUid>;
  /** They could be told in the step before, and nothing about them has changed. */
  readonly settled: ReadonlySet<ProviderUid>;
  /** Something was given up there: what is owed waits until they are probed. */
  readonly silent: ReadonlySet<ProviderUid>;
};

/** What makes a provider worth another try: it was made anew or edited, its credentials changed, its routes count now or do not; or so with its fallbacks. */
function signatureOf(provider: ProviderSettings, context: Pick<StepContext, 'settings' | 'byRef'>): string {
  const parts: string[] = [];
  const seen = new Set<string>();
  let next: ProviderSettings | undefined = provider;
  while (next && !seen.has(next.ref)) {
    seen.add(next.ref);
    const chosen = effectiveRoutes(next, context.settings).length;
    const { uid, generation, credentialVersion = '', usable } = next;
    if (usable) parts.push(`${uid}@${generation}@${credentialVersion}@${chosen}`);
    next = next.fallback === undefined ? undefined : context.byRef.get(next.fallback);
  }
  return `${provider.active.is ? '' : 'inactive|'}${parts.join('|')}`;
}

/** Watches which providers can be told, and which products that were silent answer again. */
export class Reach {
  /** Provider UID → what it was like when it could be told last. */
  #known = new Map<ProviderUid, string>();
  /** Providers where something was given up since their product last took a message. */
  readonly #silent = new Map<ProviderUid, Silent>();

  /** By topic: whom it knows, who is silent. */
  memory(): Memory {
    return { providers: this.#known, silent: this.#silent };
  }

  /** Goes on from what was known before a restart. */
  restore(memory: Memory): void {
    this.#known = recall(memory, 'providers', isText);
    for (const [uid, silent] of recall(memory, 'silent', isSilent)) this.#silent.set(uid, silent);
  }

  /** `asked`: providers that somebody wants told once more. */
  take(context: StepContext, reports: readonly DeliveryReport[], asked: readonly Ref[]): Reached {
    const { settings, providers, now } = context;
    for (const uid of this.#silent.keys()) if (!providers.has(uid)) this.#silent.delete(uid);
    const able = settings.providers.filter((provider) => provider.usable && mayReceive(provider));
    const before = this.#known;
    this.#known = new Map(able.map((provider) => [provider.uid, signatureOf(provider, context)]));
    const changed = [...this.#known].filter(([uid, signature]) => before.get(uid) !== signature).map(([uid]) => uid);
    const wanted = able.filter(({ ref }) => asked.includes(ref)).map(({ uid }) => uid);
    const arrived = new Set([...changed, ...wanted]);
    for (const uid of arrived) this.#silent.delete(uid);
    const { answered, taking } = this.#takeReports(reports, now);
    for (const uid of taking) if (this.#known.has(uid)) arrived.add(uid);
    const probed = new Set<ProviderUid>();
    for (const [uid, { probeAt }] of this.#silent) if (probeAt <= now && this.#known.has(uid)) probed.add(uid);
    const settled = new Set(before.keys()).difference(arrived);
    return { arrived, answered, probed, settled, silent: new Set(this.#silent.keys()) };
  }

  /** Nothing is owed to a provider that was to be probed, or it was sent to. `probes`: it was. */
  probed(uid: ProviderUid, probes: boolean, now: number): void {
    const silent = this.#silent.get(uid);
    if (silent === undefined) return;
    if (probes) this.#silent.set(uid, { ...silent, probeAt: now + waitMs(silent.tries), isProbed: true });
    else this.#silent.delete(uid);
  }

  /** What it is owed is muted now: it is looked at again later. */
  muted(uid: ProviderUid, now: number): void {
    const { tries } = this.#silent.get(uid) ?? { tries: 0 };
    this.#silent.set(uid, { tries, probeAt: now + waitMs(tries), isProbed: false });
  }

  /** When the next provider is worth another try (epoch milliseconds), `Infinity` when none is silent. */
  wakeAt(): number {
    return earliest([...this.#silent].flatMap(([uid, { probeAt }]) => (this.#known.has(uid) ? [probeAt] : [])));
  }

  /** Which of those that were silent have taken a message (`answered`), and which the one by which they were probed (`taking`). */
  #takeReports(reports: readonly DeliveryReport[], now: number) {
    const answered = new Set<ProviderUid>();
    const taking = new Set<ProviderUid>();
    for (const { ended, act, providerUid: uid } of reports) {
      const silent = this.#silent.get(uid);
      if (act === 'test') continue;
      if (ended === 'delivered' && silent) {
        if (silent.isProbed) taking.add(uid);
        else if (!silent.answers && this.#known.has(uid)) answered.add(uid);
        if (silent.isProbed) this.#silent.delete(uid);
        else this.#silent.set(uid, { ...silent, answers: true });
      }
      // What ended while the list that names it was on its way is told now.
      if (ended === 'delivered' && act === 'startup' && this.#known.has(uid)) answered.add(uid);
      // What fails besides the probe says nothing new.
      const { tries, isProbed } = silent ?? { tries: 0, isProbed: true };
      if (ended === 'failed' && isProbed)
        this.#silent.set(uid, { tries: tries + 1, probeAt: now + waitMs(tries + 1), isProbed: false });
    }
    return { answered, taking };
  }
}

const waitMs = (tries: number): number => Math.min(probeMs.longest, probeMs.first * 2 ** Math.max(0, tries - 1));
