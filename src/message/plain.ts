import { type Announcement, actOf } from '../model/announcement.ts';
import type { Notification } from '../model/notification.ts';
import { describeRef } from '../model/ref.ts';
import { worse } from '../model/severity.ts';
import { cleanLine } from './parts/clean.ts';
import type { NarrateContext } from './parts/context.ts';
import { titleRoom } from './parts/room.ts';
import { truncate } from './render/kit/truncate.ts';

const noMore = 'Tocsin could not find better words for this, which is a fault of its own: its log says more.';

/** The words for what `narrate` has none for: what, where and how severe, so that nobody hears nothing. Reads as little as can be. */
export function narratePlainly(announcement: Announcement, { settings, now }: NarrateContext): Notification {
  const rest = {
    ...{ act: actOf(announcement), evidence: [], facts: [], links: [] },
    ...{ cluster: cleanLine(settings.app.clusterName), at: now },
  };
  if (!('incident' in announcement)) {
    const { act, entries, total } = announcement;
    const severity = entries.reduce((worst, entry) => worse(worst, entry.severity), 'low' as Notification['severity']);
    return { ...rest, severity, title: `${total} problems (${act})`, lead: noMore };
  }
  const { incident, act } = announcement;
  const { root, reason, severity, confidence } = incident.explanation;
  const over = act === 'resolve';
  const title = truncate(cleanLine(`${describeRef(root.ref)}: ${reason}${over ? ' is over' : ''}`), titleRoom, 'utf16');
  return {
    ...{ ...rest, act, severity, title, lead: `${over ? 'This is over' : 'This fails'}. ${noMore}` },
    incident: {
      ...{
        id: incident.id,
        alertKey: incident.alertKey,
        revision: incident.revision,
        reason,
        root: root.ref,
        confidence,
      },
      ...{ status: over ? 'resolved' : 'open', affected: { count: 0, sample: [] }, pods: [], podCount: 0, labels: {} },
      ...{
        startedAt: incident.startedAt,
        updatedAt: now,
        ...(over && { resolvedAt: incident.clearSince ?? incident.resolvedAt ?? now }),
      },
    },
  };
}
