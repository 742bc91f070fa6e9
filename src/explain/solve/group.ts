import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import type { World } from '../../world/view/world.ts';
import type { Bundle } from '../candidates/bundle.ts';
import type { Cause } from '../candidates/candidates.ts';
import type { Peers } from '../candidates/peers.ts';
import type { RuleTable } from '../rules/rule-table.ts';
import type { Scored } from '../scores/score.ts';
import type { Shares } from './shares.ts';

/** What solving needs besides the bundles. */
export type Setting = {
  readonly world: World;
  readonly rules: RuleTable;
  readonly peers: Peers;
  readonly shares: Shares;
  findings(ref: Ref): readonly Finding[];
  /** The workload of an object. */
  owner(ref: Ref): Ref;
  /** The bundle that a finding is in. */
  bundleOf(finding: Finding): Bundle | undefined;
};

/** A solved group: a root, what it explains, and why it was chosen. */
export type Solved = Group & {
  /** Absent when nothing explains the members and they are lifted to their workload. */
  readonly cause?: Cause;
  readonly pairs: readonly Scored[];
  readonly others: readonly Scored[];
  /** An edit of the root that suggests itself and is not to blame. */
  readonly pardoned?: Scored | undefined;
  /** A workload that what fails only names, and that fails as well. */
  readonly beside?: Cause | undefined;
};

/** Findings with one root: the bundles that its cause explains, and findings that came to it one by one. */
export type Group = { readonly root: Ref; readonly bundles: readonly Bundle[]; readonly loose: Finding[] };
