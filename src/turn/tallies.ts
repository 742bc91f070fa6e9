import type { MuteCount } from '../incident/mute-counts.ts';
import type { RouteTable } from '../incident/route-counts.ts';
import type { StepResult } from '../incident/step.ts';
import type { Ref } from '../model/ref.ts';

/** What the incidents have counted, as the last step left it: for the statuses that show it. */
export class Tallies {
  #mutes: ReadonlyMap<Ref, MuteCount> = new Map();
  #routes: RouteTable | undefined;

  /** What Silences and MaintenanceWindows have muted. */
  mutes(): ReadonlyMap<Ref, MuteCount> {
    return this.#mutes;
  }

  /** What the routes of each provider have taken; `undefined` before anything was looked at. */
  routes(): RouteTable | undefined {
    return this.#routes;
  }

  /** Takes what a step counted. Returns the custom resources of which another number is to be shown. */
  take({ mutes, routes }: StepResult): ReadonlySet<Ref> {
    const changed = new Set<Ref>();
    for (const [ref, { suppressed }] of mutes) if (this.#mutes.get(ref)?.suppressed !== suppressed) changed.add(ref);
    if (this.#routes !== routes)
      for (const table of [this.#routes, routes]) for (const ref of table?.keys() ?? []) changed.add(ref);
    this.#mutes = mutes;
    this.#routes = routes;
    return changed;
  }
}
