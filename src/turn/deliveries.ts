import { type Announcement, actOf } from '../model/announcement.ts';
import { type Delivery, deliveryKeys, testStream } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { chatTraits, keepsUpToDate, type Traits } from '../model/traits.ts';

/** How long a message waits for evidence at most (the design's figure: a message never waits longer). */
export const evidenceWaitMs = 5_000;

/** The stream a telling's deliveries belong to: the incident, or the summary itself. */
export function streamOf(announcement: Announcement): string {
  return 'incident' in announcement ? announcement.incident.id : announcement.id;
}

/** The order of a announcement within its stream: an incident's revision, else 1 for the opening and 2 for the closing. */
function sequenceOf(announcement: Announcement): number {
  if ('incident' in announcement) return announcement.incident.revision;
  return announcement.sequence ?? (announcement.phase === 'opening' ? 1 : 2);
}

/**
 * One delivery per provider of a announcement. Ids are hashes of what makes the delivery what it is, so that the same turn
 * replayed gives the same ids, and two providers of the same name in time are told apart by their UID.
 */
export function deliveriesOf(
  announcement: Announcement,
  notification: Notification,
  { providers, traits }: { readonly providers: ReadonlyMap<Ref, ProviderSettings>; readonly traits: Traits },
  now: number,
  notBefore: number,
): Delivery[] {
  const stream = streamOf(announcement);
  const sequence = sequenceOf(announcement);
  const act = actOf(announcement);
  const alertKey = 'incident' in announcement ? announcement.incident.alertKey : (announcement.alertKey ?? stream);
  return announcement.providers.flatMap((provider) => {
    const settings = providers.get(provider);
    if (!settings) return [];
    return [
      {
        ...deliveryKeys(stream, settings.uid, act, sequence),
        stream,
        provider,
        providerUid: settings.uid,
        act,
        sequence,
        alertKey,
        ...('incident' in announcement &&
          announcement.incident.previous && { previous: announcement.incident.previous.id }),
        ...('again' in announcement && announcement.again && { again: true }),
        ...(act === 'resolve' && isUnsent(settings, traits) && { unsent: true }),
        createdAt: now,
        notBefore,
        notification,
      },
    ];
  });
}

/** Whether a provider wants to hear of no end, and has no message that would show it. */
function isUnsent(provider: ProviderSettings, traits: Traits): boolean {
  return provider.sendResolved === false && !keepsUpToDate(traits.get(provider.type) ?? chatTraits, provider);
}

/** The delivery of a test message, asked for by annotation. Each nonce is a message of its own. */
export function testDelivery(
  provider: ProviderSettings,
  nonce: string,
  notification: Notification,
  now: number,
): Delivery {
  const stream = testStream(provider.uid, nonce);
  return {
    ...deliveryKeys(stream, provider.uid, 'test', 1),
    stream,
    provider: provider.ref,
    providerUid: provider.uid,
    act: 'test',
    sequence: 1,
    alertKey: stream,
    createdAt: now,
    notBefore: now,
    notification,
  };
}
