import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Dispatcher, WebSocket } from 'undici';
import type { Clock } from '../model/clock.ts';
import { type Conversation, TransportError } from '../providers/provider.ts';

/** Products ping every half a minute or less; a connection on which nothing comes for so long is dead. Milliseconds. */
const silentMs = 90_000;
/** Of one message, before and after it is inflated: a connection with a larger one ends. For the dispatcher, whose default is 128 MiB. */
export const conversationLimits = { maxPayloadSize: 1024 * 1024 } as const;
/** Where undici says that a ping has come. */
const pings = 'undici:websocket:ping';

/** With what a conversation is held. `timeoutMs`: until it is open. */
export type ConversationOptions = {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly timeoutMs: number;
};

/**
 * Holds a conversation over a WebSocket until either side ends it, or nothing comes any more. Rejects with `TransportError`, which names the
 * host at most, where it does not come about.
 */
export async function converse(
  url: URL,
  { signal, heard }: Omit<Conversation, 'url'>,
  { dispatcher, clock, timeoutMs }: ConversationOptions,
): Promise<void> {
  const socket = new WebSocket(url, { dispatcher });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOpen = false;
  let isLate = false;
  let cancel = clock.after(timeoutMs, () => {
    isLate = true;
    end();
  });
  const alive = (): void => {
    cancel();
    cancel = clock.after(silentMs, end);
  };
  const pinged = (message: unknown): void => {
    if (Object(message).websocket === socket) alive();
  };
  const stop = (): void => end();
  subscribe(pings, pinged);
  signal.addEventListener('abort', stop, { once: true });
  socket.addEventListener('open', () => {
    isOpen = true;
    alive();
  });
  socket.addEventListener('message', ({ data }) => {
    alive();
    if (typeof data === 'string' && !signal.aborted) heard(data, { say: (text) => socket.send(text), end });
  });
  for (const type of ['close', 'error'] as const) socket.addEventListener(type, stop);
  try {
    await ended;
  } finally {
    cancel();
    unsubscribe(pings, pinged);
    signal.removeEventListener('abort', stop);
    socket.close();
  }
  if (isOpen || signal.aborted) return;
  const why = isLate
    ? `no answer from ${url.host} within ${timeoutMs / 1000} s`
    : `${url.host} does not open a WebSocket`;
  throw new TransportError(isLate ? 'Timeout' : 'Unreachable', why, false);
}
