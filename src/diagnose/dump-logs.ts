import type { KeptLog } from '../dump/collect.ts';
import type { Evidence, EvidenceRequest } from '../model/turn.ts';
import { lastLines } from '../runtime/loop/evidence.ts';
import { evidenceFor } from '../runtime/recording/container-logs.ts';

/** Some collectors ask for logs with times: what a program says begins behind them. */
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}) /gm;

/** The end of a log as the operator would have read it from the cluster: redacted, and without the times of a collector. */
export function linesFor(request: EvidenceRequest, logs: readonly KeptLog[]): Evidence {
  const own = logs.map(({ container, previous, tail }) => {
    const lines = lastLines(tail.toString('utf8').replace(timestamp, ''), request.lines);
    return { pod: request.pod, container, previous, lines };
  });
  return evidenceFor(request, own);
}
