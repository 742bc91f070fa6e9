import type { StoryClock } from './clock.ts';
import type { Product } from './engine.ts';
import type { Answer, Message, Request } from './transcript.ts';

/** How a product answers: what it says, whether it has taken what it was asked, and after how long. */
type Behaviour = { readonly answer: Answer; readonly takes: boolean; readonly afterMs: number };

/** Nobody answers in the instant in which he is asked. */
const answerMs = 80;

const behaviours = {
  well: { answer: 'taken', takes: true, afterMs: answerMs },
  unavailable: { answer: 'unavailable', takes: false, afterMs: answerMs },
  resetBefore: { answer: 'reset', takes: false, afterMs: answerMs },
  resetAfter: { answer: 'reset', takes: true, afterMs: answerMs },
  timeoutBefore: { answer: 'timeout', takes: false, afterMs: 10_000 },
  timeoutAfter: { answer: 'timeout', takes: true, afterMs: 10_000 },
  limited: { answer: 'limited', takes: false, afterMs: answerMs },
  revoked: { answer: 'revoked', takes: false, afterMs: answerMs },
  refusing: { answer: 'refused', takes: false, afterMs: answerMs },
  hangsBefore: { answer: 'hangs', takes: false, afterMs: answerMs },
  hangsAfter: { answer: 'hangs', takes: true, afterMs: answerMs },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** How a product is. `Before` and `After`: whether it broke before or after it had taken the request. */
export type Mood = keyof typeof behaviours;

/** All the moods there are. */
export const moods: readonly Mood[] = Object.keys(behaviours).filter((name): name is Mood => name in behaviours);

/** Every product there is, each by the name of its AlertProvider, and a record of all that was asked of them. */
export class Products implements Product {
  readonly requests: Request[] = [];
  /** A product in no mood is well. A mood may be for some acts only. */
  readonly #moods = new Map<string, { readonly mood: Mood; readonly acts: readonly string[] | undefined }>();
  /** What trackers have under a key, by UID and key. */
  readonly #issues = new Map<string, string>();
  /** When everything was saved last: whatever had been answered before that instant. */
  #savedAt = Number.NEGATIVE_INFINITY;
  readonly #answeredAt = new Map<Request, number>();
  readonly #clock: StoryClock;

  constructor(clock: StoryClock) {
    this.#clock = clock;
  }

  /** From now on a product is like this; of `acts` only, where they are named. */
  set(name: string, mood: Mood, acts?: readonly Message['act'][]): void {
    this.#moods.set(name, { mood, acts });
  }

  /** How a product is. */
  moodOf(name: string): Mood {
    return this.#moods.get(name)?.mood ?? 'well';
  }

  /** Everything works. */
  heal(): void {
    this.#moods.clear();
  }

  async request(message: Message, ref: string | undefined): Promise<{ readonly answer: Answer; readonly ref: string }> {
    const { answer, takes, afterMs } = this.#behaviour(message);
    const made = takes ? this.#take(message, ref) : '';
    const request: Request = { ...message, at: this.#clock.now(), answer, taken: takes, thing: made, cut: false };
    this.requests.push(request);
    if (answer === 'hangs') return { answer, ref: made };
    await new Promise<void>((resolve) => {
      this.#clock.after(afterMs, resolve);
    });
    this.#answeredAt.set(request, this.#clock.now());
    return { answer, ref: made };
  }

  cutOff(message: Message, begunAt: number): void {
    const request: Request = { ...message, at: begunAt, answer: 'hangs', taken: false, thing: '', cut: true };
    this.requests.splice(this.requests.findLastIndex(({ at }) => at <= begunAt) + 1, 0, request);
  }

  find({ provider, uid, key }: Pick<Message, 'provider' | 'uid' | 'key'>): {
    readonly answer: Answer;
    readonly ref?: string;
  } {
    const { mood } = this.#moods.get(provider) ?? { mood: 'well' };
    const answer = behaviours[mood].answer;
    const ref = this.#issues.get(`${uid}|${key}`);
    return { answer, ...(ref !== undefined && { ref }) };
  }

  /** All that was known is saved. */
  saved(): void {
    this.#savedAt = this.#clock.now();
  }

  /** The process has died: it does not know how these ended. What was answered in the instant of saving may be saved or not. */
  cut(losesTail: boolean): void {
    const until = losesTail ? this.#savedAt : Number.POSITIVE_INFINITY;
    for (const request of this.requests)
      if ((this.#answeredAt.get(request) ?? Number.POSITIVE_INFINITY) >= until) request.cut = true;
  }

  #behaviour({ provider, act }: Message): Behaviour {
    const { mood, acts } = this.#moods.get(provider) ?? { mood: 'well', acts: undefined };
    return behaviours[acts === undefined || acts.includes(act) ? mood : 'well'];
  }

  /** What it made: a pager an alert of that key, a tracker an issue that is found by it, everybody else a message. */
  #take({ uid, key, act, family }: Message, ref: string | undefined): string {
    if (family === 'pager') return key;
    const made = ref ?? `${this.requests.length}`;
    if (family !== 'tracker') return made;
    if (act === 'resolve') this.#issues.delete(`${uid}|${key}`);
    else this.#issues.set(`${uid}|${key}`, made);
    return made;
  }
}
