import { type ApiClient, ApiError } from '../../src/kube/api-client.ts';
import { decodeWatchLine, linesOf } from '../../src/kube/lines.ts';
import { sleep } from '../../src/kube/sleep.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Pod } from '../shapes.ts';

/** What a kubelet hears of Pods. */
export type PodListener = {
  /** Every Pod there is: those it knows and that are not in the list have gone. */
  all(pods: readonly Pod[]): void;
  seen(pod: Pod): void;
  gone(pod: Pod): void;
};

type PodList = { readonly metadata: { readonly resourceVersion: string }; readonly items: readonly Pod[] };

const path = '/api/v1/pods';

/** Lists and watches all Pods until the signal fires; whatever goes wrong, it lists again a second later. */
export async function watchPods(
  parts: { readonly api: ApiClient; readonly clock: Clock; readonly onError: (error: unknown) => void },
  listener: PodListener,
  signal: AbortSignal,
): Promise<void> {
  const { api, clock, onError } = parts;
  while (!signal.aborted)
    try {
      const list = await api.json<PodList>({ path, signal });
      // Items of a list carry no kind; events about them need one.
      listener.all(list.items.map((item) => ({ ...item, apiVersion: 'v1', kind: 'Pod' })));
      await follow(list.metadata.resourceVersion);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await sleep(clock, 1000, signal).catch(() => undefined);
    }

  async function follow(from: string): Promise<void> {
    let version = from;
    while (!signal.aborted) {
      const query = { watch: true, allowWatchBookmarks: true, resourceVersion: version, timeoutSeconds: 300 };
      const stream = await api.stream({ path, query, signal });
      for await (const lines of linesOf(stream.chunks))
        for (const line of lines) {
          const event = decodeWatchLine(line);
          if (event?.type === 'ERROR') throw new ApiError(event.code, event.reason, event.message);
          if (event?.type === 'BOOKMARK') version = event.version;
          else if (event) {
            const pod = event.object as Pod;
            version = pod.metadata.resourceVersion;
            if (event.type === 'DELETED') listener.gone(pod);
            else listener.seen(pod);
          }
        }
    }
  }
}
