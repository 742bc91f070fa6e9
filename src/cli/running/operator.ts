import { readPage } from '../../kube/operator-page.ts';
import { forwardPort } from '../../kube/port-forward.ts';

/** How to reach the running operator. */
export type OperatorOptions = {
  /** Namespace of the operator. */
  readonly tocsinNamespace: string;
  /** Where its endpoints are, where a port is forwarded already. */
  readonly url?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
};

/** The port of the endpoints in the Pod. */
const endpointsPort = 8060;

/** What the operator does not show unless it is asked to. */
const notEnabled = (namespace: string): string =>
  `the status page is not enabled. Enable it: kubectl -n ${namespace} patch alertconfig default --type merge -p '{"spec":{"statusEndpoint":{"enabled":true}}}'`;

/** Reads JSON from a page of the running operator; `query`: parameters. Rejects with what to do about it. */
export async function askOperator(
  path: string,
  query: Readonly<Record<string, string>>,
  options: OperatorOptions,
): Promise<unknown> {
  const { tocsinNamespace: namespace, url, kubeconfig, context } = options;
  const forwarded =
    url === undefined
      ? await forwardPort({
          ...{ namespace, target: 'deployment/tocsin', port: endpointsPort },
          ...(kubeconfig !== undefined && { kubeconfig }),
          ...(context !== undefined && { context }),
        })
      : undefined;
  try {
    const page = new URL(path, forwarded ? `http://127.0.0.1:${forwarded.port}` : url);
    for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
    return answered(await readPage(page), namespace);
  } finally {
    forwarded?.close();
  }
}

function answered({ status, body }: { readonly status: number; readonly body: string }, namespace: string): unknown {
  if (status === 404) throw new Error(notEnabled(namespace));
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new Error(`what answers there is not Tocsin (HTTP ${status})`);
  }
  if (status === 200) return answer;
  const said = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : undefined;
  throw new Error(typeof said === 'string' ? said : `it answered HTTP ${status}`);
}
