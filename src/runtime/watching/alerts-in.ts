import type { Clock } from '../../model/clock.ts';
import { FairShares } from '../../model/fair-shares.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { namespaceOf, type Ref } from '../../model/ref.ts';
import type { Settings } from '../../model/settings.ts';
import type { Input } from '../../model/turn.ts';
import type { PostedAlert } from '../../server/alerts.ts';
import type { AlertsTaken } from '../../server/views.ts';
import { alertOf } from '../../world/kinds/cluster/alert.ts';
import type { World } from '../../world/view/world.ts';
import { alertFate } from './alert-object.ts';

/** The name of what Alertmanager tells, as a source of objects. */
const source = 'alerts';
/** Alerts held at most; of the namespace that has most the oldest goes. */
const maxHeld = 2_000;
/** How often it is looked which are over that nobody has repeated (ms). */
const everyMs = 30_000;

/** What taking alerts needs. */
export type AlertsInOptions = {
  readonly clock: Clock;
  readonly world: Pick<World, 'get' | 'all'>;
  readonly settings: () => Settings['alertsIn'];
  readonly push: (input: Input) => void;
  /** Takes in what was pushed, so that the world is as it is now. */
  readonly drain: () => void;
  readonly count: (taken: AlertsTaken) => void;
};

/** An alert that is held. `expiresAt`: epoch milliseconds. */
type Held = { readonly raw: RawObject; readonly namespace: string; readonly expiresAt: number };

/**
 * Holds what Alertmanager tells, within bounds, and hands it on as objects: the core judges by them, recordings hold them, and who is found
 * over or is not repeated is gone. What an earlier process held goes on with what was saved of it.
 */
export class AlertsIn {
  readonly #options: AlertsInOptions;
  readonly #held = new FairShares<string, Held>(maxHeld, ({ namespace }) => namespace);
  readonly #ids = new Set<string>();
  #isOn: boolean | undefined;
  #isAdopted = false;
  #cancel = (): void => undefined;

  constructor(options: AlertsInOptions) {
    this.#options = options;
  }

  /** Follows the setting: whoever takes none any more knows of none. */
  configure(): void {
    const { clock, push, settings } = this.#options;
    const isOn = settings().enabled;
    if (isOn === this.#isOn) return;
    const isFirst = this.#isOn === undefined;
    this.#isOn = isOn;
    // Nobody need know of what was never on; what an earlier process took is swept away.
    if (isOn || !isFirst) {
      const [state, reason] = isOn ? (['Watching', 'Synced'] as const) : (['Disabled', 'OptIn'] as const);
      if (!isOn) this.#drop([...this.#ids]);
      push({
        kind: 'source',
        coverage: { source, kind: 'Alert', state, reason, since: clock.now(), required: false },
      });
    }
    this.#cancel();
    this.#cancel = clock.after(everyMs, () => this.#sweep());
  }

  /** Nothing more is looked at. */
  stop(): void {
    this.#cancel();
  }

  /** Takes what was posted. */
  take(posted: readonly PostedAlert[]): AlertsTaken {
    const { clock, world, settings, push, drain, count } = this.#options;
    drain();
    this.#adopt();
    const now = clock.now();
    const taken = { taken: 0, ended: 0, ignored: 0, unnamed: 0, displaced: 0 };
    const put = new Map<string, RawObject>();
    const over = new Map<string, RawObject>();
    for (const alert of posted) {
      const fate = alertFate(alert, settings(), world, now);
      taken[fate.is] += 1;
      const before = this.#held.get(fate.id)?.raw;
      if (fate.is === 'taken') {
        over.delete(fate.id);
        put.set(fate.id, fate.raw);
        const displaced = this.#hold(fate.id, fate.raw);
        if (displaced === undefined) continue;
        taken.displaced += 1;
        put.delete(displaced.metadata.name);
        over.set(displaced.metadata.name, displaced);
      } else if (before) {
        this.#forget(fate.id);
        put.delete(fate.id);
        over.set(fate.id, before);
      }
    }
    const gone = [...over.values()].map((raw) => ({ is: 'gone', raw }) as const);
    const events = [...gone, ...[...put.values()].map((raw) => ({ is: 'put', raw }) as const)];
    if (events.length > 0) push({ kind: 'objects', source, events });
    count(taken);
    return taken;
  }

  /** Holds one; another that has to go for it. */
  #hold(id: string, raw: RawObject): RawObject | undefined {
    const { about, expiresAt } = raw as RawObject & { readonly about: readonly Ref[]; readonly expiresAt: string };
    const [first] = about;
    const held = { raw, namespace: first === undefined ? '' : namespaceOf(first), expiresAt: Date.parse(expiresAt) };
    this.#ids.add(id);
    const displaced = this.#held.set(id, held)?.raw;
    if (displaced) this.#ids.delete(displaced.metadata.name);
    return displaced;
  }

  #forget(id: string): void {
    this.#held.delete(id);
    this.#ids.delete(id);
  }

  #drop(ids: readonly string[]): void {
    const events = ids.flatMap((id) => {
      const held = this.#held.get(id);
      this.#forget(id);
      return held ? [{ is: 'gone', raw: held.raw } as const] : [];
    });
    if (events.length > 0) this.#options.push({ kind: 'objects', source, events });
  }

  #sweep(): void {
    this.#adopt();
    const now = this.#options.clock.now();
    const isOver = (id: string): boolean => !this.#isOn || (this.#held.get(id)?.expiresAt ?? 0) <= now;
    this.#drop([...this.#ids].filter(isOver));
    if (this.#isOn) this.#cancel = this.#options.clock.after(everyMs, () => this.#sweep());
  }

  /** What was saved is in the world, and not here yet. */
  #adopt(): void {
    if (this.#isAdopted) return;
    this.#isAdopted = true;
    for (const view of this.#options.world.all('Alert')) if (view.kind === 'Alert') this.#hold(view.uid, alertOf(view));
  }
}
