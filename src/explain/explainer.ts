import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Ref } from '../model/ref.ts';
import type { Override } from '../model/settings.ts';
import type { World } from '../world/world.ts';

/** What the explainer reads of detection: the findings that hold now. */
export type FindingSource = {
  findings(ref: Ref): readonly Finding[];
  all(): Iterable<Finding>;
};

/** Every current explanation; unchanged ones are the same objects as the last time. */
export type Explained = {
  readonly explanations: readonly Explanation[];
  /** Epoch milliseconds: the next instant at which the answer could change by time alone. */
  readonly wakeAt?: number;
};

/** Findings to causes, incrementally: only connected parts with something new are solved again. */
export type Explainer = {
  /** `changed`: subjects whose findings changed and objects that changed. `now` in epoch milliseconds. */
  explain(changed: ReadonlySet<Ref>, now: number, overrides: readonly Override[]): Explained;
};

/** Makes an explainer over one world and the findings of its objects. Its first call looks at everything. */
export declare function createExplainer(world: World, findings: FindingSource): Explainer;
