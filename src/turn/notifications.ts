import { narrate } from '../message/narrate.ts';
import type { Announcement, IncidentAnnouncement } from '../model/announcement.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
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

/** The same while it is put together. */
type Draft = { readonly enqueue: Delivery[]; readonly fetch: EvidenceRequest[]; readonly events: EventRequest[] };

/** A message that waits for log lines: told again with them, or released when none come. */
type Waiting = { readonly announcement: IncidentAnnouncement; readonly deliveries: readonly Delivery[] };

/** Words are found anew after so long (ms): times of another day are written with their day. */
const wordsLifeMs = 60_000;

/** Makes deliveries of what is told, and tells again what waited for evidence. Part of the pure core. */
export class Notifier {
  readonly #world: WritableWorld;
  readonly #version: string;
  /** By incident: several audiences may be told of it in one turn. Forgotten when the answer came or came too late. */
  readonly #waiting = new Map<string, { readonly messages: Waiting[]; readonly until: number }>();

  /** The words that were found for incidents as they are, for whoever reads them again and again. */
  readonly #words = new WeakMap<Incident, { readonly settings: Settings; readonly notification: Notification }>();

  constructor(world: WritableWorld, version: string) {
    this.#world = world;
    this.#version = version;
  }

  /** The answers to earlier requests: their messages, now with log lines or released without. */
  answer(found: readonly Evidence[], context: NotifierContext): readonly Delivery[] {
    const replace = found.flatMap((evidence) => {
      const messages = this.#waiting.get(evidence.incident)?.messages ?? [];
      this.#waiting.delete(evidence.incident);
      return messages.flatMap((message) => this.#again(message, evidence, context));
    });
    for (const [incident, { until }] of this.#waiting) if (until <= context.now) this.#waiting.delete(incident);
    return replace;
  }

  /** Finds the words for what is told, and asks for the logs that may explain it. */
  tell(announcements: readonly Announcement[], context: NotifierContext): Mail {
    const mail: Draft = { enqueue: [], fetch: [], events: [] };
    for (const announcement of announcements) this.#tellOne(withResolution(announcement, this.#world), context, mail);
    return mail;
  }

  /** What the message of an incident says to whoever may read all of it. */
  words(incident: Incident, { settings, now }: Pick<NotifierContext, 'settings' | 'now'>): Notification {
    const known = this.#words.get(incident);
    if (known && known.settings === settings && now - known.notification.at < wordsLifeMs) return known.notification;
    const act = incident.state === 'Resolved' ? 'resolve' : 'open';
    const told = { act, incident, reasonCode: 'Asked', audience: wholeCluster, providers: [] } as const;
    const notification = narrate(withResolution(told, this.#world), { settings, now, version: this.#version });
    this.#words.set(incident, { settings, notification });
    return notification;
  }

  #tellOne(announcement: Announcement, { settings, providers, now }: NotifierContext, mail: Draft): void {
    const request = evidenceRequest(announcement, settings);
    const notification = narrate(announcement, { settings, now, version: this.#version });
    const notBefore = request ? now + evidenceWaitMs : now;
    const deliveries = deliveriesOf(announcement, notification, providers, now, notBefore);
    for (const delivery of deliveries) mail.enqueue.push(delivery);
    if (settings.incidents.kubernetesEvents)
      for (const event of eventsOf(announcement, notification.lead, this.#world)) mail.events.push(event);
    if (request && deliveries.length > 0 && 'incident' in announcement)
      for (const one of this.#wait(request, { announcement, deliveries }, now)) mail.fetch.push(one);
  }

  #again({ announcement, deliveries }: Waiting, found: Evidence, { settings, now }: NotifierContext): Delivery[] {
    const told = deliveries[0]?.createdAt ?? now;
    const evidence = found.lines.length > 0 ? { evidence: found } : {};
    const notification = narrate(announcement, { settings, now: told, version: this.#version, ...evidence });
    return deliveries.map((delivery) => ({ ...delivery, notification, notBefore: now }));
  }

  /** Waits for evidence; asks for it unless somebody else of this incident already does. */
  #wait(request: EvidenceRequest, message: Waiting, now: number): EvidenceRequest[] {
    const known = this.#waiting.get(request.incident);
    if (known) {
      known.messages.push(message);
      return [];
    }
    this.#waiting.set(request.incident, { messages: [message], until: now + evidenceWaitMs });
    return [request];
  }
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
