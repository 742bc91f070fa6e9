import { type Delivery, deliveryKeys, testStream } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { actOf, type Telling } from '../model/telling.ts';

/** How long a message waits for evidence at most (the design's figure: a message never waits longer). */
export const evidenceWaitMs = 5_000;

/** The stream a telling's deliveries belong to: the incident, or the summary itself. */
export function streamOf(telling: Telling): string {
  return 'incident' in telling ? telling.incident.id : telling.id;
}

/** The order of a telling within its stream: an incident's revision, else 1 for the opening and 2 for the closing. */
function sequenceOf(telling: Telling): number {
  if ('incident' in telling) return telling.incident.revision;
  return telling.phase === 'opening' ? 1 : 2;
}

/**
 * One delivery per provider of a telling. Ids are hashes of what makes the delivery what it is, so that the same turn
 * replayed gives the same ids, and two providers of the same name in time are told apart by their UID.
 */
export function deliveriesOf(
  telling: Telling,
  notification: Notification,
  providers: ReadonlyMap<Ref, ProviderSettings>,
  now: number,
  notBefore: number,
): Delivery[] {
  const stream = streamOf(telling);
  const sequence = sequenceOf(telling);
  const act = actOf(telling);
  const alertKey = 'incident' in telling ? telling.incident.alertKey : (telling.alertKey ?? stream);
  return telling.providers.flatMap((provider) => {
    const settings = providers.get(provider);
    if (!settings) return [];
    return [
      {
        ...deliveryKeys(stream, settings.uid, act, sequence),
        stream,
        provider,
        act,
        sequence,
        alertKey,
        ...('incident' in telling && telling.incident.previous && { previous: telling.incident.previous.id }),
        createdAt: now,
        notBefore,
        notification,
      },
    ];
  });
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
    act: 'test',
    sequence: 1,
    alertKey: stream,
    createdAt: now,
    notBefore: now,
    notification,
  };
}
