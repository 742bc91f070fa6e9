import { get } from 'node:https';
import { ApiFailure, badRequest, notFound } from './failure.ts';
import { fieldAt } from './object.ts';
import type { ResourceRequest } from './request.ts';
import type { Node, Pod } from './shapes.ts';
import type { Store } from './store.ts';

/** The query parameters that are handed on to the kubelet as they are. */
const passed = ['previous', 'tailLines', 'limitBytes', 'timestamps', 'sinceSeconds'];

/** `pods/log`: asks the kubelet of the Pod's node over HTTPS, as the API server does. The certificate is not verified: loopback. */
export function podLog(store: Store, request: ResourceRequest): Promise<string> | string {
  const { resource, namespace, name, query } = request;
  const pod = store.get('pods', namespace, name) as Pod | undefined;
  if (!pod) throw notFound(resource, name);
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => container.name);
  const container = query.get('container') || (pod.spec.containers.length === 1 ? pod.spec.containers[0]?.name : '');
  if (!container)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]`);
  if (!containers.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
  const node = pod.spec.nodeName ? (store.get('nodes', undefined, pod.spec.nodeName) as Node | undefined) : undefined;
  const host = node?.status.addresses?.find((address) => address.type === 'InternalIP')?.address;
  const port = fieldAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port');
  // No node yet: an empty log, as the API server answers.
  if (!pod.spec.nodeName) return '';
  if (!host || typeof port !== 'number')
    throw new ApiFailure(500, 'InternalError', `no preferred addresses found; known addresses: []`);
  const parameters = new URLSearchParams();
  for (const key of passed) {
    const value = query.get(key);
    if (value !== null) parameters.set(key, value);
  }
  return askKubelet(`https://${host}:${port}/containerLogs/${namespace}/${name}/${container}?${parameters}`);
}

function askKubelet(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { rejectUnauthorized: false, timeout: 5000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else if (response.statusCode === 400) reject(badRequest(text));
        else
          reject(new ApiFailure(response.statusCode ?? 500, 'InternalError', `unknown (get pods/log): ${text.trim()}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error('i/o timeout')));
    request.on('error', (error) => {
      const message = `Get "${url}": ${error.message}`;
      reject(new ApiFailure(500, 'InternalError', message));
    });
  });
}
