import type { AuditEntry, AuditSettings, AuditView } from '../../model/audit.ts';
import type { Clock } from '../../model/clock.ts';
import { type Edition, includes } from '../../model/edition.ts';
import type { Memo } from '../../model/memo.ts';
import type { AuditSink } from './audit-file.ts';
import { AuditLog } from './audit-log.ts';
import { type AuditLine, lineOf, readLine } from './entries.ts';
import type { Loss } from './waiting-lines.ts';

/** What is not written gets this long when the log ends or goes elsewhere; milliseconds. */
const farewellMs = 5_000;
/** Under this topic the store remembers lines that are not written yet. */
const topic = 'audit';
const lossKey = 'loss';

/** What the audit log works with. */
export type AuditingOptions = {
  readonly clock: Clock;
  /** Tells the lines of this process from those of every other. */
  readonly run: string;
  readonly holdsLock: () => boolean;
  readonly committed: () => Promise<void> | undefined;
  /** The place that a path means; `repaired` makes the line that tells what was torn. */
  readonly sink: (path: string, repaired: (torn: string) => AuditLine) => AuditSink;
  /** What the first line says of this process. */
  readonly about: { readonly tocsin: string; readonly cluster: string };
  /** Told of lines that are safe or lost. */
  readonly count: (outcome: 'written' | 'lost', lines: number) => void;
  /** It begins to fail, with why, or works again. */
  readonly changed: (path: string, failure: string | undefined) => void;
};

/**
 * The audit log as the settings have it now: begun, moved and ended with them. What is not written yet is handed to whoever saves the
 * turn, as memos, so that it is written after a restart.
 */
export class Auditing {
  readonly #options: AuditingOptions;
  #log: AuditLog | undefined;
  #settings: AuditSettings = { enabled: false, path: '' };
  #licensed = false;
  #logs = 0;
  #lost = 0;
  /** Keys of the lines that the store remembers, and of those that it may forget. */
  readonly #remembered = new Set<string>();
  #forgettable: string[] = [];
  #toldLoss: Loss | undefined;
  #left: { readonly lines: readonly AuditLine[]; readonly loss: Loss | undefined } = { lines: [], loss: undefined };

  constructor(options: AuditingOptions) {
    this.#options = options;
  }

  /** Takes over what an earlier process had not written; to be called before the first settings. */
  restore(memos: readonly Memo[]): void {
    const own = memos.filter((memo) => memo.topic === topic);
    const lines = own.flatMap(({ value }) => (typeof value === 'string' ? (readLine(value) ?? []) : []));
    for (const { key } of own) this.#remembered.add(key);
    this.#left = { lines, loss: lossOf(own.find(({ key }) => key === lossKey)?.value) };
    this.#toldLoss = this.#left.loss;
  }

  /** Follows the settings. */
  configure(settings: AuditSettings, edition: Edition): void {
    const licensed = includes(edition, 'auditLog');
    const wanted = settings.enabled && licensed;
    const moved = wanted && settings.path !== this.#settings.path;
    this.#settings = settings;
    this.#licensed = licensed;
    if (this.#log && (!wanted || moved)) this.#leave(wanted ? 'Moved' : licensed ? 'Disabled' : 'NotLicensed');
    if (wanted && !this.#log) this.#begin(edition);
    // Nobody will write what was left.
    if (!wanted) this.#forgetLeft();
  }

  /** Takes in what happened. Returns what is to be saved in the transaction of the turn that it is of. */
  record(entries: readonly AuditEntry[]): readonly Memo[] {
    const lines = this.#log ? entries.flatMap((entry) => this.#push(entry) ?? []) : [];
    const forgotten = this.#forgettable.map((key): Memo => ({ topic, key }));
    this.#forgettable = [];
    return [...forgotten, ...lines.map((line): Memo => this.#memoOf(line)), ...this.#lossMemos()];
  }

  /** The state lock is held from now on, or not any more. */
  lock(held: boolean): void {
    if (this.#log) this.#push({ kind: 'lock', time: this.#time(), held });
    if (held) this.#log?.resume();
  }

  view(): AuditView {
    const failure = this.#log?.failure;
    return {
      ...this.#settings,
      licensed: this.#licensed,
      ...(failure !== undefined && { failure }),
      lost: this.#lost,
    };
  }

  /** Writes what there is, for at most 5 s. */
  async stop(): Promise<void> {
    if (this.#log) this.#push({ kind: 'stopped', time: this.#time(), reason: 'Stopping' });
    await this.#log?.end(farewellMs);
  }

  #begin(edition: Edition): void {
    const { clock, run, holdsLock, committed, sink, about, count, changed } = this.#options;
    const { path } = this.#settings;
    this.#logs += 1;
    const ownRun = `${run}-${this.#logs}`;
    const log = new AuditLog({
      run: ownRun,
      clock,
      holdsLock,
      committed,
      sink: sink(path, (torn) => lineOf(ownRun, 0, { kind: 'repaired', time: this.#time(), torn })),
      written: (lines) => {
        count('written', lines.length);
        for (const line of lines) this.#forget(keyOf(line));
      },
      changed: (failure) => changed(path, failure),
    });
    log.adopt(this.#left.lines, this.#left.loss);
    this.#left = { lines: [], loss: undefined };
    this.#log = log;
    this.#push({ kind: 'started', time: this.#time(), ...about, edition });
  }

  #leave(reason: 'Moved' | 'Disabled' | 'NotLicensed'): void {
    const log = this.#log;
    if (!log) return;
    this.#push({ kind: 'stopped', time: this.#time(), reason });
    this.#log = undefined;
    // Somebody may have chosen another place because this one fails: it gets what could not be written here.
    if (log.failure === undefined) void log.end(farewellMs);
    else this.#left = log.surrender();
  }

  #push(entry: AuditEntry): AuditLine | undefined {
    const line = this.#log?.push(entry);
    if (line) return line;
    this.#lose(1);
    return undefined;
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#options.count('lost', lines);
  }

  #memoOf(line: AuditLine): Memo {
    const key = keyOf(line);
    this.#remembered.add(key);
    return { topic, key, value: line.text.trimEnd() };
  }

  #forget(key: string): void {
    if (this.#remembered.delete(key)) this.#forgettable.push(key);
  }

  #forgetLeft(): void {
    const { lines } = this.#left;
    if (lines.length === 0) return;
    this.#lose(lines.length);
    for (const line of lines) this.#forget(keyOf(line));
    this.#left = { lines: [], loss: undefined };
  }

  #time(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }

  /** What is lost is remembered as well, until the line that tells of it is held. */
  #lossMemos(): readonly Memo[] {
    const loss = this.#log?.loss;
    if (loss?.lost === this.#toldLoss?.lost) return [];
    this.#toldLoss = loss;
    return [{ topic, key: lossKey, ...(loss && { value: loss }) }];
  }
}

const keyOf = ({ run, sequence }: AuditLine): string => `${run}/${sequence}`;

function lossOf(value: unknown): Loss | undefined {
  const { lost, from, until } = Object(value);
  return [lost, from, until].every(Number.isInteger) ? { lost, from, until } : undefined;
}
