import { failureClass } from '../incident/failure-class.ts';
import type { Retold } from '../incident/hearing.ts';
import { asSureAsTold } from '../incident/sureness.ts';
import { narrate, narrateShortly } from '../message/narrate.ts';
import type { NarrateContext } from '../message/parts/context.ts';
import { narratePlainly } from '../message/plain.ts';
import { statementOf } from '../message/sentences/statement.ts';
import type { Announcement, IncidentAnnouncement } from '../model/announcement.ts';
import type { Delivery } from '../model/delivery.ts';
import type { SamplePod } from '../model/explanation.ts';
import type { Faults } from '../model/faults.ts';
import type { Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import type { EventRequest, Evidence } from '../model/turn.ts';
import { viewFor, wholeCluster } from '../model/view.ts';
import type { WritableWorld } from '../world/view/world.ts';
import { deliveriesOf, evidenceWaitMs } from './deliveries.ts';
import type { Excerpts } from './excerpts.ts';
import { withResolution } from './resolution.ts';

/** What a turn knows when it finds the words. `now`: epoch milliseconds. */
export type NotifierContext = {
  readonly settings: Settings;
  readonly providers: ReadonlyMap<Ref, ProviderSettings>;
  readonly traits: Traits;
  readonly now: number;
};

/** The deliveries to enqueue and the Events to write for the announcements of a turn. */
export type Mail = { readonly enqueue: readonly Delivery[]; readonly events: readonly EventRequest[] };

/** The same while it is being filled. */
type Draft = { readonly enqueue: Delivery[]; readonly events: EventRequest[] };

/** A message that waits for log lines: told again with them, or released when none come. */
type Waiting = { readonly announcement: IncidentAnnouncement; readonly deliveries: readonly Delivery[] };

/** What an Event says of each act. */
const eventOf = {
  open: { type: 'Warning', reason: 'IncidentOpened' },
  reopen: { type: 'Warning', reason: 'IncidentOpened' },
  resolve: { type: 'Normal', reason: 'IncidentResolved' },
} as const;

/** Words are found anew after so long (ms): times of another day are written with their day. */
const wordsLifeMs = 60_000;

/** Makes deliveries of what is told, and tells again what waited for evidence. Part of the pure core. */
export class Notifier {
  readonly #world: WritableWorld;
  readonly #excerpts: Excerpts;
  readonly #version: string;
  readonly #faults: Faults;
  /** By incident: several audiences may be told of it in one turn. Forgotten when the answer came or came too late. */
  readonly #waiting = new Map<
    string,
    { readonly sample: SamplePod; readonly messages: Waiting[]; readonly until: number }
  >();

  /** The words that were found for incidents as they are, for whoever reads them again and again. */
  readonly #words = new WeakMap<Incident, { readonly settings: Settings; readonly notification: Notification }>();

  /** `faults`: where a message without words is set aside: it is told in plain ones. */
  constructor(world: WritableWorld, excerpts: Excerpts, version: string, faults: Faults) {
    this.#faults = faults;
    this.#world = world;
    this.#excerpts = excerpts;
    this.#version = version;
  }

  /**
   * Answers have come: the messages that waited for them, now with log lines and with what these have explained, or released
   * without; and what is told otherwise than it was announced (`retold`). `incidents`: as they are now, by id.
   */
  answer(
    found: readonly Evidence[],
    incidents: (id: string) => Incident | undefined,
    context: NotifierContext,
  ): { readonly replace: readonly Delivery[]; readonly retold: readonly Retold[] } {
    const replace: Delivery[] = [];
    const retold: Retold[] = [];
    for (const [id, { sample, messages, until }] of this.#waiting) {
      const evidence = found.find((one) => this.#excerpts.isOf(one, sample));
      if (!evidence && until > context.now) continue;
      this.#waiting.delete(id);
      if (!evidence) continue;
      for (const message of messages) {
        const announcement = withNews(message.announcement, incidents(id));
        const { id: incident, revision: sequence, explanation: view } = announcement.incident;
        const uids = message.deliveries.map(({ providerUid }) => providerUid);
        if (announcement !== message.announcement) retold.push({ incident, sequence, uids, view });
        for (const delivery of this.#again({ ...message, announcement }, evidence, context)) replace.push(delivery);
      }
    }
    return { replace, retold };
  }

  /** Finds the words for what is told; what a log may explain waits for it for a moment, if it is not here yet. */
  tell(announcements: readonly Announcement[], context: NotifierContext): Mail {
    const mail: Draft = { enqueue: [], events: [] };
    for (const announcement of announcements) this.#tellOne(announcement, context, mail);
    return mail;
  }

  /** What the message of an incident says to whoever may read all of it, or to an audience that it is cut for. */
  words(
    incident: Incident,
    { settings, now }: Pick<NotifierContext, 'settings' | 'now'>,
    audience = wholeCluster,
  ): Notification {
    if (audience !== wholeCluster)
      return this.#inWords(asked(incident, audience), { settings, now, version: this.#version });
    const known = this.#words.get(incident);
    if (known && known.settings === settings && now - known.notification.at < wordsLifeMs) return known.notification;
    const notification = this.#inWords(asked(incident), { settings, now, version: this.#version });
    this.#words.set(incident, { settings, notification });
    return notification;
  }

  /** The same with the lines of the log that explains it best, where it was read. */
  quoted(incident: Incident, { settings, now }: Pick<NotifierContext, 'settings' | 'now'>): Notification {
    const found = this.#excerpts.of(incident.explanation.samplePod, now);
    const evidence = found !== undefined && found !== 'awaited' ? { evidence: found } : {};
    return this.#inWords(asked(incident), { settings, now, version: this.#version, ...evidence });
  }

  #tellOne(announcement: Announcement, context: NotifierContext, mail: Draft): void {
    const { settings, now } = context;
    const sample = quoted(announcement);
    const found = this.#excerpts.of(sample, now);
    const evidence = found !== undefined && found !== 'awaited' ? { evidence: found } : {};
    const notification = this.#inWords(announcement, { settings, now, version: this.#version, ...evidence });
    const notBefore = found === 'awaited' ? now + evidenceWaitMs : now;
    const deliveries = deliveriesOf(announcement, notification, context, now, notBefore);
    for (const delivery of deliveries) mail.enqueue.push(delivery);
    if (settings.incidents.kubernetesEvents)
      for (const event of this.#eventsOf(announcement, statementOf(notification), { settings, now }))
        mail.events.push(event);
    if (found === 'awaited' && sample && deliveries.length > 0 && 'incident' in announcement)
      this.#wait(sample, { announcement, deliveries }, now);
  }

  /**
   * The Kubernetes Event on the root object, for whoever looks there first. Anybody who may read a namespace can read its Events, so an
   * Event says only what that namespace's own readers would be told; where nothing concerns them, none is written.
   */
  #eventsOf(
    announcement: Announcement,
    statement: string,
    { settings, now }: Pick<NotifierContext, 'settings' | 'now'>,
  ): readonly EventRequest[] {
    if (!('incident' in announcement) || announcement.audience !== wholeCluster || announcement.act === 'update')
      return [];
    const { incident } = announcement;
    const about = incident.explanation.root.ref;
    const [uid, audience] = [this.#world.uidOf(about), namespaceOf(about)];
    const explanation = viewFor(audience, incident.explanation);
    if (uid === undefined || explanation === undefined) return [];
    const isWhole = explanation === incident.explanation;
    const own = { ...announcement, audience, incident: { ...incident, explanation } };
    const message = isWhole ? statement : this.#shortly(own, { settings, now, version: this.#version });
    return [{ about, uid, message, ...eventOf[announcement.act] }];
  }

  #again({ announcement, deliveries }: Waiting, found: Evidence, { settings, now }: NotifierContext): Delivery[] {
    const told = deliveries[0]?.createdAt ?? now;
    const evidence = found.lines.length > 0 ? { evidence: found } : {};
    const notification = this.#inWords(announcement, {
      ...{ settings, now: told, version: this.#version },
      ...evidence,
    });
    return deliveries.map((delivery) => ({ ...delivery, notification, notBefore: now }));
  }

  /** The words for what is told, of an end with how it came about; plain ones where these cannot be found. */
  #inWords(announcement: Announcement, context: NarrateContext): Notification {
    const root = 'incident' in announcement ? announcement.incident.explanation.root.ref : undefined;
    const about = root ?? refOf('Message', '', announcement.act);
    return this.#faults.guard(
      { step: 'tell', about, by: announcement.act },
      () => narrate(withResolution(announcement, this.#world), context),
      () => narratePlainly(announcement, context),
    );
  }

  /** The same in two sentences. */
  #shortly(announcement: IncidentAnnouncement, context: NarrateContext): string {
    return this.#faults.guard(
      { step: 'tell', about: announcement.incident.explanation.root.ref, by: announcement.act },
      () => narrateShortly(withResolution(announcement, this.#world), context),
      () => statementOf(narratePlainly(announcement, context)),
    );
  }

  #wait(sample: SamplePod, message: Waiting, now: number): void {
    const { id } = message.announcement.incident;
    const known = this.#waiting.get(id);
    if (known) known.messages.push(message);
    else this.#waiting.set(id, { sample, messages: [message], until: now + evidenceWaitMs });
  }
}

