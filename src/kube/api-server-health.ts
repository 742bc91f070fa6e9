import { type ApiClient, ApiError } from './api-client.ts';

/** A check that fails; `why` where the API server does not withhold it. */
export type FailingCheck = { readonly name: string; readonly why?: string };

/** Its own checks time out within a few seconds (ms). */
const deadlineMs = 15_000;
/** More checks than this are not told, nor more of what one says (characters). */
const [maxChecks, maxText] = [20, 200];

const failedCheck = /^\[-\](\S+) failed: (.*)$/;
const withheld = 'reason withheld';

/**
 * The checks that fail by the answer to `/readyz?verbose` (k8s.io/apiserver, server/healthz); `undefined` for the answer of
 * somebody else, such as a proxy in between, which says nothing of the API server.
 */
export function failingChecks(answer: string): readonly FailingCheck[] | undefined {
  const lines = answer.split('\n').map((line) => line.trim());
  const failing = lines.flatMap((line): FailingCheck[] => {
    const [, name, why = ''] = failedCheck.exec(line) ?? [];
    if (name === undefined) return [];
    const check = { name: name.slice(0, maxText) };
    return why === '' || why === withheld ? [check] : [{ ...check, why: why.slice(0, maxText) }];
  });
  const isWhole = lines.some((line) => line === 'ok' || line.startsWith('readyz check '));
  return isWhole ? failing.slice(0, maxChecks) : undefined;
}

/**
 * Asks the API server which of its own checks fail. Rejects with `ApiError`, as well where the answer is not its own: then nothing
 * is known.
 */
export async function readFailingChecks(client: ApiClient, signal: AbortSignal): Promise<readonly FailingCheck[]> {
  const request = { path: '/readyz', query: { verbose: '' }, accept: '*/*', answers: [500] };
  const failing = failingChecks(await client.text({ ...request, deadlineMs, attempts: 1, signal }));
  if (failing === undefined)
    throw new ApiError(0, 'MalformedBody', 'the answer to /readyz is not that of an API server');
  return failing;
}

/** The version of the API server that answers: `v1.36.3`; `undefined` where it says none. Rejects with `ApiError`. */
export async function readServerVersion(client: ApiClient, signal: AbortSignal): Promise<string | undefined> {
  const says = await client.json<{ readonly gitVersion?: unknown }>({
    path: '/version',
    deadlineMs,
    attempts: 1,
    signal,
  });
  return typeof says.gitVersion === 'string' ? says.gitVersion : undefined;
}
