import type { ChangeField } from '../../model/change-field.ts';
import type { Reason } from '../../model/reason.ts';
import type { Confidence } from '../../model/severity.ts';
import type { SignKind } from '../../model/sign.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import { aftermathMs, nextStartMs, recentMs, settledMs } from '../../world/view/bounds.ts';
import type { Requires } from '../evidence/requirement.ts';

/** Findings of certain kinds of objects. */
export type FindingPattern = { readonly kinds: readonly string[] | 'any'; readonly reasons: readonly Reason[] | 'any' };

/** Whether a pattern is of a kind. */
export const isOfKind = ({ kinds }: { readonly kinds: FindingPattern['kinds'] }, kind: string): boolean =>
  kinds === 'any' || kinds.includes(kind);

/** What makes an object a possible cause: a finding of its own, a recent change, or being named by the effect's text. */
export type CausePattern =
  | ({ readonly basis: 'finding' } & FindingPattern)
  | { readonly basis: 'change'; readonly kinds: readonly string[] }
  | { readonly basis: 'named'; readonly kinds: readonly string[]; readonly isMissing?: true };

/** How to get from the effect's object to its cause: by a link of the world, or by what these name (`reach.ts`). */
export type Via =
  | LinkType
  /** It, and any of its owners. */
  | 'owners'
  /** What the finding's own text names. */
  | 'names'
  /** What it may have in common with others that fail. */
  | 'shares'
  /** The objects it owns: it is short because of them. */
  | 'children'
  /** The workloads behind it: those that it scales, selects, leads to or waits for. */
  | 'workloads'
  /** What its spec refers to and it is built from (claims, classes, parents, sources), what makes it, and who serves its volumes: drivers, workloads. */
  | 'built-from'
  /** The workloads whose Pods name the Service. */
  | 'clients'
  /** The Secrets with which it, or who is asked on its behalf, is served. */
  | 'certificates'
  /** What all Pods of the cluster need: the Service that answers for names, unless it is its own Pod, and the leases by which the control plane leads. */
  | 'system'
  /** The Services that the Pod depends on, the workloads behind them and some of their Pods. */
  | 'needed'
  /** What else runs in the namespaces of the agents that the finding names, and its Pods. */
  | 'agents-neighbours'
  /** The workloads that the finding names, and their Pods; of an agent of Nodes the one on its Node. */
  | 'named-workloads'
  /** What decides about the traffic between it and whom it calls: policies for both, and what was told lately to meshes and network plug-ins. */
  | 'traffic-rules'
  /** The Services that the object is, calls, names or knows by another name, the workloads behind them, and the ConfigMaps of their Pods. */
  | 'called-servers'
  /**
   * Who serves it and is not named: the agents of its Node with their Pods there, what directs the proxy beside it, with its settings, and who was to
   * prepare its Pods or its database before it ran (migrations that have failed, webhooks that it was made without).
   */
  | 'unseen'
  /** The namespace it is in, the account it runs as, and the roles and bindings by which it has, or had, what the API server says that it refuses it. */
  | 'home'
  /** What its Pods read as they start; of a CronJob, those of the run that failed. */
  | 'reads'
  /** Where it was: the Nodes of the Pods that it replaces or that were evicted, and the zones and pools of its Nodes that were away and have come back. */
  | 'places';

/**
 * How sure a row is by itself: `stated`, the API or a program's own text names the cause; `strong`, little else brings this about; `usual`;
 * `weak`, so does much else. More steps than these changed no verdict on scenarios that nobody had tuned to.
 */
export type Strength = 'stated' | 'strong' | 'usual' | 'weak';

/** How long after a cause its effect may begin: traffic follows at once, evictions and what comes of them a while later, a start whenever it comes. */
export type Within = 'minutes' | 'aftermath' | 'next start';

const spans: Readonly<Record<Within, number>> = {
  minutes: settledMs,
  aftermath: aftermathMs,
  'next start': nextStartMs,
};

/** How long (ms) after its cause began the effect of a row may begin; `undefined`: as long as the cause holds. */
export function withinMs({ within, cause }: Rule): number | undefined {
  if (within !== undefined) return spans[within];
  return cause.basis === 'change' ? recentMs : undefined;
}

/** One causal rule: one row, one fact. */
export type Rule = {
  readonly id: string;
  readonly cause: CausePattern;
  readonly via: Via;
  readonly effect: FindingPattern;
  /** How sure the row is by itself; the scorers adjust it. */
  readonly strength: Strength;
  /** The effect begins at most this long after the cause began. Absent: half an hour after an edit; of what holds, while it does. */
  readonly within?: Within;
  /** How many different workloads must be hit before the cause is believed; default 1. */
  readonly workloads?: number;
  /**
   * What programs that fail say where the cause is this one: it speaks for the row, and other words speak against it. Absent: what
   * they say has nothing to do with it.
   */
  readonly signs?: readonly SignKind[];
  /** Whether what fails must say one of the signs: who keeps silent is not its effect. */
  readonly isSaid?: true;
  /** What the finding's text says, or a line of its program. */
  readonly says?: RegExp;
  /** Which labels the edit must have changed. */
  readonly labels?: RegExp;
  /** However well it fits, it is never surer: something that nobody can see would look the same. */
  readonly atMost?: Confidence;
  /** Asked only for what no other row explains and no failure of the same workload stands behind. */
  readonly lastResort?: true;
  /** The fields whose edits can bring about the effect. Absent: those that bring about its reason (`edits.ts`). */
  readonly fields?: readonly ChangeField[];
  /** What else must hold for the pair. */
  readonly requires?: Requires;
  /** Where the fact comes from. */
  readonly source: string;
};

/** Ways to workloads for want of which something fails. */
const needs: ReadonlySet<Via> = new Set<Via>(['needed', 'unseen', 'named-workloads', 'agents-neighbours']);

/** Whether by a row something fails for want of a workload, whatever is wrong with that. */
export function isNeed({ via }: Rule): boolean {
  return needs.has(via);
}

/** Rows of these join a finding to what is wrong with workloads, whatever that turns out to be: they name no cause. */
export function isGrouping(via: Rule['via']): via is 'children' | 'workloads' {
  return via === 'children' || via === 'workloads';
}

/** Findings of one kind with any of the reasons. */
export function any(kind: string, reasons: readonly Reason[] | 'any' = 'any'): { basis: 'finding' } & FindingPattern {
  return { basis: 'finding', kinds: [kind], reasons };
}

/** A change of an object of one of the kinds, of a field that can bring about the effect (`edits.ts`). */
export function changeOf(kinds: readonly string[]): CausePattern {
  return { basis: 'change', kinds };
}

/**
 * An object of one of the kinds that the effect's own text names, and that is there as far as is seen. By a link it is one that others share, which the row's requirement
 * and the number of workloads prove.
 */
export function named(kinds: readonly string[]): CausePattern {
  return { basis: 'named', kinds };
}

/** An object of one of the kinds that the effect's own text names, and that is not there as far as is seen. */
export function missing(kinds: readonly string[]): CausePattern {
  return { basis: 'named', kinds, isMissing: true };
}
