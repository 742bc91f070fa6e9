import type { ChangeField } from '../../model/change-field.ts';
import type { Reason } from '../../model/reason.ts';
import type { Confidence } from '../../model/severity.ts';
import type { SignKind } from '../../model/sign.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import type { RequirementName } from '../requirements/requirements.ts';

/** Findings of certain kinds of objects. */
export type FindingPattern = { readonly kinds: readonly string[]; readonly reasons: readonly Reason[] | 'any' };

/** What makes an object a possible cause: a finding of its own, a recent change, or being named by the effect's text. */
export type CausePattern =
  | ({ readonly basis: 'finding' } & FindingPattern)
  | { readonly basis: 'change'; readonly kinds: readonly string[] }
  | { readonly basis: 'named'; readonly kinds: readonly string[]; readonly isMissing?: true };

/** How to get from the effect's object to its cause: by a link of the world, or by what these name (`reach.ts`). */
export type Via =
  | LinkType
  /** Any of its owners. */
  | 'owners'
  | 'itself'
  /** What the finding's own text names. */
  | 'names'
  /** What it may have in common with others that fail. */
  | 'shares'
  /** The objects it owns: it is short because of them. */
  | 'children'
  /** The workloads behind it: those that it scales, selects, leads to or waits for. */
  | 'workloads'
  /** What it owns, one by one. */
  | 'owned'
  /** Who selects the Pod, or the Pods of the workload. */
  | 'selected-by'
  /** The workloads behind the Services that it calls. */
  | 'called-workloads'
  /** The workloads whose Pods name the Service. */
  | 'clients'
  /** The workloads behind the Service. */
  | 'servers'
  /** The Secrets with which it, or who is asked on its behalf, is served. */
  | 'certificates'
  /** The Service that answers for names, unless it is its own Pod. */
  | 'cluster-dns'
  /** What the Pods of a run that failed use. */
  | 'used-by-failed'
  /** The Services that the Pod depends on, the workloads behind them and some of their Pods. */
  | 'needed'
  /** The agents of its Node that the finding names, and their Pods on that Node. */
  | 'named-agents'
  /** What else runs in the namespaces of the agents that the finding names. */
  | 'agents-neighbours'
  /** The workloads that the finding names, and their Pods. */
  | 'named-workloads'
  /** The policies for the Pods behind the Services that it is of or its program names. */
  | 'said-policies'
  /** What meshes and network plug-ins have been told lately about the traffic between it and whom it calls. */
  | 'traffic-rules'
  /** The DaemonSets of the Pod's Node, and their Pods there. */
  | 'agents'
  /** The Services that are another name for the host outside that the finding is of or names. */
  | 'aliases'
  /** The workloads behind the Services that the finding is of or names, and the ConfigMaps of their Pods. */
  | 'called-servers'
  /** The custom resources that a Secret is made from by custom: those of its name. */
  | 'makers-of-secret'
  /** The Jobs of its namespace that migrate a database and have failed, where its program lacks the schema of a database. */
  | 'failed-migrations'
  /** The Ingresses, and the Secrets of their certificates, that its program names. */
  | 'routes-said'
  /** The workloads that are to put something into new Pods, which are made without it where they do not answer. */
  | 'ignored-webhooks'
  /** The Deployments that direct what runs beside its program, and the settings that these read. */
  | 'directors'
  /** The zones of the Nodes that its Pods run on which do not serve. */
  | 'zones'
  /** The drivers of the volumes that it mounts. */
  | 'drivers'
  /** The workloads of the cluster from whose shares it mounts. */
  | 'file-servers'
  /** The account that the Pod runs as. */
  | 'runs-as'
  /** The namespace it is in. */
  | 'own-namespace'
  /** The leases by which the scheduler and the controller manager lead. */
  | 'leaders'
  /** The Nodes whose kubelets evicted Pods of it or its owner. */
  | 'nodes-of-evicted'
  /** The zones and pools of its Nodes that were away and have come back. */
  | 'places-that-came-back';

/**
 * How sure a row is by itself: `stated`, the API or a program's own text names the cause; `strong`, little else brings this about; `usual`;
 * `weak`, so does much else. More steps than these changed no verdict on scenarios that nobody had tuned to.
 */
export type Strength = 'stated' | 'strong' | 'usual' | 'weak';

/** One causal rule: one row, one fact. */
export type Rule = {
  readonly id: string;
  readonly cause: CausePattern;
  readonly via: Via;
  readonly effect: FindingPattern;
  /** How sure the row is by itself; the scorers adjust it. */
  readonly strength: Strength;
  /** The effect begins at most this long after the cause began. Absent: while the cause holds or 15 min after its end. */
  readonly withinSeconds?: number;
  /** How many different workloads must be hit before the cause is believed; default 1. */
  readonly workloads?: number;
  /**
   * What programs that fail say where the cause is this one: it speaks for the row, and other words speak against it. Absent: what
   * they say has nothing to do with it.
   */
  readonly signs?: readonly SignKind[];
  /** However well it fits, it is never surer: something that nobody can see would look the same. */
  readonly atMost?: Confidence;
  /** Asked only for what no other row explains and no failure of the same workload stands behind. */
  readonly lastResort?: true;
  /** The fields whose edits can bring about the effect. Absent: those that bring about its reason (`edits.ts`). */
  readonly fields?: readonly ChangeField[];
  /** What must hold for the pair, by name. */
  readonly requires?: readonly RequirementName[];
  /** Where the fact comes from. */
  readonly source: string;
};

/** Whether by a row something fails for want of a workload, whatever is wrong with that. */
export function isNeed({ via }: Rule): boolean {
  return via === 'needed' || via === 'agents' || via === 'named-agents' || via === 'named-workloads';
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
