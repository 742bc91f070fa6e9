import { clockTime } from '../message/parts/times.ts';
import { type Acknowledgement, whoAcknowledged } from '../model/acknowledgement.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import { humanDuration } from '../model/duration.ts';
import { shortHash } from '../model/hash.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import {
  askedBy,
  type HeardPresses,
  type Press,
  type PressedRequest,
  pressedSilenceSeconds,
  whoMayPress,
} from '../model/press.ts';
import { describeRef, kindNameOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import { fits, listOf, number, record, text } from '../model/shape.ts';

/** Channels of which presses are remembered, and presses of each. Products repeat one for minutes. */
const mostChannels = 100;
const mostPresses = 200;
/** A product that has said nothing for a week begins to count anew (Telegram): where to go on from is forgotten before (ms). */
const cursorLifeMs = 6 * 24 * 3_600_000;

/** What is remembered of a channel: where it goes on from, since when, and which presses were decided, the oldest first. */
type Remembered = { readonly cursor?: string; readonly at: number; readonly decided: readonly string[] };

/** Whether a saved value is one. */
export const isRemembered = fits(record<Remembered>({ at: number, decided: listOf(text) }, { cursor: text }));

/** What a press is judged by. `now`: epoch milliseconds. */
export type PressContext = {
  readonly settings: Settings;
  readonly incident: (id: string) => Incident | undefined;
  readonly now: number;
};

const refused: Pick<PressedRequest, 'says' | 'isRefused'> = {
  says: 'You may not do this: your account is not in `actions.users` of the AlertProvider.',
  isRefused: true,
};

const tooLate: Pick<PressedRequest, 'says'> = { says: 'It is over, or not known here: nothing was done.' };

/** An acknowledgement comes back as an annotation; until then another one of the same incident is none (ms). */
const takingMs = 30_000;
/** Acknowledgements on their way that are remembered. */
const mostTaken = 200;

/**
 * Presses of buttons: which are new, who may, and what follows. A press is decided once, however often a product tells it, restarts
 * included; by the list of the provider whose message it was on. Part of the pure core.
 */
export class Presses {
  readonly #known = new BoundedMap<string, Remembered>(mostChannels);
  /** Incident → whose acknowledgement is on its way. */
  readonly #taken = new BoundedMap<string, Acknowledgement & { readonly at: number }>(mostTaken);

  /** Where a channel goes on from. */
  cursor(channel: string, now: number): string | undefined {
    const known = this.#known.get(channel);
    return known && now - known.at < cursorLifeMs ? known.cursor : undefined;
  }

  /** By channel. */
  memory(): ReadonlyMap<string, Remembered> {
    return new Map(this.#known.entries());
  }

  /** Goes on from what an earlier process had decided. */
  restore(memory: ReadonlyMap<string, Remembered>): void {
    for (const [channel, known] of memory) this.#known.set(channel, known);
  }

  /** Decides what was heard. */
  take(
    { channel, provider, product, cursor, presses }: HeardPresses,
    context: PressContext,
  ): readonly PressedRequest[] {
    const listener = context.settings.providers.find(({ ref }) => ref === provider);
    if (listener === undefined) return [];
    const known = this.#known.get(channel);
    const before = new Set(known?.decided ?? []);
    const fresh = [...new Map(presses.map((press) => [press.id, press])).values()].filter(({ id }) => !before.has(id));
    const requests = fresh.map((press) => ({ provider, press, ...this.#decide(press, listener, product, context) }));
    // Only of what was done: strangers who press again and again push nothing out.
    const done = requests.flatMap(({ press, deed }) => (deed ? [press.id] : []));
    const at = cursor ?? known?.cursor;
    if (done.length > 0 || at !== known?.cursor) {
      const decided = [...before, ...done].slice(-mostPresses);
      this.#known.set(channel, { ...(at !== undefined && { cursor: at }), at: context.now, decided });
    }
    return requests;
  }

  /** What is done about one press. */
  #decide(
    press: Press,
    listener: ProviderSettings,
    product: string,
    { settings, incident: known, now }: PressContext,
  ): Omit<PressedRequest, 'provider' | 'press'> {
    const asked = askedBy(press);
    const owner = settings.providers.find(({ uid, type }) => uid === asked?.uid && type === listener.type);
    if (asked === undefined || owner === undefined || !mayPress(press, owner, settings)) return refused;
    const incident = known(asked.incident);
    if (incident === undefined || !isOpen(incident) || !wasTold(incident, owner)) return tooLate;
    const by = { by: press.user.name, via: product };
    if (asked.act === 'silence') {
      const { ref } = incident.explanation.root;
      const { seconds = pressedSilenceSeconds } = asked;
      const says = `Silenced for ${seconds === 3_600 ? 'an hour' : humanDuration(seconds * 1000)}: ${describeRef(ref)}.`;
      const mark = shortHash([owner.uid, press.id]);
      return { says, deed: { ...silenceOf(incident, ref, mark), createdBy: whoAcknowledged(by), seconds } };
    }
    const { acknowledged } = incident;
    const taken = acknowledged ?? this.#taken.get(incident.id);
    if (taken !== undefined && (acknowledged || now - taken.at < takingMs))
      return { says: `${whoAcknowledged(taken)} acknowledged it at ${clockTime(taken.at, now)}.` };
    this.#taken.set(incident.id, { ...by, at: now });
    const acknowledgement = { ...by, since: now };
    return {
      says: 'Acknowledged: nobody is reminded of it.',
      deed: { is: 'acknowledge', incident: incident.id, acknowledgement },
    };
  }
}

/** Only those whom the provider names, and only at providers that speak for the whole cluster: what is done is done for all. */
function mayPress({ user }: Press, provider: ProviderSettings, { operatorNamespace }: Settings): boolean {
  return (
    provider.namespace === operatorNamespace &&
    !provider.suspended &&
    user.id !== '' &&
    whoMayPress(provider).includes(user.id)
  );
}

const isOpen = ({ state }: Incident): boolean => state === 'Open' || state === 'Recovering';

const wasTold = (incident: Incident, { uid }: ProviderSettings): boolean =>
  expected(hearingOf(incident, uid)).knows !== 'nothing';

/** Mutes the root of an incident. `mark`: of the press, the same for the same one. */
function silenceOf({ id }: Incident, root: Ref, mark: string) {
  const namespace = namespaceOf(root);
  const where = namespace === '' ? {} : { namespaces: [namespace] };
  const selector = { kinds: [kindNameOf(root)], names: [nameOf(root)], ...where };
  return { is: 'silence', incident: id, name: `pressed-${mark}`, selector } as const;
}
