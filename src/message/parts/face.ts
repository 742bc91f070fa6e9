import type { IncidentAnnouncement } from '../../model/announcement.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { IncidentFace } from '../../model/notification.ts';
import { kindOf, nameOf, namespaceOf } from '../../model/ref.ts';
import { rings } from '../../model/ringing.ts';
import { podCount } from './impact.ts';

/** Pods and objects named in full; the counts stay true. */
const maxPods = 50;
const maxSample = 20;

/** Owners named in full: a Node that many share is nobody's of these in particular. */
const maxOwners = 5;

/** Who answers for the root; where nobody is known to, for what it hits, as many as can be read. */
export function ownersOf({ root, affected }: Pick<Explanation, 'root' | 'affected'>): readonly string[] {
  if (root.owner !== undefined) return [root.owner];
  return [...new Set(affected.flatMap(({ owner }) => owner ?? []))].slice(0, maxOwners);
}

/** What a notification says of its incident as structured data. `now`: epoch milliseconds. */
export function faceOf(
  announcement: IncidentAnnouncement,
  part: Explanation,
  cause: string | undefined,
  now: number,
): IncidentFace {
  const { incident, act, before, reasonCode } = announcement;
  const { explanation } = incident;
  const containers = new Map(part.members.map(({ subject, scope }) => [subject.ref, scope]));
  const owners = ownersOf(part);
  const pods = [part.root, ...part.affected].filter(({ ref }) => kindOf(ref) === 'Pod');
  return {
    id: incident.id,
    alertKey: incident.alertKey,
    revision: incident.revision,
    status: act === 'resolve' ? 'resolved' : 'open',
    reason: explanation.reason,
    root: part.root.ref,
    ...(before && before.severity !== explanation.severity && { previousSeverity: before.severity }),
    ...(act === 'update' && rings(reasonCode) && { ring: true }),
    confidence: explanation.confidence,
    ...(incident.acknowledged && { acknowledged: true }),
    ...(cause !== undefined && { cause }),
    affected: {
      count: part.affectedCount ?? part.affected.length,
      sample: part.affected.slice(0, maxSample).map(({ ref }) => ref),
    },
    pods: pods.slice(0, maxPods).map(({ ref, node }) => {
      const container = containers.get(ref);
      return {
        name: nameOf(ref),
        namespace: namespaceOf(ref),
        ...(node !== undefined && { node }),
        ...(container !== undefined && { container }),
      };
    }),
    podCount: podCount(part),
    labels: part.root.labels,
    ...(owners.length > 0 && { owners }),
    startedAt: incident.startedAt,
    updatedAt: now,
    // When it was well, as the words say, not when that had lasted long enough to be told.
    ...(act === 'resolve' && { resolvedAt: incident.clearSince ?? incident.resolvedAt ?? now }),
  };
}
