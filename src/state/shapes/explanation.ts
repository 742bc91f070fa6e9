/** What must be there of a saved explanation: what the core, the words and the pages read of it without asking. */
import type { BlamedChange, Explanation, ExplanationPart, Proof, SamplePod, Step } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import type { TellingSign } from '../../model/heard-sign.ts';
import type { ClusterHit } from '../../model/hub.ts';
import { confidences, severities } from '../../model/severity.ts';
import {
  flag,
  listOf,
  number,
  oneBy,
  oneOf,
  record,
  ref,
  type Shape,
  set,
  someOf,
  tableOf,
  text,
  textOrNumber,
  unset,
  word,
} from '../../model/shape.ts';
import type { Subject } from '../../model/subject.ts';

const subject: Shape<Subject> = record({ ref, labels: tableOf(text) }, { node: text, owner: text });

const finding: Shape<Finding> = record(
  {
    subject,
    reason: word(),
    since: number,
    severity: oneOf(severities),
    conclusive: flag,
    facts: tableOf(textOrNumber),
    names: listOf(ref),
  },
  {
    scope: text,
    detail: text,
    eventQuotes: listOf(text),
    shares: listOf(ref),
    ofStrangers: set,
    clearHoldMs: number,
  },
);

const change: Shape<BlamedChange> = record(
  {
    ref,
    field: word(),
    at: number,
  },
  {
    container: text,
    parts: listOf(text),
    also: listOf(word()),
    by: text,
    from: text,
    to: text,
    certain: unset,
  },
);

const part: Shape<ExplanationPart> = record({
  root: subject,
  reason: word(),
  severity: oneOf(severities),
  members: listOf(finding),
});

const samplePod: Shape<SamplePod> = record({ ref, container: text, previous: flag, attempt: number, ended: flag });

const sign: Shape<TellingSign> = record(
  {
    kind: word(),
    line: text,
    container: text,
    source: word(),
    at: number,
    pod: ref,
  },
  {
    target: record({ host: text }, { port: number }),
    name: text,
    to: ref,
    closing: set,
  },
);

const proof: Shape<Proof> = oneBy<Proof, 'code'>('code', {
  ShareOfNode: record({ failing: number, all: number }),
  HealthyElsewhere: record({ all: flag }),
  OnlyNewRevision: record({ all: flag }),
  AlikeKey: record({ of: ref, key: text, alike: text, isInUse: flag }),
  AlikeName: record({ missing: ref, alike: text }),
  SameNameElsewhere: record({ missing: ref, namespace: text }),
  LargerThanNodes: record({ resource: oneOf(['CPU', 'memory']), asks: number, largest: number }),
  AlikeLabel: record({ wants: text, has: text }),
  GrewBefore: record({ change }),
  WrongPort: record({ service: ref, port: number, offers: listOf(number) }),
  ServedAfterEdit: record({ change, servedMs: number }),
  EditedBeside: record({ change }),
  DownBeside: record({ of: ref, since: number }),
});

const cluster: Shape<ClusterHit> = record({
  ...{ cluster: text, name: text, reason: word(), severity: oneOf(severities) },
  ...{ since: number, affected: number },
});

const step: Shape<Step> = record({ rule: text, about: ref, says: text }, { score: number });

/** The shape of an explanation. */
export const explanationShape: Shape<Explanation> = record(
  {
    root: subject,
    reason: word(),
    severity: oneOf(severities),
    confidence: oneOf(confidences),
    members: someOf(finding),
    affected: listOf(subject),
    workloads: listOf(ref),
    proof: listOf(proof),
    trace: listOf(step),
  },
  {
    affectedCount: number,
    change: change,
    impact: listOf(record({ ref, wanted: number, ready: number })),
    clusters: listOf(cluster),
    unreachable: listOf(record({ service: ref, at: listOf(text) })),
    parts: listOf(part),
    samplePod: samplePod,
    sign: sign,
    awaits: number,
  },
);
