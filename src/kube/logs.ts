import type { ApiClient } from './api-client.ts';

/** Which log to read, and how much of it. */
export type LogRequest = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The container's last run instead of the present one. */
  readonly previous: boolean;
  readonly tailLines: number;
  /** The API server and this side both stop here. */
  readonly limitBytes: number;
  readonly deadlineMs: number;
};

/**
 * The end of a container's log as the runtime wrote it: not redacted, may be empty. Rejects with `ApiError`: 404 when the
 * Pod is gone, 400 when there is no such run (never restarted, not started yet), 403 without `get pods/log`.
 */
export function readLog(client: ApiClient, request: LogRequest): Promise<string> {
  const { namespace, pod, container, previous, tailLines, limitBytes, deadlineMs } = request;
  return client.text({
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`,
    query: { container, previous, tailLines, limitBytes },
    // Logs have one representation; asking for JSON is refused with 406 by some servers.
    accept: '*/*',
    maxBytes: limitBytes,
    deadlineMs,
  });
}
