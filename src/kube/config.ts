import type { CredentialSource, TlsMaterial } from './credentials.ts';
import { fixedCredentials } from './credentials.ts';

/** How to reach one API server. */
export type ClusterConfig = {
  /** `https://10.0.0.1:443`, without a trailing slash; may have a path (a proxy in front). */
  readonly server: string;
  readonly credentials: CredentialSource;
  /** The namespace of the Pod or of the kubeconfig's context. */
  readonly namespace: string;
  /** This process runs in a Pod of that cluster. */
  readonly inCluster: boolean;
  /** Where this came from, for people: `the Pod's service account`, `context kind-a of ~/.kube/config`. */
  readonly source: string;
  /** The server's certificate is not verified. */
  readonly insecure: boolean;
  /** `proxy-url` of the kubeconfig, else what the environment says (`HTTPS_PROXY`, `NO_PROXY`). */
  readonly proxy?: string;
};

/** A server whose address and credentials are known: the sandbox, tests. */
export function fixedClusterConfig(parts: {
  readonly server: string;
  readonly token?: string;
  readonly tls?: TlsMaterial;
  readonly namespace?: string;
}): ClusterConfig {
  return {
    server: checkedServer(parts.server),
    credentials: fixedCredentials(parts),
    namespace: parts.namespace ?? 'default',
    inCluster: false,
    source: parts.server,
    insecure: parts.tls?.insecure ?? false,
  };
}

/** There is no usable cluster configuration. The message names the remedy. */
export class ClusterConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ClusterConfigError';
  }
}

/** The server's address without trailing slashes. Credentials must not cross a network in the clear. */
export function checkedServer(server: string): string {
  if (!URL.canParse(server))
    throw new ClusterConfigError(`The API server's address "${server}" is not a URL. Write it as https://host:port.`);
  const url = new URL(server);
  const loopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new ClusterConfigError(
      `The API server's address "${server}" must begin with https://; plain http is taken for loopback addresses only.`,
    );
  return server.replace(/\/+$/, '');
}
