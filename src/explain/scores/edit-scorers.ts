import { leadMs } from '../../world/view/bounds.ts';
import { servedMs } from '../evidence/served.ts';
import { podView, workloadView } from '../evidence/workload.ts';
import type { Via } from '../rules/rule.ts';
import type { Judge } from './scorer.ts';

/** Ways to what a Pod is made of, or reads as it starts. */
const ofItsStart: ReadonlySet<Via> = new Set<Via>(['owners', 'reads']);
/** A new Pod that was ready for twice this long before it failed was not broken by its release alone. */
const provenMs = 3 * 60_000;

/**
 * What an edit made, or had read it as it began, and served for minutes before it failed was broken by something else, less so where the old
 * Pods beside it are well.
 */
const servedSince: Judge = (pair, { world, peers }) => {
  const { cause, rule, effect, bundle } = pair;
  if (cause.change === undefined || !ofItsStart.has(rule.via)) return 0;
  const pod = podView(world, effect.subject.ref);
  // A Pod that was there before has served with what there was before.
  if (pod === undefined || (rule.via === 'reads' && (pod.startedAt ?? pod.createdAt) < cause.change.at)) return 0;
  const says = Math.max(-1, Math.min(0, 1 - (servedMs(pod, effect) ?? 0) / provenMs));
  const apart = peers.apart(pair, bundle.workload);
  return apart !== undefined && apart.healthy > apart.failing ? says / 2 : says;
};

/** A Deployment that was available until it was edited speaks for the edit; one that was not by then was broken before. */
const wellBefore: Judge = ({ cause }, { world }) => {
  if (cause.change === undefined) return 0;
  const available = workloadView(world, cause.ref)?.conditions.find(({ type }) => type === 'Available');
  if (available === undefined || available.status === 'Unknown') return 0;
  const before = available.since < cause.change.at - leadMs;
  if (available.status === 'True') return before ? 1 : 0;
  return before ? -1 : 1;
};

/** What was well until an edit, and not since, speaks for it; what was not well before, or still was well after it, against it. */
export const untilEdited: Judge = (pair, scene) => {
  const since = servedSince(pair, scene);
  return since < 0 ? since : wellBefore(pair, scene);
};
