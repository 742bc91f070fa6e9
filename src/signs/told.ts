import type { Sign, SignKind, SignTarget } from '../model/sign.ts';
import { bareSigns } from '../model/sign-groups.ts';
import type { Entry } from './entry.ts';

/** They say that the program ended, not what it lacks. */
export const bare: ReadonlySet<SignKind> = new Set<SignKind>(bareSigns);

/** Lines that belong together, each with its place among all. */
export type Trace = readonly (readonly [at: number, entry: Entry])[];

/** A sign, where its sentence stands in the log, and how much it is believed. */
export interface Ranked {
  readonly sign: Sign;
  readonly at: number;
  readonly weight: number;
  /** Whom its own line says, where another line of the trace gives the name for the numbers. */
  readonly numbers?: SignTarget;
}

/** What makes two signs the same. */
export const keyOf = ({ kind, target, name }: Sign): string =>
  `${kind} ${target?.host ?? ''} ${target?.port ?? ''} ${name ?? ''}`;
