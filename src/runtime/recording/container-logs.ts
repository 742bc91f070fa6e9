import type { Evidence, EvidenceRequest } from '../../model/turn.ts';

/** The log of one container, as it could be read when a scenario was recorded. */
export type ContainerLog = {
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
  readonly lines: readonly string[];
};

/** Answers a request for log lines from what was recorded, the newest first, as the runtime would: with nothing where there is none. */
export function evidenceFor(request: EvidenceRequest, logs: readonly ContainerLog[]): Evidence {
  const { previous, lines: _, ...run } = request;
  const { pod, container } = run;
  const own = logs.filter((log) => log.pod === pod && log.container === container);
  const found = own.find((log) => log.previous === previous) ?? own.find((log) => !log.previous);
  if (!found) return { ...run, source: '', lines: [] };
  const which = found.previous ? 'previous container' : 'container';
  const name = pod.slice(pod.lastIndexOf('/') + 1);
  return { ...run, source: `last log lines of the ${which} ${container} in ${name}`, lines: found.lines };
}
