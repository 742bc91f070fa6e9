import { BoundedMap } from '../../model/bounded-map.ts';
import type { Incident } from '../../model/incident.ts';
import type { Memo } from '../../model/memo.ts';
import type { Notification } from '../../model/notification.ts';
import { namespaceOf } from '../../model/ref.ts';
import type { Effects } from '../../model/turn.ts';
import {
  type HistoryQuestion,
  type InWords,
  isFound,
  isOfTime,
  type Searchable,
  searchable,
} from '../../server/past.ts';
import { packPast, unpackPast } from '../../state/past.ts';
import type { CoreView } from '../../turn/core-view.ts';

/** What is over is remembered for so long (ms). */
export const rememberedMs = 30 * 24 * 60 * 60_000;
/** Incidents that are remembered at most, those that ended last: about 3 KB of memory each. */
export const mostRemembered = 2_000;
/** Under this topic the store keeps them. */
const topic = 'history';

/** What is found and ordered without unpacking anything. */
type Entry = {
  readonly resolvedAt: number;
  readonly time: Incident;
  readonly text: Searchable;
  readonly packed: string;
};

/** What of an open incident is kept until it ends: how it stood when it failed last, and the log that was quoted. */
type Fullest = {
  readonly incident: Incident;
  readonly excerpt?: Notification['excerpt'];
  readonly words?: Notification;
};

type Words = Pick<CoreView, 'words'>;

/**
 * The incidents of the last 30 days that are over, each in the words that people read while it was open: what failed gets healthy
 * before it ends, and its log is gone by then. On Pro the store saves them, as memos; otherwise they begin with the process.
 */
export class History {
  readonly #view: Words;
  /** The namespace whose AlertProviders are told of everything. */
  readonly #operatorNamespace: string;
  /** By id, the one that ended first is the first. */
  readonly #past: BoundedMap<string, Entry>;
  readonly #open = new Map<string, Fullest>();
  #memos: Memo[] = [];

  /** `most`: how many are remembered. */
  constructor(view: Words, operatorNamespace: string, most = mostRemembered) {
    this.#view = view;
    this.#operatorNamespace = operatorNamespace;
    this.#past = new BoundedMap(most, ({ time }) => this.#memos.push({ topic, key: time.id }));
  }

  /** Takes over what an earlier process saved. `now`: epoch milliseconds. */
  restore(memos: readonly Memo[], now: number): void {
    const entries = memos.flatMap(({ topic: of, key, value }) => {
      if (of !== topic) return [];
      const past = typeof value === 'string' ? unpackPast(value) : undefined;
      // What another version wrote, and cannot be read, is forgotten.
      if (!past || typeof value !== 'string') this.#memos.push({ topic, key });
      return past && typeof value === 'string' ? [entryOf(past, value)] : [];
    });
    for (const entry of entries.toSorted((a, b) => a.resolvedAt - b.resolvedAt)) this.#past.set(entry.time.id, entry);
    this.#forgetOld(now);
  }

  /** One turn, before it is committed; what it returns is to be committed with it. `now`: epoch milliseconds. */
  take({ save }: Pick<Effects, 'save'>, now: number): readonly Memo[] {
    for (const { stream, provider, notification } of [...save.enqueue, ...save.replace])
      if (notification.excerpt && namespaceOf(provider) === this.#operatorNamespace)
        this.#quote(stream, notification.excerpt);
    for (const incident of save.incidents) this.#see(incident, now);
    for (const id of save.forget) this.#open.delete(id);
    this.#forgetOld(now);
    const memos = this.#memos;
    this.#memos = [];
    return memos;
  }

  /** How it was in the end, with what people read while it was open. `undefined`: it is not over, or nobody remembers it. */
  get(id: string): InWords | undefined {
    const entry = this.#past.get(id);
    return entry && unpackPast(entry.packed);
  }

  /** What is over and fits, what ended last first: as much of each as lists and counts need. */
  find(asked: HistoryQuestion): readonly Incident[] {
    if (asked.state === 'open') return [];
    const { search = '' } = asked;
    return [...this.#past.values()]
      .filter(({ time, text }) => isOfTime(time, asked) && (search === '' || isFound(text, search)))
      .map(({ time }) => time)
      .reverse();
  }

  /** Since when everything that ended is remembered (epoch milliseconds); `undefined`: nothing is. */
  get oldest(): number | undefined {
    for (const { resolvedAt } of this.#past.values()) return resolvedAt;
    return undefined;
  }

  #quote(id: string, excerpt: Notification['excerpt']): void {
    const known = this.#open.get(id);
    if (known && excerpt) this.#open.set(id, { ...known, excerpt });
  }

  #see(incident: Incident, now: number): void {
    const { id, state } = incident;
    if (state === 'Settling') return;
    const known = this.#open.get(id);
    if (state === 'Open') {
      // It may fail in another way than before it recovered: the words of then are not those of now.
      const excerpt = known?.excerpt ?? known?.words?.excerpt;
      this.#open.set(id, excerpt === undefined ? { incident } : { incident, excerpt });
      if (this.#past.delete(id)) this.#memos.push({ topic, key: id });
      return;
    }
    // The words of how it was are found at once: what they are made of goes.
    const words = this.#wordsOf(known, now) ?? this.get(id)?.words ?? this.#view.words(incident, now);
    if (state !== 'Resolved') {
      this.#open.set(id, { incident: known?.incident ?? incident, words });
      return;
    }
    this.#open.delete(id);
    const packed = packPast({ incident, words });
    this.#past.set(id, entryOf({ incident, words }, packed));
    this.#memos.push({ topic, key: id, value: packed });
  }

  #wordsOf(known: Fullest | undefined, now: number): Notification | undefined {
    if (!known) return undefined;
    const { incident, excerpt, words = this.#view.words(incident, now) } = known;
    return excerpt && !words.excerpt ? { ...words, excerpt } : words;
  }

  #forgetOld(now: number): void {
    for (const [id, { resolvedAt }] of this.#past.entries()) {
      if (resolvedAt >= now - rememberedMs) return;
      this.#past.delete(id);
      this.#memos.push({ topic, key: id });
    }
  }
}

function entryOf(past: InWords, packed: string): Entry {
  const { incident } = past;
  const { id, alertKey, state, startedAt, resolvedAt, revision, explanation } = incident;
  const { root, reason, severity, confidence, workloads, affected } = explanation;
  // What finding needs, and no more: it is held for each of thousands.
  const time: Incident = {
    ...{ id, alertKey, state, startedAt, revision, recoveries: [], standings: {}, hearings: {} },
    ...(resolvedAt !== undefined && { resolvedAt }),
    explanation: { root, reason, severity, confidence, workloads, affected, members: [], proof: [], trace: [] },
  };
  return { resolvedAt: resolvedAt ?? startedAt, time, text: searchable(past), packed };
}
