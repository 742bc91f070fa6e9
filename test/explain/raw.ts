import { Detection } from '../../src/detect/detection.ts';
import { Explainer } from '../../src/explain/explainer.ts';
import type { Rule } from '../../src/explain/rules/rule.ts';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { Incidents } from '../../src/incident/incidents.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { inShort, settingsWith } from '../incident/helpers.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/**
 * Raw objects through world, detection, explanation and incidents, as the turn drives them: at every change, and at every
 * instant that one of them asks for.
 */
export function house(rules: readonly Rule[] = causalRules) {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Pro' });
  const explainer = new Explainer(
    world,
    {
      findings: (ref) => detection.findings(ref),
      all: () => detection.all(),
    },
    { rules },
  );
  const incidents = new Incidents();
  const told: string[] = [];
  let explanations: readonly Explanation[] = [];
  let wakeAt: number | undefined;
  let baseline = true;

  function turn(dirty: ReadonlySet<Ref>, now: number): void {
    const judged = detection.evaluate(dirty, now);
    const explained = explainer.explain(new Set([...dirty, ...judged.changed]), now, []);
    explanations = explained.explanations;
    const settings = settingsWith();
    const step = incidents.step({ explanations, settings, now, baseline, clusterId: 'c', reports: [] });
    baseline = false;
    told.push(...step.announcements.map(inShort));
    const due = [judged.wakeAt, explained.wakeAt, step.wakeAt].filter((time) => time !== undefined);
    wakeAt = due.length === 0 ? undefined : Math.max(Math.min(...due), now + 1);
  }

  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);

  const change = (is: 'put' | 'gone', now: number, raws: readonly RawObject[]): void => {
    const dirty = new Set<Ref>();
    for (const raw of raws) for (const ref of world.apply(sourceOf(raw), [{ is, raw }], now)) dirty.add(ref);
    turn(dirty, now);
  };
  return {
    put: (now: number, ...raws: RawObject[]): void => change('put', now, raws),
    gone: (now: number, ...raws: RawObject[]): void => change('gone', now, raws),
    /** The log of the container `api` of a Pod in its first run, as it is read at an instant. */
    hear(now: number, pod: Ref, ...lines: string[]): void {
      const run = { source: 'log', pod, uid: world.uidOf(pod) ?? '', container: 'api', attempt: 0, ended: false };
      turn(world.hear({ ...run, lines }, now), now);
    },
    /** Lets time pass until an instant, with a turn whenever one is asked for. */
    wait(until: number): void {
      for (let turns = 0; turns < 1000 && wakeAt !== undefined && wakeAt <= until; turns += 1) turn(new Set(), wakeAt);
      turn(new Set(), until);
    },
    explain: () => explanations,
    told,
    incidents,
  };
}
