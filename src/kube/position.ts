import type { ObjectEvent } from '../model/raw-object.ts';
import { type FailureKind, reactions } from './failure.ts';
import { smallKindObjects } from './list.ts';
import { SilentWatch } from './silent-watch.ts';
import type { WatchBatch } from './watch.ts';

/** How far a reflector has come in what the server tells, and how it goes on: with a list, of which sort, or with a watch. */
export class Position {
  /** The last version seen: where a watch goes on. */
  #version: string | undefined;
  #objects: number | undefined;
  #mustList = true;
  #mustPage = false;
  /** The server knows streaming lists, as far as we know. */
  #streams = true;
  /** The version after which a watch could not be read. */
  #malformedAfter: string | undefined;
  /** A watch that fell silent, until a list has judged it. */
  #silentWatch: SilentWatch | undefined;
  #doubtsWatch = false;
  /** Failures since the last sign of life of a watch, or the last list. */
  #failures = 0;
  /** Since the last sign of life it has been listed because a watch failed and failed. */
  #isInVain = false;
  /** Watches in a row that ended at once. */
  #shortWatches = 0;

  get version(): string | undefined {
    return this.#version;
  }

  /** How many objects there are; `undefined` before the first list. */
  get objects(): number | undefined {
    return this.#objects;
  }

  /** Only a list can tell what there is. */
  get mustList(): boolean {
    return this.#mustList;
  }

  /** The list to come may be a streaming one: what checks on a silent watch comes another way than a watch. */
  get mayStream(): boolean {
    return this.#streams && !this.#mustPage && this.#silentWatch === undefined;
  }

  /** Never a limit with a version: in one piece at this version, or (`undefined`) the newest state in pages. */
  get versionToListAt(): string | undefined {
    return !this.#mustPage && (this.#objects ?? 0) < smallKindObjects ? this.#version : undefined;
  }

  /** The list to come checks on a watch that fell silent. */
  get isCheckingOnWatch(): boolean {
    return this.#silentWatch !== undefined;
  }

  /** Lists stand in for a watch that fails and fails. */
  get listsInVain(): boolean {
    return this.#isInVain;
  }

  /** Things happened that the last watch did not tell: the next one is believed when it has shown a sign of life. */
  get doubtsWatch(): boolean {
    return this.#doubtsWatch;
  }

  /** Watches are accepted and ended at once, again and again: that one is accepted means nothing until it has shown a sign of life. */
  get doubtsAcceptance(): boolean {
    return this.#shortWatches >= reactions.shortWatch.relistAfter;
  }

  /** A line after this version could not be read before. */
  get isMalformedAgain(): boolean {
    return this.#malformedAfter === (this.#version ?? '');
  }

  /** How to go on after a failure. */
  failed(kind: FailureKind): void {
    const { relistAfter, version } = reactions[kind];
    if (kind === 'malformedLine') this.#noteMalformedLine();
    if (kind === 'silent') this.#silentWatch = new SilentWatch(this.#version ?? '');
    if (kind === 'answerTooLarge') this.#mustPage = true;
    if (kind === 'shortWatch') this.#shortWatches++;
    if (version === 'forget') this.#version = undefined;
    if (++this.#failures >= relistAfter) this.#listAnew(version === 'keep');
  }

  /** What a list holds, for the watch that it checks on. */
  compare(events: readonly ObjectEvent[]): void {
    this.#silentWatch?.compare(events);
  }

  /** A list is complete: `total` objects at `version`. */
  listed(version: string, total: number): void {
    if (this.#silentWatch !== undefined) this.#doubtsWatch = this.#silentWatch.missed;
    this.#silentWatch = undefined;
    this.#version = version;
    this.#objects = total;
    this.#mustList = false;
    this.#mustPage = false;
    this.#failures = 0;
  }

  /** A streaming list has ended or was refused: the server knows them if it is complete. */
  streamed(): void {
    this.#streams = !this.#mustList;
  }

  /** The watch has shown a sign of life. */
  believed(): void {
    this.#doubtsWatch = false;
    this.#isInVain = false;
    this.#failures = 0;
    this.#shortWatches = 0;
  }

  /** A watch told this. */
  watched({ growth, version }: Pick<WatchBatch, 'growth' | 'version'>): void {
    this.#objects = Math.max(0, (this.#objects ?? 0) + growth);
    this.#version = version ?? this.#version;
  }

  /** What could not be listed, or was listed in vain at the version that is known, is listed without it and without a watch. */
  #listAnew(isVersionDoubtful: boolean): void {
    if (isVersionDoubtful && (this.#mustList || this.#isInVain)) {
      this.#version = undefined;
      this.#mustPage = true;
    }
    this.#isInVain ||= isVersionDoubtful;
    this.#failures = 0;
    this.#mustList = true;
  }

  /**
   * The line may have been an event: the server sends it again to whoever watches on from the version before it. When that
   * cannot be read either, only a list in pages helps.
   */
  #noteMalformedLine(): void {
    if (this.isMalformedAgain) {
      this.#mustList = true;
      this.#mustPage = true;
    }
    this.#malformedAfter = this.#version ?? '';
  }
}
