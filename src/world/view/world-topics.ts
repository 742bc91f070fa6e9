import type { Ref } from '../../model/ref.ts';

/** What is saved of what was seen over time, by object: edits, how Pods went, what was lost with Nodes, how steadily revisions ran, how long starts took. */
export const worldTopics = ['edits', 'departures', 'losses', 'lapses', 'starts'] as const;
/** One of the topics above. */
export type WorldTopic = (typeof worldTopics)[number];

/** What of it is another than when it was last asked; `undefined`: nothing any more. */
export type WorldChanges = Readonly<Record<WorldTopic, Iterable<readonly [Ref, unknown]>>>;
