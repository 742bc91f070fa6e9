import type { Memo } from '../../model/memo.ts';
import { anything, record, type Shape, set, text } from '../../model/shape.ts';
import type { TableName } from '../tables.ts';
import { deadLetterShape, storedDeliveryShape, streamShape } from './delivery.ts';
import { explanationShape } from './explanation.ts';
import { incidentShape } from './incident.ts';

/** What a memo holds is the business of whoever wrote it, and checked there: what has another shape is forgotten (`model/memory.ts`). */
const memoShape: Shape<Memo & { readonly value: unknown }> = record({ topic: text, key: text, value: anything });

/** What a row of each table must be to be gone on from. */
export const rowShapes: Readonly<Record<TableName, Shape<unknown>>> = {
  incidents: incidentShape,
  explanations: explanationShape,
  outbox: storedDeliveryShape,
  streams: streamShape,
  dead_letters: deadLetterShape,
  ended: set,
  memos: memoShape,
};
