import { isText } from '../model/memory.ts';
import type { ObjectEvent, RawObject } from '../model/raw-object.ts';
import { type AlertView, alertOf } from '../world/kinds/cluster/alert.ts';
import type { World } from '../world/view/world.ts';

/** As they are saved: a view that is the same says the same, and is written down once. */
const saved = new WeakMap<AlertView, RawObject>();

/** The alerts that are held, as they are saved: nobody repeats them for a restart of Tocsin. By their IDs. */
export function alertsToSave(world: Pick<World, 'all'>): ReadonlyMap<string, RawObject> {
  const alerts = new Map<string, RawObject>();
  for (const view of world.all('Alert')) {
    if (view.kind !== 'Alert') continue;
    const raw = saved.get(view) ?? alertOf(view);
    saved.set(view, raw);
    alerts.set(view.uid, raw);
  }
  return alerts;
}

/** Whether something remembered is such an alert. What it holds is read as carefully as what comes from outside. */
export function isSavedAlert(value: unknown): value is RawObject {
  const { metadata } = (value ?? {}) as { readonly metadata?: { readonly name?: unknown } };
  return isText(metadata?.name);
}

/** What was saved, to be taken in as what is told now. */
export function alertEvents(alerts: Iterable<RawObject>): readonly ObjectEvent[] {
  return [...alerts].map((raw) => ({ is: 'put', raw }));
}
