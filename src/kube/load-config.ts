import { access, readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { Secret } from '../model/secret.ts';
import { type ClusterConfig, ClusterConfigError, checkedServer } from './config.ts';
import { rereading } from './credentials.ts';
import { proxyFromEnvironment } from './environment-proxy.ts';
import { loadKubeconfig } from './kubeconfig.ts';

/** Where to look for a cluster. */
export type LoadOptions = {
  /** A kubeconfig chosen by the user: nothing else is looked at. */
  readonly kubeconfig?: string;
  /** A context of the kubeconfig instead of its current one. */
  readonly context?: string;
  /** The environment (`KUBECONFIG`, `HOME`, `KUBERNETES_SERVICE_HOST`, `HTTPS_PROXY`, `NO_PROXY`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where a Pod finds its service account; another folder in tests. */
  readonly serviceAccount?: string;
};

const defaultServiceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Finds the cluster as controllers do: the kubeconfig that was asked for, `KUBECONFIG`, the Pod's service account, then
 * `~/.kube/config`. Rejects with `ClusterConfigError`, never guesses an address. Where the kubeconfig names no proxy, the
 * environment may.
 */
export async function loadClusterConfig(options: LoadOptions): Promise<ClusterConfig> {
  const config = await findClusterConfig(options);
  const proxy = config.proxy ?? proxyFromEnvironment(options.env, config.server);
  return proxy === undefined ? config : { ...config, proxy };
}

async function findClusterConfig(options: LoadOptions): Promise<ClusterConfig> {
  const { env, clock, context } = options;
  if (options.kubeconfig !== undefined) return loadKubeconfig([options.kubeconfig], context, clock);
  const files = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (files.length > 0) return loadKubeconfig(files, context, clock);
  const account = options.serviceAccount ?? defaultServiceAccount;
  const host = env.KUBERNETES_SERVICE_HOST;
  // Somebody who names a context means a kubeconfig.
  if (host && context === undefined && (await exists(join(account, 'token'))))
    return inCluster(account, host, env.KUBERNETES_SERVICE_PORT ?? '443', clock);
  const own = join(env.HOME ?? env.USERPROFILE ?? '', '.kube', 'config');
  if (await exists(own)) return loadKubeconfig([own], context, clock);
  throw new ClusterConfigError(
    `No cluster to talk to: KUBECONFIG is not set, this is not a Pod with a service account (no ${join(account, 'token')}), and there is no ${own}. ` +
      'Pass --kubeconfig FILE, set KUBECONFIG, or run "tocsin demo", which needs no cluster.',
  );
}

/** The Pod's service account. The kubelet replaces token and CA in place, so both are read again every minute. */
async function inCluster(account: string, host: string, port: string, clock: Clock): Promise<ClusterConfig> {
  const namespace = await readFile(join(account, 'namespace'), 'utf8').catch(() => 'default');
  return {
    server: checkedServer(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    credentials: rereading(async () => {
      const [token, ca] = await Promise.all([
        readFile(join(account, 'token'), 'utf8'),
        readFile(join(account, 'ca.crt'), 'utf8'),
      ]);
      return { authorization: new Secret(`Bearer ${token.trim()}`), tls: { ca } };
    }, clock),
    namespace: namespace.trim(),
    inCluster: true,
    source: "the Pod's service account",
    insecure: false,
  };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
