import type { Message } from './notices.ts';
import { type Opening, originOf } from './openings.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Critical openings that go out by themselves within a minute: to a reader whom all share, and of one namespace to any. */
const mostInMinute = 20;
/** Of one namespace within an hour: whoever makes his own does not go on ringing. */
const mostInHour = 40;
/** Openings that are remembered, the newest: far more than an hour of many namespaces. */
const maxRemembered = 5_000;

/** What becomes of critical openings. */
export type Sifted = {
  readonly alone: readonly Message[];
  /** Too many at once: listed within seconds. */
  readonly soon: readonly Message[];
  /** Their namespace has rung all hour: listed like anything else. */
  readonly later: readonly Message[];
};

/**
 * The exemption from storms for what is critical: it is heard by itself at once, but not for ever. Where one namespace has many, the others have
 * their share of the minute all the same.
 */
export class Criticals {
  #alone: Opening[];

  /** Goes on from what went out by itself within the last hour. */
  constructor(alone: readonly Opening[] = []) {
    this.#alone = [...alone];
  }

  /** What went out by itself within the last hour. */
  memory(): readonly Opening[] {
    return [...this.#alone];
  }

  /** Nothing of the last hour is remembered. */
  get idle(): boolean {
    return this.#alone.length === 0;
  }

  advance(now: number): void {
    this.#alone = this.#alone.filter(({ at }) => at > now - hourMs).slice(-maxRemembered);
  }

  /** `isShared`: all namespaces together are to be readable, too. */
  sift(messages: readonly Message[], isShared: boolean, now: number): Sifted {
    const sifted = { alone: [] as Message[], soon: [] as Message[], later: [] as Message[] };
    const asking = new Set(messages.map(originOf));
    for (const message of messages) {
      const namespace = originOf(message);
      const way = this.#wayOf(namespace, asking, isShared, now);
      sifted[way].push(message);
      if (way === 'alone') this.#alone.push({ at: now, namespace });
    }
    return sifted;
  }

  #wayOf(namespace: string, asking: ReadonlySet<string>, isShared: boolean, now: number): keyof Sifted {
    const minute = this.#alone.filter(({ at }) => at > now - minuteMs);
    const own = (list: readonly Opening[]): number => list.filter((one) => one.namespace === namespace).length;
    if (own(this.#alone) >= mostInHour) return 'later';
    const ringing = new Set([...minute.map((one) => one.namespace), ...asking]).size;
    const share = isShared ? Math.floor(mostInMinute / ringing) : mostInMinute;
    const isFree = isShared && minute.length < mostInMinute;
    return own(minute) < share || isFree ? 'alone' : 'soon';
  }
}
