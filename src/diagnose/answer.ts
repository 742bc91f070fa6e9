import type { IncidentState } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';
import type { Severity } from '../model/severity.ts';
import type { WhyIncident } from '../model/why.ts';

/** What a look came to: something is broken, nothing is, or it could not be seen. */
export type Verdict = 'broken' | 'healthy';

/** What was looked at. */
export type Looked = {
  readonly is: 'cluster' | 'file';
  /** `context kind-a of ~/.kube/config`, `must-gather.tar.gz`. */
  readonly name: string;
  /** `must-gather`, `cluster-info dump`, `recording`; of a cluster absent. */
  readonly format?: string;
  /** Of the API server, where it says so. */
  readonly serverVersion?: string;
};

/** What was not seen, and what that means for the answer. */
export type Unseen = {
  /** `pods`, `deployments.apps`, `pods/log`. */
  readonly resource: string;
  readonly why: string;
  readonly means: string;
};

/** One thing that is broken, in the words of its message. */
export type Broken = {
  readonly id: string;
  /** False: it has begun too shortly before to be sure that it does not pass by itself. */
  readonly isCertain: boolean;
  readonly state: IncidentState;
  readonly severity: Severity;
  readonly reason: string;
  readonly root: Ref;
  /** What it hits besides: the first of them, and how many there are. */
  readonly affected: { readonly count: number; readonly sample: readonly Ref[] };
  /** Epoch milliseconds. */
  readonly since: number;
  readonly words: Notification;
  readonly why: Pick<WhyIncident, 'confidence' | 'because'>;
};

/** The answer to "what is broken?". */
export type Diagnosis = {
  readonly looked: Looked;
  /** By the clock of what was looked at. Epoch milliseconds. */
  readonly at: number;
  /** How long it was watched for; 0: one look at what was written down. */
  readonly watchedMs: number;
  readonly verdict: Verdict;
  /** The worst first, of those that are equally bad the newest first. */
  readonly broken: readonly Broken[];
  /** Not listed, since there were too many. */
  readonly omitted: number;
  /** How many objects were seen, by kind: the most first. */
  readonly objects: readonly { readonly kind: string; readonly count: number }[];
  readonly unseen: readonly Unseen[];
  /** What such a look cannot know at all. */
  readonly limits: readonly string[];
  /** What the answer was limited to, for people: `the namespace shop`. Absent: everything that was seen. */
  readonly about?: string;
};
