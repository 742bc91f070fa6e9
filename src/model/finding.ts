import type { Reason } from './reason.ts';
import type { Ref } from './ref.ts';
import type { Severity } from './severity.ts';
import type { Subject } from './subject.ts';

/** Numbers and names for the narrative, by a short camelCase key (`exitCode`, `image`, `restarts`, `container`). */
export type Facts = Readonly<Record<string, string | number>>;

/**
 * A detector's statement that one object has one problem now. It is level, not edge: it holds or it does not, and a
 * finding that is no longer returned has cleared. Identity: subject, scope and reason.
 */
export type Finding = {
  readonly subject: Subject;
  /** Container, condition or port the problem is about; absent when it is about the whole object. */
  readonly scope?: string;
  readonly reason: Reason;
  /** Epoch milliseconds: the object's own time where the API has one, else the first observation. */
  readonly since: number;
  readonly severity: Severity;
  /** It cannot be a normal transient (image not found, missing Secret): it settles fast. */
  readonly conclusive: boolean;
  /** What the words are made of (`src/message/phrases` has a sentence for every reason). */
  readonly facts: Facts;
  /** What the API itself says of it, verbatim, control characters removed: the text of a condition, a state or a refusal. */
  readonly detail?: string;
  /** What of it an Event says word for word: `detail`, or the names of facts. Absent: nothing. */
  readonly eventQuotes?: readonly string[];
  /** Objects that the finding's text names: a missing Secret, the quota that refused. */
  readonly names: readonly Ref[];
  /**
   * The Services and Secrets that its Pod is given, where its program does not say why it fails: what it has in common with others
   * that fail may be why.
   */
  readonly shares?: readonly Ref[];
  /** Only programs of one other namespace say it of the object: any team may say it of any other. */
  readonly ofStrangers?: true;
  /** Milliseconds a good state must hold before the finding counts as cleared, where longer than the incident's hold. */
  readonly clearHoldMs?: number;
};

/** What is judged by the findings that refer to it: what a finding names, and what it may share with others. */
export function referredBy({ names, shares }: Pick<Finding, 'names' | 'shares'>): readonly Ref[] {
  return shares === undefined ? names : [...names, ...shares];
}

/** The identity of a finding: the same string for the same problem of the same object. */
export function findingKey(finding: Finding): string {
  return `${finding.subject.ref}|${finding.scope ?? ''}|${finding.reason}`;
}
