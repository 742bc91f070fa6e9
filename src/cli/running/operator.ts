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
  const { address, close } = await reachOperator(options);
  try {
    const page = new URL(path, address);
    for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
    return answered(await readPage(page), options.tocsinNamespace);
  } finally {
    close();
  }
}

/** Where the endpoints of the running operator are, until `close`. Rejects with what to do where its port cannot be forwarded. */
export async function reachOperator({
  tocsinNamespace: namespace,
  url,
  kubeconfig,
  context,
}: OperatorOptions): Promise<{ readonly address: string; close(): void }> {
  if (url !== undefined) return { address: url, close: () => undefined };
  const forwarded = await forwardPort({
    ...{ namespace, target: 'deployment/tocsin', port: endpointsPort },
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  return { address: `http://127.0.0.1:${forwarded.port}`, close: () => forwarded.close() };
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
