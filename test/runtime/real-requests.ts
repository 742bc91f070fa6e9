import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { settled } from '../delivery/clock.ts';

/** A client of an API server on loopback, and when what it asks for has ended: while the clock of a test stands still, real time passes. */
export function realRequests(server: string): { readonly client: ApiClient; rest(): Promise<void> } {
  const real = createApiClient(fixedClusterConfig({ server }), { clock: systemClock, version: '0' });
  let underWay = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1;
    return work.finally(() => {
      underWay -= 1;
    });
  };
  return {
    client: {
      json: (request) => counted(real.json(request)),
      text: (request) => counted(real.text(request)),
      list: (request, onItems) => real.list(request, onItems),
      stream: (request) => real.stream(request),
      close: () => real.close(),
    },
    async rest() {
      for (let round = 0; round < 3 || underWay > 0; round += 1) await settled();
    },
  };
}
