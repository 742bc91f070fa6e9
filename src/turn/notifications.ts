import { narrate } from '../message/narrate.ts';
import type { Announcement, IncidentAnnouncement } from '../model/announcement.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { EventRequest, Evidence, EvidenceRequest } from '../model/turn.ts';
import { wholeCluster } from '../model/view.ts';
import type { WritableWorld } from '../world/world.ts';
import { deliveriesOf, evidenceWaitMs } from './deliveries.ts';
import { withResolution } from './resolution.ts';

/** What a turn knows when it finds the words. `now`: epoch milliseconds. */
export type NotifierContext = {
  readonly settings: Settings;
  readonly providers: ReadonlyMap<Ref, ProviderSettings>;
  readonly now: number;
};

/** What is to be sent, fetched and written for what was told. */
export type Mail = {
  readonly enqueue: readonly Delivery[];
  readonly fetch: readonly EvidenceRequest[];
  readonly events: readonly EventRequest[];
};

/** Makes deliveries of what is told, and tells again what waited for evidence. Part of the pure core. */
export type Notifier = {
  /** The answer to an earlier request: its messages, now with log lines or released without. */
  answer(found: readonly Evidence[], context: NotifierContext): readonly Delivery[];
  tell(announcements: readonly Announcement[], context: NotifierContext): Mail;
};

/** A message that waits for log lines: told again with them, or released when none come. */
type Waiting = { readonly announcement: IncidentAnnouncement; readonly deliveries: readonly Delivery[] };

/** An empty mail room over one world. */
export function createNotifier(world: WritableWorld, version: string): Notifier {
  /** By incident: several audiences may be told of it in one turn. Forgotten when the answer came or came too late. */
  const waiting = new Map<string, { readonly messages: Waiting[]; readonly until: number }>();

  function again(
    { announcement, deliveries }: Waiting,
    found: Evidence,
    { settings, now }: NotifierContext,
  ): Delivery[] {
    const told = deliveries[0]?.createdAt ?? now;
    const evidence = found.lines.length > 0 ? { evidence: found } : {};
    const notification = narrate(announcement, { settings, now: told, version, ...evidence });
    return deliveries.map((delivery) => ({ ...delivery, notification, notBefore: now }));
  }

  /** Waits for evidence; asks for it unless somebody else of this incident already does. */
  function wait(request: EvidenceRequest, message: Waiting, now: number): EvidenceRequest[] {
    const known = waiting.get(request.incident);
    if (known) {
      known.messages.push(message);
      return [];
    }
    waiting.set(request.incident, { messages: [message], until: now + evidenceWaitMs });
    return [request];
  }

  return {
    answer(found, context) {
      const replace = found.flatMap((evidence) => {
        const messages = waiting.get(evidence.incident)?.messages ?? [];
        waiting.delete(evidence.incident);
        return messages.flatMap((message) => again(message, evidence, context));
      });
      for (const [incident, { until }] of waiting) if (until <= context.now) waiting.delete(incident);
      return replace;
    },
    tell(announcements, { settings, providers, now }) {
      const enqueue: Delivery[] = [];
      const fetch: EvidenceRequest[] = [];
      const events: EventRequest[] = [];
      for (const decided of announcements) {
        const announcement = withResolution(decided, world);
        const request = evidenceRequest(announcement, settings);
        const notification = narrate(announcement, { settings, now, version });
        const deliveries = deliveriesOf(
          announcement,
          notification,
          providers,
          now,
          request ? now + evidenceWaitMs : now,
        );
        enqueue.push(...deliveries);
        if (settings.incidents.kubernetesEvents) events.push(...eventsOf(announcement, notification.lead, world));
        if (request && deliveries.length > 0 && 'incident' in announcement)
          fetch.push(...wait(request, { announcement, deliveries }, now));
      }
      return { enqueue, fetch, events };
    },
  };
}

/** Evidence is asked for when something new is told and the explanation names a Pod whose log may explain it. */
function evidenceRequest(announcement: Announcement, { evidence }: Settings): EvidenceRequest | undefined {
  if (!('incident' in announcement) || !evidence.logs) return undefined;
  if (announcement.act !== 'open' && announcement.act !== 'reopen') return undefined;
  const pod = announcement.incident.explanation.samplePod;
  if (!pod || announcement.providers.length === 0) return undefined;
  const { ref, container, previous } = pod;
  return { incident: announcement.incident.id, pod: ref, container, previous, lines: evidence.logLines };
}

/** The Kubernetes Event on the root object, for whoever looks there first. */
function eventsOf(announcement: Announcement, lead: string, world: WritableWorld): EventRequest[] {
  if (!('incident' in announcement) || announcement.audience !== wholeCluster || announcement.act === 'update')
    return [];
  const about = announcement.incident.explanation.root.ref;
  const uid = world.uidOf(about);
  if (uid === undefined) return [];
  return announcement.act === 'resolve'
    ? [{ about, uid, type: 'Normal', reason: 'IncidentResolved', message: lead }]
    : [{ about, uid, type: 'Warning', reason: 'IncidentOpened', message: lead }];
}
