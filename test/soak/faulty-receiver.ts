import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver does with a request. `well` takes it. */
export const moods = ['well', 'failing', 'limiting', 'hanging', 'resetting'] as const;
/** One of them. */
export type Mood = (typeof moods)[number];

/** A message as it was taken. `at`: epoch milliseconds. */
export type Taken = {
  readonly at: number;
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly incident: { readonly id: string; readonly root: { readonly kind: string; readonly name: string } } | null;
};

/** A receiver whose mood can be changed. */
export type FaultyReceiver = {
  readonly url: string;
  readonly taken: readonly Taken[];
  /** Requests that were not taken, by mood. */
  readonly refused: Readonly<Record<Mood, number>>;
  mood: Mood;
  stop(): Promise<void>;
};

/** Longer than any time-out of the sender. Milliseconds. */
const hangMs = 60_000;

const answers: Readonly<Record<Exclude<Mood, 'well'>, (response: ServerResponse) => void>> = {
  failing: (response) => void response.writeHead(500).end('{"error":"out of order"}'),
  limiting: (response) => void response.writeHead(429, { 'retry-after': '20' }).end(),
  hanging: (response) => void setTimeout(() => response.destroy(), hangMs).unref(),
  resetting: (response) => void response.destroy(),
};

/** Starts it in mood `well`, on loopback. */
export async function startFaultyReceiver(): Promise<FaultyReceiver> {
  const taken: Taken[] = [];
  const refused: Record<Mood, number> = { well: 0, failing: 0, limiting: 0, hanging: 0, resetting: 0 };
  const receiver = { mood: 'well' as Mood };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { mood } = receiver;
      if (mood !== 'well') {
        refused[mood] += 1;
        answers[mood](response);
        return;
      }
      const { id, type, title, incident } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<Taken, 'at'>;
      taken.push({ at: Date.now(), id, type, title, incident });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/alerts`,
    taken,
    refused,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
