/** One thing that was broken on purpose, under a name that is used once. Epoch milliseconds. */
export type Break = {
  readonly name: string;
  readonly brokenAt: number;
  mendedAt?: number;
  /** How it ended. */
  ending?: 'mended' | 'deleted';
  /** It lasted until it was told, or longer than anybody should have to wait. What was shorter need not be told. */
  readonly lasts: boolean;
};

/** A message as a receiver took it. `at`: epoch milliseconds, when all of it was there. */
export type Taken = {
  readonly receiver: string;
  readonly at: number;
  /** What the receiver may drop repeats by. */
  readonly key: string;
  readonly type: string;
  readonly title: string;
  /** Names of what a summary lists. */
  readonly listed: readonly string[];
  /** Absent for what is about no incident. */
  readonly incident?: { readonly id: string; readonly revision: number; readonly root: string };
};

/** All that a judge is told: what was done to the cluster, when the process was killed, and what arrived. */
export type Trial = {
  /** Who must hear of everything. */
  readonly receivers: readonly string[];
  /** Who hears only what others could not be told, if need be nothing but the end. */
  readonly spares?: readonly string[];
  readonly breaks: readonly Break[];
  /** When the process was killed; epoch milliseconds. */
  readonly kills: readonly number[];
  /** How often the pager was out. */
  readonly outages?: number;
  readonly taken: readonly Taken[];
};

/** What became of it, each finding in words. */
export type Verdict = {
  /** A break that lasted, and a receiver that was never told. */
  readonly lostOpenings: readonly string[];
  /** An incident that a receiver was told of, and never that it is over. */
  readonly lostEnds: readonly string[];
  /** The same message once more, after a kill that left its attempt without an outcome. */
  readonly repeats: readonly string[];
  /** The same message once more, and no kill that explains it. */
  readonly unexplained: readonly string[];
  /** The same news told in two messages: one break opened, reopened or ended twice, with the same reason. */
  readonly toldTwice: readonly string[];
  /** Ends of what was still broken. */
  readonly falseEnds: readonly string[];
  /** What came in another order than it happened in. */
  readonly disorder: readonly string[];
  /** Openings about nothing that was broken, and second ones about what was, with another reason. */
  readonly falseAlarms: readonly string[];
};

/** How long after a message was taken its outcome may not be saved yet: the answer is under way, then the disk is. Milliseconds. */
const unsettledMs = 2_000;
/** How long after its sender was killed a message that was under way may arrive. Milliseconds. */
const underWayMs = 500;

const openings: ReadonlySet<string> = new Set(['incident.opened', 'incident.reopened']);
const isOpening = ({ type }: Taken): boolean => openings.has(type);
const isEnd = ({ type }: Taken): boolean => type === 'incident.resolved';

/** What a message says of each fault that is made, whatever else it says of what follows from it. */
const ownWords: readonly (readonly [fault: RegExp, says: RegExp])[] = [
  [/-crash$/, /\bcrash(?:es|ing)\b/],
  [/-image$/, /\bits image\b/],
  [/-secret$/, /\bSecret\b/],
];

/** Whether a message tells what was broken, and not only how long something has lasted. */
const tellsFault = ({ title }: Taken, name: string): boolean =>
  ownWords.every(([fault, says]) => !fault.test(name) || says.test(title));

/**
 * Holds what arrived against what was done. Knows nothing of how the operator works. `isClockOff`: there may be alarms about how long something
 * has lasted, which are over as soon as it is so for a moment, and false as those are.
 */
export function judge({ receivers, spares = [], breaks, kills, taken }: Trial, isClockOff = false): Verdict {
  const sorted = taken.toSorted((a, b) => a.at - b.at);
  const readers = [...receivers, ...spares];
  const byReceiver = readers.map((name) => sorted.filter(({ receiver }) => receiver === name));
  const each = (look: (messages: readonly Taken[], receiver: string) => readonly string[]): readonly string[] =>
    byReceiver.flatMap((messages, index) => look(messages, readers[index] ?? ''));
  const repeated = byReceiver.flatMap((messages) => repeatsIn(messages, kills));
  return {
    lostOpenings: each((messages, receiver) =>
      breaks
        .filter(
          ({ name, lasts }) =>
            lasts && receivers.includes(receiver) && !messages.some((message) => tells(message, name)),
        )
        .map(({ name }) => `${receiver}: ${name} was never told open`),
    ),
    lostEnds: each((messages) => unendedIn(messages)),
    repeats: repeated.filter(({ explained }) => explained).map(({ words }) => words),
    unexplained: repeated.filter(({ explained }) => !explained).map(({ words }) => words),
    toldTwice: each((messages, receiver) => breaks.flatMap(({ name }) => twiceIn(messages, name, receiver))),
    falseEnds: each((messages) => falseEndsIn(messages, breaks, isClockOff)),
    disorder: each((messages, receiver) => disorderIn(messages, spares.includes(receiver))),
    falseAlarms: each((messages) => falseAlarmsIn(messages, breaks)),
  };
}

/** Whether a message says that this is broken: by itself, or in a summary of what is. */
function tells(message: Taken, name: string): boolean {
  return (isOpening(message) && isAbout(message, name)) || message.listed.includes(name);
}

