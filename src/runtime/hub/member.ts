import { randomUUID } from 'node:crypto';
import { jittered } from '../../model/backoff.ts';
import type { Clock } from '../../model/clock.ts';
import type { ClusterRow, HubView, HubWord, OutsideCause } from '../../model/hub.ts';
import type { Secret } from '../../model/secret.ts';
import { type SecretSource, whyUnopened } from '../../model/secret-source.ts';
import type { Settings } from '../../model/settings.ts';
import type { Input } from '../../model/turn.ts';
import { type Send, TransportError } from '../../providers/provider.ts';
import { fieldsOf, isLongEnough, leastKeyChars, parsed, seal, unseal } from './envelope.ts';
import { type HubAnswer, readAnswer, type Summary } from './summary.ts';

/** A summary is posted this often, a little earlier by chance; while an answer is waited for, this often; and not more often than this (ms). */
const [everyMs, askingMs, fastestMs] = [15_000, 2_000, 500];
/** So often an answer is asked for that quickly: by then nobody waits for it any more. */
const mostAsking = 10;
const jitterShare = 0.2;
/** What the hub has told counts as told for so long after each answer, and an answer is worth waiting for so long after the last (ms). */
const holdsMs = 60_000;
/** What it had told and has not as it is now counts no longer than this (ms). */
const graceMs = 10_000;

/** What a member of a hub works with. */
export type HubMemberOptions = {
  readonly clock: Clock;
  /** The host's own: the hub compares it with its own. */
  readonly hostNow: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly send: Send;
  /** Opens the key: the value `key`. `fresh`: read again. */
  readonly open: (fresh: boolean) => ReturnType<SecretSource['open']>;
  /** Whether what is open is known: before, a summary would say that all is well. */
  readonly isReady: () => boolean;
  /** What a summary says besides the causes outside. */
  readonly about: () => Omit<ClusterRow, 'heardAt'>;
  readonly push: (input: Input) => void;
  readonly count: (outcome: 'answered' | 'failed') => void;
  /** It is another than before. */
  readonly changed: (view: HubView) => void;
};

/** Posts what this cluster has of causes outside to a hub, and hands on what the hub says of them. It is asked again and again, so that its word can lapse. */
export class HubMember {
  readonly #options: HubMemberOptions;
  #url: string | undefined;
  #view: HubView = { is: 'off' };
  #causes: readonly OutsideCause[] = [];
  #seen = '[]';
  #word: HubWord | undefined;
  /** How often in a row something was not answered yet. */
  #waiting = 0;
  #failures = 0;
  #isPosting = false;
  #cancel = (): void => undefined;
  /** Which configuration it is: an answer to an older one says nothing. */
  #epoch = 0;

  constructor(options: HubMemberOptions) {
    this.#options = options;
  }

  /** How it stands with the hub. */
  view(): HubView {
    return this.#view;
  }