/** An incident as somebody asks about it. */
function asked(incident: Incident, audience = wholeCluster): IncidentAnnouncement {
  const act = incident.state === 'Resolved' ? 'resolve' : 'open';
  return { act, incident, reasonCode: 'Asked', audience, providers: [] };
}

/** Updates about a failure that its readers have not read of: what was quoted before is of another. */
const aboutAnother: ReadonlySet<string> = new Set(['AnotherFailure', 'CauseChanged']);

/** Whether what is told is new to its readers: the log that explains it is read for it, and quoted. */
export function isQuoting(announcement: Announcement): announcement is IncidentAnnouncement {
  if (!('incident' in announcement)) return false;
  const { act, reasonCode, before, incident } = announcement;
  if (act !== 'update') return act === 'open' || act === 'reopen';
  // What is told first of what has changed may be that something went down by a failure of its own.
  const now = failureClass(incident.explanation.reason);
  const isOther = before !== undefined && now !== undefined && now !== failureClass(before.reason);
  return aboutAnother.has(reasonCode) || isOther;
}

/** The run whose log is quoted. */
function quoted(announcement: Announcement): SamplePod | undefined {
  const hasReaders = isQuoting(announcement) && announcement.providers.length > 0;
  return hasReaders ? announcement.incident.explanation.samplePod : undefined;
}

/**
 * An announcement with what its incident is known to be by now, as far as its audience may read that. One that has another root
 * since is told so by an update.
 */
function withNews(announcement: IncidentAnnouncement, current: Incident | undefined): IncidentAnnouncement {
  const { incident, audience } = announcement;
  if (current?.state !== incident.state || current.foldedInto !== undefined) return announcement;
  const explanation = viewFor(audience, current.explanation);
  const { root, reason } = incident.explanation;
  const isSame = explanation?.root.ref === root.ref && explanation.reason === reason;
  if (!isSame) return announcement;
  return { ...announcement, incident: { ...incident, explanation: asSureAsTold(explanation, current.blamed) } };
}
