import { type Fact, isDoubtful, type Message, type Reader, type Request, type Transcript } from './transcript.ts';

/** Acts of one incident, in the words of the products. */
const ownActs: ReadonlySet<Message['act']> = new Set(['open', 'update', 'resolve', 'reopen']);

/** Whether a message is about one incident, or ends the one alert that stands for a list. */
export const isOwn = ({ act }: Message): boolean => ownActs.has(act);

/** Whether a message says that something is broken. */
export const isOpening = ({ act }: Message): boolean => act === 'open' || act === 'reopen';

/** Whether a message remarks whom it stands in for. */
export const isRemark = ({ act, note }: Message): boolean => act === 'update' && /could not be told|\bvia /.test(note);

/** Whether nobody but the product knows that it has this. */
export const wasDoubtful = ({ answer, cut }: Request): boolean => cut || isDoubtful(answer);

/** Everything asked of one provider about one incident or list, in order. */
export function lanesOf({ requests }: Transcript): readonly (readonly [Request, ...Request[]])[] {
  const lanes = new Map<string, [Request, ...Request[]]>();
  for (const request of requests) {
    const lane = `${request.uid} ${request.stream}`;
    const known = lanes.get(lane);
    if (known) known.push(request);
    else lanes.set(lane, [request]);
  }
  return [...lanes.values()];
}

/** The truth about incidents, by time. */
export class Truth {
  readonly #facts: ReadonlyMap<string, readonly Fact[]>;

  constructor({ facts }: Transcript) {
    this.#facts = Map.groupBy(facts, ({ incident }) => incident);
  }

  /** What was so of an incident at an instant. */
  at(incident: string, instant: number): Fact | undefined {
    return this.#facts.get(incident)?.findLast(({ at }) => at <= instant);
  }

  /** All that was ever so of an incident. */
  of(incident: string): readonly Fact[] {
    return this.#facts.get(incident) ?? [];
  }

  /** The incidents that are open at an instant and told by themselves. */
  openAt(instant: number): readonly Fact[] {
    return [...this.#facts.keys()].flatMap((incident) => {
      const fact = this.at(incident, instant);
      return fact?.state === 'Open' && !fact.folded ? [fact] : [];
    });
  }

  /** Whether an incident was broken at an instant, however well it looks. */
  isBroken(incident: string, instant: number): boolean {
    const state = this.at(incident, instant)?.state;
    return state === 'Open' || state === 'Recovering';
  }

  /** Since when an incident has been what it is now: from its beginning, or from its last return. */
  beganAt(incident: string, instant: number): number {
    const facts = this.of(incident).filter(({ at }) => at <= instant);
    const lastEnd = facts.findLastIndex(({ state }) => state === 'Resolved');
    return facts[lastEnd + 1]?.at ?? facts[0]?.at ?? 0;
  }
}

/** Who was a reader at an instant. */
export function readersAt({ rosters }: Transcript, instant: number): readonly Reader[] {
  return rosters.findLast(({ at }) => at <= instant)?.readers ?? [];
}

/** Whether what is so of an incident concerns a reader, and its routes pick it. */
export function picks({ severities, namespaces, home }: Reader, { severity, root }: Fact): boolean {
  const namespace = root.split('/')[1] ?? '';
  const isTheirs = home === undefined || home === namespace;
  return isTheirs && (severities?.includes(severity) ?? true) && (namespaces?.includes(namespace) ?? true);
}

/** Requests as a person reads a fault: seconds since the start, what was asked, and what became of it. */
export function briefly(transcript: Transcript, requests: readonly Request[]): string {
  const start = transcript.rosters[0]?.at ?? 0;
  const words: { readonly second: number; readonly says: string; times: number }[] = [];
  for (const { at, act, severity, answer, taken, note, cut } of requests) {
    const how = answer === 'taken' ? '' : ` (${answer}${taken ? ', but taken' : ''})`;
    const says = `${act} ${severity}${how}${note.includes('via ') ? ' via' : ''}${cut ? ', cut off' : ''}`;
    const last = words.at(-1);
    if (last?.says === says) last.times += 1;
    else words.push({ second: Math.round((at - start) / 1000), says, times: 1 });
  }
  const told = words.map(({ second, says, times }) => `${second}s ${says}${times > 1 ? ` ×${times}` : ''}`);
  return told.length === 0 ? 'nothing' : told.join(', ');
}
