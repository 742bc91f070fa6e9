import { familyOf } from '../families.ts';
import type { Scorer } from './scorer.ts';

/** A release is blamed by the share of its failing Pods that are of the new revision; with no other revision that says nothing. */
export const sameRevision: Scorer = ({ cause, rule, effect }, { peers }) => {
  if (rule.via !== 'owners') return 0;
  const siblings = peers.of(cause.ref);
  if (siblings.every(({ isNew }) => isNew)) return 0;
  const failing = siblings.filter(({ families }) => families.has(familyOf(effect.reason)));
  if (failing.length === 0) return 0;
  return (2 * failing.filter(({ isNew }) => isNew).length) / failing.length - 1;
};
