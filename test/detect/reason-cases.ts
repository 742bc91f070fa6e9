/**
 * What shows a reason at work, in one file each: `cases/<Reason>.ts`. That it is found, what it leaves alone and when it is over is tested from
 * these stories; the first of those in which it is found is also the one whose messages are kept (`test/message/reason-stories.ts`).
 */
import { readdirSync } from 'node:fs';
import type { Edition } from '../../src/model/edition.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Reason } from '../../src/model/reason.ts';
import type { Ref } from '../../src/model/ref.ts';

/** What a story can do: times are epoch milliseconds (`at(10)`), and never go back. */
export type Stage = {
  put(now: number, ...raws: RawObject[]): void;
  gone(now: number, ...raws: RawObject[]): void;
  wait(until: number): void;
};

/** What happens. Objects of `at(0)` and before were there when Tocsin began to watch. */
export type Tell = (k8s: Stage) => void;

/** What happened, as the end of a title → how. */
type Stories = Readonly<Record<string, Tell>>;

/** What is shown of a reason. */
export type ReasonCases = {
  /** The row of its detector. */
  readonly id: string;
  /** The least edition in which it is found. */
  readonly edition: Edition;
  /** On which object the stories make it. */
  readonly on: Ref;
  /** What people read of it at the end of the first story of `fires`. */
  readonly says: string;
  /** At the end of each it is found on that object, and nothing else is. */
  readonly fires: Stories;
  /** At no time is it found in these. */
  readonly quiet: Stories;
  /** It is found in these, and not at the end. */
  readonly clears: Stories;
  /** Where its next step only describes the object: what `kubectl describe` shows there that helps. */
  readonly described?: string;
};

const folder = new URL('cases/', import.meta.url);

/** Every reason that has a file, with what is in it. The name of a file is the reason. */
export const reasonCases: ReadonlyMap<Reason, ReasonCases> = new Map(
  await Promise.all(
    readdirSync(folder).map(async (file) => {
      const { cases }: { readonly cases: ReasonCases } = await import(new URL(file, folder).href);
      // A test asks whether there is such a reason.
      return [file.replace(/\.ts$/, '') as Reason, cases] as const;
    }),
  ),
);