/** Whether a message is news of this break. */
export function isAbout({ incident }: Taken, name: string): boolean {
  return incident?.root === name;
}

/** Seconds from each break to its first opening, and from each repair to its end, at each receiver. */
export function lagsOf({ receivers, breaks, taken }: Pick<Trial, 'receivers' | 'breaks' | 'taken'>): {
  readonly openings: readonly number[];
  readonly ends: readonly number[];
} {
  const first = (name: string, receiver: string, matches: (message: Taken) => boolean): Taken | undefined =>
    taken.find((message) => message.receiver === receiver && matches(message) && isAbout(message, name));
  const lags = (from: (each: Break) => number | undefined, matches: (message: Taken) => boolean): readonly number[] =>
    breaks.flatMap((each) =>
      receivers.flatMap((receiver) => {
        const since = from(each);
        const told = first(each.name, receiver, matches);
        return since === undefined || told === undefined ? [] : [(told.at - since) / 1000];
      }),
    );
  return {
    openings: lags(({ brokenAt, lasts }) => (lasts ? brokenAt : undefined), isOpening),
    ends: lags(({ mendedAt }) => mendedAt, isEnd),
  };
}

/** Messages whose attempt a kill left without an outcome, as far as a receiver can know. */
export function interruptedIn({ kills, taken }: Pick<Trial, 'kills' | 'taken'>): number {
  return taken.filter(({ at }) => kills.some((kill) => kill >= at - underWayMs && kill <= at + unsettledMs)).length;
}

function wordsOf({ receiver, at, type, title, key, incident }: Taken): string {
  return `${receiver} ${new Date(at).toISOString()} ${type} #${incident?.revision ?? '-'} ${key} "${title}"`;
}

function repeatsIn(
  messages: readonly Taken[],
  kills: readonly number[],
): readonly { readonly words: string; readonly explained: boolean }[] {
  return [...Map.groupBy(messages, ({ key }) => key).values()].flatMap((alike) =>
    alike.slice(1).map((later, index) => {
      const earlier = alike[index] ?? later;
      // Each of them needs a kill of its own: the next one counts from here.
      const kill = kills.find((at) => at >= earlier.at - underWayMs && at <= later.at);
      return { words: wordsOf(later), explained: kill !== undefined && kill - earlier.at <= unsettledMs };
    }),
  );
}

function byIncident(messages: readonly Taken[]): readonly (readonly Taken[])[] {
  return [...Map.groupBy(messages, ({ incident }) => incident?.id)].flatMap(([id, own]) =>
    id === undefined ? [] : [own],
  );
}

function unendedIn(messages: readonly Taken[]): readonly string[] {
  return byIncident(messages).flatMap((own) => {
    const opened = own.findLast(isOpening);
    const isOver = own.findLastIndex(isEnd) > own.findLastIndex(isOpening);
    return opened === undefined || isOver ? [] : [`${wordsOf(opened)} was never told to be over`];
  });
}

function twiceIn(messages: readonly Taken[], name: string, receiver: string): readonly string[] {
  const own = messages.filter((message) => isAbout(message, name) && (isOpening(message) || isEnd(message)));
  return [...Map.groupBy(own, (message) => `${isEnd(message) ? 'end' : 'opening'} ${message.title}`)].flatMap(
    ([news, alike]) => {
      const keys = new Set(alike.map(({ key }) => key));
      return keys.size > 1 ? [`${receiver}: ${news} in ${keys.size} messages`] : [];
    },
  );
}

function falseEndsIn(messages: readonly Taken[], breaks: readonly Break[], isClockOff: boolean): readonly string[] {
  return breaks.flatMap(({ name, mendedAt = Number.POSITIVE_INFINITY }) => {
    const opened = (id: string | undefined): readonly Taken[] =>
      messages.filter((each) => isOpening(each) && each.incident?.id === id);
    return messages
      .filter((each) => isEnd(each) && isAbout(each, name) && each.at < mendedAt)
      .filter(({ incident }) => !isClockOff || opened(incident?.id).some((each) => tellsFault(each, name)))
      .map(wordsOf);
  });
}

function falseAlarmsIn(messages: readonly Taken[], breaks: readonly Break[]): readonly string[] {
  const byRoot = Map.groupBy(messages.filter(isOpening), ({ incident }) => incident?.root ?? '');
  const broken = new Set(breaks.map(({ name }) => name));
  return [...byRoot].flatMap(([root, own]) => {
    const [first] = own;
    return own.filter(({ title }) => !broken.has(root) || title !== first?.title).map(wordsOf);
  });
}

/** `isSpare`: it may hear of an end alone, which another could not be told. */
function disorderIn(messages: readonly Taken[], isSpare: boolean): readonly string[] {
  return byIncident(messages).flatMap((own) =>
    own.flatMap((message, index) => {
      const before = own[index - 1];
      if (before === undefined)
        return isOpening(message) || (isSpare && isEnd(message)) ? [] : [`${wordsOf(message)} came without an opening`];
      const [revision, last] = [message.incident?.revision ?? 0, before.incident?.revision ?? 0];
      const goesOn = revision > last || (revision === last && message.key === before.key);
      return goesOn ? [] : [`${wordsOf(message)} came after #${last}`];
    }),
  );
}
