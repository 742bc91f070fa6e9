import type { WebhookEvent } from '../kit.ts';

/**
 * The headers of one request: CloudEvents 1.0 in binary mode (HTTP binding §3.1), Standard Webhooks (its signature is in signature.ts),
 * and `Idempotency-Key`. `now`: epoch milliseconds of this attempt, the only thing that differs between retries.
 */
export function eventHeaders(event: WebhookEvent, now: number): Readonly<Record<string, string>> {
  return {
    ...ownHeaders(event, now),
    'ce-specversion': '1.0',
    'ce-id': event.id,
    // A URI reference, which is then written as any header is: a space of a cluster's name becomes %20, and that %2520.
    'ce-source': encoded(encodeURI(`/${event.source}`)),
    'ce-type': `tocsin.${event.type}.v${event.version}`,
    'ce-time': event.timestamp,
    ...(event.incident && { 'ce-subject': encoded(event.incident.id) }),
  };
}

/** Those of a body that is not Tocsin's own: it is no event of ours, and its repeat is known all the same. */
export function ownHeaders({ id }: Pick<WebhookEvent, 'id'>, now: number): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
  };
}

/** CloudEvents HTTP binding §3.1.3.2: UTF-8 bytes outside U+0021 to U+007E, and space, `"` and `%`, are percent-encoded. */
function encoded(value: string): string {
  return value
    .toWellFormed()
    .replace(/[^\x21-\x7e]|["%]/gu, (character) =>
      [...new TextEncoder().encode(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}
