import { type PageAnswer, readPage } from '../../kube/operator-page.ts';
import { forwardPort } from '../../kube/port-forward.ts';
import { kubectl, listOf } from '../../model/command.ts';
import { errorMessage } from '../../model/error-message.ts';
import { refOf } from '../../model/ref.ts';
import { UsageError } from '../command.ts';
import { isNamedObject } from './answers.ts';
import { objectPath } from './text.ts';

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
function notEnabled(namespace: string): string {
  const patch = JSON.stringify({ spec: { statusEndpoint: { enabled: true } } });
  const enable = kubectl('patch', refOf('AlertConfig', namespace, 'default'), '--type', 'merge', '-p', patch);
  return `the status page is not enabled${enable === undefined ? '' : `. Enable it: ${enable}`}`;
}

/** Reads JSON from a page of the running operator; `query`: parameters. Rejects with what to do about it. */
export async function askOperator(
  path: string,
  query: Readonly<Record<string, string>>,
  options: OperatorOptions,
): Promise<unknown> {
  const answer = await ask(path, query, options);
  const said = parsed(answer);
  if (answer.status === 200 && said !== undefined) return said;
  throw refusal(answer, options);
}

/** The same of a page of HTML. */
export async function askOperatorForPage(
  path: string,
  query: Readonly<Record<string, string>>,
  options: OperatorOptions,
): Promise<string> {
  const answer = await ask(path, query, options);
  if (answer.status === 200 && answer.body.startsWith('<!doctype html>')) return answer.body;
  throw refusal(answer, options);
}

async function ask(
  path: string,
  query: Readonly<Record<string, string>>,
  options: OperatorOptions,
): Promise<PageAnswer> {
  const { address, close } = await reachOperator(options);
  try {
    const page = new URL(path, address);
    for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
    return await readPage(page);
  } catch (error) {
    const why = errorMessage(error);
    const look = kubectl('get', listOf('pods', options.tocsinNamespace)) ?? 'kubectl get pods -A';
    throw new Error(
      `Tocsin does not answer at ${address} (${why}): does it run, and is its port ${endpointsPort} forwarded there? ${look}`,
      {
        cause: error,
      },
    );
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
  if (url !== undefined) return { address: addressOf(url), close: () => undefined };
  const forwarded = await forwardPort({
    ...{ namespace, target: 'deployment/tocsin', port: endpointsPort },
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  return { address: `http://127.0.0.1:${forwarded.port}`, close: () => forwarded.close() };
}

/** What `--url` says, once it is an address. */
function addressOf(url: string): string {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return url;
  throw new UsageError(`--url ${url} is no address: write http://localhost:8060`);
}

/** A question that Tocsin does not understand was asked wrongly. */
function refusal(answer: PageAnswer, { tocsinNamespace }: OperatorOptions): Error {
  const said = complaint(answer, tocsinNamespace);
  return answer.status === 400 ? new UsageError([said, ...candidatesOf(answer)].join('\n  ')) : new Error(said);
}

/** The objects that may have been meant, as one asks for them. */
function candidatesOf(answer: PageAnswer): readonly string[] {
  const said = parsed(answer);
  const listed = typeof said === 'object' && said !== null && 'candidates' in said ? said.candidates : undefined;
  return Array.isArray(listed) ? listed.filter(isNamedObject).map(objectPath) : [];
}

/** What is the matter with an answer that was not hoped for. */
function complaint(answer: PageAnswer, namespace: string): string {
  const { status } = answer;
  if (status === 404) return notEnabled(namespace);
  const said = parsed(answer);
  if (said === undefined) return `what answers there is not Tocsin (HTTP ${status})`;
  const message = typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? message : `it answered HTTP ${status}`;
}

function parsed({ body }: PageAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