  /** Follows the settings. Another hub has said nothing yet. */
  configure({ url, enabled }: Pick<Settings['hub'], 'url' | 'enabled'>): void {
    const wanted = enabled ? undefined : url;
    if (wanted === this.#url) return;
    this.stop();
    this.#url = wanted;
    this.#failures = 0;
    if (this.#word) this.#options.push({ kind: 'hub' });
    this.#word = undefined;
    this.#become({ is: wanted === undefined ? 'off' : 'pending' });
    if (wanted !== undefined) this.#after(0);
  }

  /** What there is now of causes outside: what is new is posted at once. Absent: this cluster has no hub. */
  follow(causes: readonly OutsideCause[] = []): void {
    const text = JSON.stringify(causes);
    if (text === this.#seen) return;
    this.#seen = text;
    this.#causes = causes;
    // What is new is asked about anew.
    this.#waiting = 0;
    if (this.#url !== undefined && !this.#isPosting) this.#after(fastestMs);
  }

  /** Nothing is posted any more. */
  stop(): void {
    this.#epoch += 1;
    this.#url = undefined;
    this.#isPosting = false;
    this.#cancel();
  }

  #after(milliseconds: number): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(milliseconds, () => void this.#post());
  }

  async #post(): Promise<void> {
    const { isReady, random, count } = this.#options;
    const [epoch, url, seen] = [this.#epoch, this.#url, this.#seen];
    if (url === undefined) return;
    if (!isReady()) return this.#after(askingMs);
    this.#isPosting = true;
    const causes = this.#causes;
    const askedAt = this.#options.clock.now();
    const answered = await this.#ask(url, causes);
    if (epoch !== this.#epoch) return;
    this.#isPosting = false;
    const isAnswer = typeof answered !== 'string';
    count(isAnswer ? 'answered' : 'failed');
    this.#failures = isAnswer ? 0 : this.#failures + 1;
    if (isAnswer) this.#take(answered, causes, askedAt);
    const isOpen = isAnswer ? causes.some((cause) => isAwaited(cause, answered)) : causes.length > 0;
    this.#waiting = isOpen ? this.#waiting + 1 : 0;
    this.#become(isAnswer ? { is: 'answering', name: answered.name } : { is: 'failing', why: answered });
    if (seen !== this.#seen) this.#after(fastestMs);
    else if (this.#waiting > 0 && this.#waiting <= mostAsking) this.#after(askingMs);
    else this.#after(jittered(everyMs, jitterShare, random()));
  }

  /** What the hub answers, or why it did not. */
  async #ask(url: string, causes: readonly OutsideCause[]): Promise<HubAnswer | string> {
    const { open, send, about, hostNow } = this.#options;
    try {
      const opened = await open(this.#failures > 0);
      if ('missing' in opened) return whyUnopened(opened, 'the Secret of hub.key');
      const key = opened.values.get('key');
      if (key === undefined || !isLongEnough(key)) return `hub.key has fewer than ${leastKeyChars} characters`;
      const nonce = randomUUID();
      const summary: Summary = { ...about(), at: hostNow(), nonce, causes };
      const body = seal(key, 'summary', JSON.stringify(summary));
      const address = new URL(`${url.replace(/\/$/, '')}/hub`);
      const headers = { 'content-type': 'application/json' };
      const answer = await send({ method: 'POST', url: address, headers, body });
      if (answer.status !== 200) return whyRefused(answer.status, answer.body);
      return answerIn(answer.body, key, nonce);
    } catch (error) {
      return error instanceof TransportError ? error.message : 'the API server does not give out the Secret of hub.key';
    }
  }

  /** `now`: when it was asked (epoch milliseconds): whoever keeps an answer back gains nothing by that. */
  #take({ name, verdicts }: HubAnswer, causes: readonly OutsideCause[], now: number): void {
    const before = this.#word?.told ?? {};
    const told = causes.flatMap(({ id }): [string, number][] => {
      if (verdicts[id] === 'told') return [[id, now + holdsMs]];
      const until = verdicts[id] === 'pending' ? Math.min(before[id] ?? 0, now + graceMs) : 0;
      return until > now ? [[id, until]] : [];
    });
    const declined = causes.flatMap(({ id }) => (verdicts[id] === 'declined' ? [id] : []));
    this.#word = { name, awaitedUntil: now + holdsMs, told: Object.fromEntries(told), declined };
    this.#options.push({ kind: 'hub', word: this.#word });
  }

  #become(view: HubView): void {
    const isNews = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#view = view;
    if (isNews) this.#options.changed(view);
  }
}

/** Whether a cluster waits for the hub to tell it: what has settled, and was neither told nor declined. */
const isAwaited = ({ id, isUnsettled }: OutsideCause, { verdicts }: HubAnswer): boolean =>
  !isUnsettled && verdicts[id] !== 'told' && verdicts[id] !== 'declined';

/** An answer to this very summary, or why it is none. */
function answerIn(body: string, key: Secret, nonce: string): HubAnswer | string {
  const text = unseal(key, 'answer', body);
  const answer = text === undefined ? undefined : readAnswer(text);
  if (answer === undefined) return 'what answers there has not the key of the hub';
  return answer.to === nonce ? answer : 'the answer is to another summary';
}

/** Characters of a refusal that are shown. */
const maxRefusal = 200;

/** What the hub says of a refusal; what else answers there may say anything. */
function whyRefused(status: number, body: string): string {
  const { message } = fieldsOf(parsed(body));
  const says = typeof message === 'string' ? `: ${message.replace(/[^\x20-\x7e]/g, ' ').slice(0, maxRefusal)}` : '';
  return `it answered ${status}${says}`;
}
