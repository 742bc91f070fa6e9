import { percentile } from '../bench/numbers.ts';
import { table } from '../bench/table.ts';
import type { DiskFigure } from './disk.ts';
import { interruptedIn, judge, lagsOf, type Trial, type Verdict } from './judge.ts';
import { receiverNames } from './names.ts';
import type { StandbyTrial } from './standby.ts';

/** A trial with its name, and what its receiver that takes keys has dropped. */
export type Row = {
  readonly name: string;
  readonly trial: Trial;
  readonly dropped: number;
  /** Set where the host's clock is off: how long something has lasted is misjudged then, and told as another reason. */
  readonly isClockOff?: boolean;
};

/** What must be empty, whatever was done. */
const never = ['lostOpenings', 'lostEnds', 'unexplained', 'toldTwice', 'falseEnds', 'disorder'] as const;

/** Everything that must not be, in words; nothing where all went as promised. */
export function faultsOf({ name, trial, isClockOff = false }: Row): readonly string[] {
  const verdict = judge(trial, isClockOff);
  const kinds: readonly (keyof Verdict)[] = isClockOff ? never : [...never, 'falseAlarms'];
  const findings = kinds.flatMap((kind) => verdict[kind].map((words) => `${name}: ${kind}: ${words}`));
  const repeatsAfterKey = verdict.repeats.filter((words) => words.startsWith(receiverNames.keyed));
  return [...findings, ...repeatsAfterKey.map((words) => `${name}: repeated in spite of its key: ${words}`)];
}

/** The trials in which the process was killed. */
export function killTable(rows: readonly Row[]): string {
  const head = [
    ...[
      'trial',
      'killed',
      'pager out',
      'things broken',
      'messages',
      'to the fallback',
      'lost',
      'attempts interrupted',
      'repeats, plain receiver',
    ],
    ...[
      'repeats, receiver with keys',
      'repeats unexplained',
      'told twice',
      'false ends',
      'out of order',
      'false alarms',
    ],
  ];
  return table(
    head,
    rows.map(({ name, trial, dropped, isClockOff }) => {
      const verdict = judge(trial, isClockOff);
      return [
        ...[name, trial.kills.length, trial.outages ?? 0, trial.breaks.length, trial.taken.length],
        trial.taken.filter(({ receiver }) => receiver === receiverNames.spare).length,
        verdict.lostOpenings.length + verdict.lostEnds.length,
        ...[interruptedIn(trial), verdict.repeats.length, `0 (${dropped} dropped)`],
        ...[
          verdict.unexplained.length,
          verdict.toldTwice.length,
          verdict.falseEnds.length,
          verdict.disorder.length,
          verdict.falseAlarms.length,
        ],
      ].map(String);
    }),
  );
}

/** How long news took, restarts included. */
export function lagTable(rows: readonly Row[]): string {
  const words = (lags: readonly number[]): string =>
    lags.length === 0 ? '' : [0.5, 0.95, 1].map((share) => percentile(lags, share).toFixed(1)).join(' / ');
  return table(
    ['trial', 'from the break to its opening, s: median / p95 / worst', 'from the repair to its end, s'],
    rows.map(({ name, trial }) => {
      // What is out takes as long as it is out.
      const receivers = trial.receivers.filter((receiver) => receiver !== receiverNames.pager);
      const { openings, ends } = lagsOf({ ...trial, receivers });
      return [name, words(openings), words(ends)];
    }),
  );
}

/** What each failure of the disk came to. */
export function diskTable(figures: readonly DiskFigure[]): string {
  return table(
    ['the disk is', '`/health` says so after, s', 'messages delivered meanwhile', 'all is saved again after, s'],
    figures.map(({ failure, noticedSeconds, delivered, recoveredSeconds }) => [
      ...[failure, noticedSeconds.toFixed(1), String(delivered), recoveredSeconds.toFixed(1)],
    ]),
  );
}

/** What two Pods did. With a directory each the second knows nothing of before, so there is nothing to judge. */
export function standbyTable(
  rows: readonly { readonly name: string; readonly shared: boolean; readonly trial: StandbyTrial }[],
): string {
  const seconds = (value: number | undefined): string => value?.toFixed(1) ?? '';
  return table(
    [
      ...['two Pods', 'the second is ready after the first stopped, s', 'after the first woke or died, s'],
      ...['sent by the first once stopped', 'the first ends with', 'lost', 'repeats unexplained'],
    ],
    rows.map(({ name, shared, trial }) => {
      const verdict = judge(trial);
      const lost = verdict.lostOpenings.length + verdict.lostEnds.length;
      const judged = [lost, verdict.unexplained.length].map((count) => (shared ? String(count) : ''));
      return [
        ...[name, seconds(trial.takeoverSeconds), seconds(trial.directorySeconds), String(trial.sentByStopped)],
        ...[trial.exitCode === null ? 'SIGKILL' : `exit code ${trial.exitCode}`, ...judged],
      ];
    }),
  );
}
