import { leadMs } from '../evidence/bounds.ts';
import { familyOf } from '../evidence/families.ts';
import { servedMs } from '../evidence/served.ts';
import { podView, workloadView } from '../evidence/workload.ts';
import type { Via } from '../rules/rule.ts';
import type { Judge } from './scorer.ts';

/** A cause that is a change counts more the fresher it was when the effect began. */
export const recentChange: Judge = ({ cause, effect, rule }) => {
  if (cause.change === undefined || rule.withinSeconds === undefined) return 0;
  return 1 - Math.max(0, effect.since - cause.since) / (rule.withinSeconds * 1000);
};

/** A release is blamed by the share of its failing Pods that are of the new revision; with no other revision that says nothing. */
export const sameRevision: Judge = ({ cause, rule, effect }, { peers }) => {
  if (rule.via !== 'owners') return 0;
  const siblings = peers.of(cause.ref);
  if (siblings.every(({ isNew }) => isNew)) return 0;
  const failing = siblings.filter(({ families }) => families.has(familyOf(effect.reason)));
  if (failing.length === 0) return 0;
  return (2 * failing.filter(({ isNew }) => isNew).length) / failing.length - 1;
};

/** Ways to what a Pod is made of, or reads as it starts. */
const ofItsStart: ReadonlySet<Via> = new Set<Via>(['owners', 'reads']);
/** A new Pod that was ready for twice this long before it failed was not broken by its release alone. */
const provenMs = 150_000;

/**
 * Pods that an edit made and that never became ready speak for the edit. What an edit made, or had read it as it began, and served for minutes
 * before it failed was broken by something else, less so where the old Pods beside it are well.
 */
export const neverServed: Judge = (pair, { world, peers }) => {
  const { cause, rule, effect, bundle } = pair;
  if (cause.change === undefined || !ofItsStart.has(rule.via)) return 0;
  const pod = podView(world, effect.subject.ref);
  // A Pod that was there before has served with what there was before.
  if (pod === undefined || (rule.via === 'reads' && (pod.startedAt ?? pod.createdAt) < cause.change.at)) return 0;
  const served = servedMs(pod, effect);
  if (served === undefined) return 0;
  const says = Math.max(-1, Math.min(rule.via === 'owners' ? 1 : 0, 1 - served / provenMs));
  const apart = peers.apart(pair, bundle.workload);
  return says < 0 && apart !== undefined && apart.healthy > apart.failing ? says / 2 : says;
};

/** A Deployment that was available until it was edited speaks for the edit; one that was not by then was broken before. */
export const wellBefore: Judge = ({ cause }, { world }) => {
  if (cause.change === undefined) return 0;
  const available = workloadView(world, cause.ref)?.conditions.find(({ type }) => type === 'Available');
  if (available === undefined || available.status === 'Unknown') return 0;
  const before = available.since < cause.change.at - leadMs;
  if (available.status === 'True') return before ? 1 : 0;
  return before ? -1 : 1;
};
