import type { ApiClient } from '../../kube/api-client.ts';
import { EventRecorder } from '../../kube/events.ts';
import { readLog } from '../../kube/logs.ts';
import type { Evidence } from '../../model/turn.ts';
import { EvidenceFetcher } from './evidence.ts';
import type { ActiveOperatorOptions } from './options.ts';

/** Makes what fetches log lines for messages, and lets the log know where there are none. */
export function createEvidence(
  { client, clock, log }: ActiveOperatorOptions,
  found: (evidence: Evidence) => void,
): EvidenceFetcher {
  return new EvidenceFetcher({
    readLog: (request) => readLog(client, request),
    clock,
    found,
    failed: ({ pod }, error) => log.info({ err: error, pod }, 'no log lines for a message'),
  });
}

/** Makes what writes Events on objects, and lets the log know what cannot be written. `client`: writes only while the lock is held. */
export function createEventRecorder({ clock, identity, log }: ActiveOperatorOptions, client: ApiClient): EventRecorder {
  return new EventRecorder({
    client,
    clock,
    component: 'tocsin',
    instance: identity,
    onError: (error, { about, reason }) => log.warn({ err: error, about: about.name, reason }, 'cannot write Event'),
  });
}
