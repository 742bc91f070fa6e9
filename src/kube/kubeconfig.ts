import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { parse } from 'yaml';
import type { Clock } from '../model/clock.ts';
import { Secret } from '../model/secret.ts';
import { type ClusterConfig, ClusterConfigError, checkedServer } from './config.ts';
import { type CredentialSource, type Credentials, pemOf, rereading } from './credentials.ts';

/**
 * Client-node's configuration alone: importing the package whole costs 86 MB of memory. Only kubeconfigs need it; in a Pod
 * it is never loaded from here.
 */
async function newKubeConfig(): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  return new KubeConfig();
}

/** What client-node's types leave open. */
type ExecPlugin = {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly [field: string]: unknown;
};

/**
 * Reads kubeconfig files, merged as kubectl does: the first to name a cluster, user, context or the current context wins,
 * paths are relative to their own file, and files that do not exist are passed over unless it is the only one.
 */
export async function loadKubeconfig(
  files: readonly string[],
  contextName: string | undefined,
  clock: Clock,
): Promise<ClusterConfig> {
  const merged = await mergeFiles(files);
  const from = files.join(', ');
  const wanted = contextName ?? merged.getCurrentContext();
  const context = merged.getContextObject(wanted ?? '');
  if (!context)
    throw new ClusterConfigError(
      `There is no context "${wanted ?? ''}" in ${from}. It has: ${namesOf(merged.getContexts())}. Choose one with --context.`,
    );
  merged.setCurrentContext(context.name);
  const cluster = merged.getCurrentCluster();
  if (!cluster) throw new ClusterConfigError(`Context "${context.name}" in ${from} names no cluster that is in it.`);
  return {
    server: checkedServer(cluster.server),
    credentials: credentialsOf(cluster, merged.getCurrentUser(), clock),
    namespace: context.namespace ?? 'default',
    inCluster: false,
    source: `context ${context.name} of ${from}`,
    insecure: cluster.skipTLSVerify,
    ...(cluster.proxyUrl ? { proxy: cluster.proxyUrl } : {}),
  };
}

function namesOf(entries: readonly { readonly name: string }[]): string {
  return entries.map((entry) => entry.name).join(', ') || 'none';
}

async function mergeFiles(files: readonly string[]): Promise<KubeConfig> {
  const merged = await newKubeConfig();
  let found = 0;
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && files.length > 1) return undefined;
      throw new ClusterConfigError(`The kubeconfig ${file} cannot be read: ${error.message}`, { cause: error });
    });
    if (text === undefined) continue;
    found++;
    const loaded = await parsed(file, text);
    merged.clusters = firstOfEachName(merged.clusters, loaded.clusters);
    merged.users = firstOfEachName(merged.users, loaded.users);
    merged.contexts = firstOfEachName(merged.contexts, loaded.contexts);
    if (!merged.getCurrentContext() && loaded.currentContext) merged.setCurrentContext(loaded.currentContext);
  }
  if (found === 0) throw new ClusterConfigError(`None of the kubeconfigs exists: ${files.join(', ')}.`);
  return merged;
}

function firstOfEachName<T extends { readonly name: string }>(have: readonly T[], more: readonly T[]): T[] {
  const names = new Set(have.map((entry) => entry.name));
  return [...have, ...more.filter((entry) => !names.has(entry.name))];
}

async function parsed(file: string, text: string): Promise<KubeConfig> {
  const folder = dirname(resolve(file));
  const config = await newKubeConfig();
  try {
    config.loadFromString(text);
    config.makePathsAbsolute(folder);
    const tokenFiles = tokenFilesOf(text);
    config.users = config.users.map((user) => completed(user, folder, tokenFiles.get(user.name)));
    return config;
  } catch (error) {
    const says = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ClusterConfigError(`The kubeconfig ${file} is not valid: ${says}`, { cause: error });
  }
}

/** `tokenFile` of each user, which client-node does not read. */
function tokenFilesOf(text: string): Map<string, string> {
  const raw = parse(text) as {
    readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: string } | null }[];
  } | null;
  const files = new Map<string, string>();
  for (const { name, user } of raw?.users ?? []) if (name && user?.tokenFile) files.set(name, user.tokenFile);
  return files;
}

/** Adds what client-node leaves out: token files, plug-ins relative to the kubeconfig, and what plug-ins are told. */
function completed(user: User, folder: string, tokenFile: string | undefined): User {
  if (tokenFile !== undefined && !user.exec) {
    const authProvider = { name: 'tokenFile', config: { tokenFile: absolute(folder, tokenFile) } };
    return { ...user, authProvider };
  }
  const plugin = user.exec as ExecPlugin | null | undefined;
  if (!plugin?.command) return user;
  const info = { apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const env = [...(plugin.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }];
  // As in kubectl: a bare name is looked up in PATH, a relative path belongs to the kubeconfig's folder.
  const command = plugin.command.includes('/') ? absolute(folder, plugin.command) : plugin.command;
  return { ...user, exec: { ...plugin, command, env } };
}

function absolute(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function credentialsOf(cluster: Cluster, user: User | null, clock: Clock): CredentialSource {
  let plugin: KubeConfig | undefined;
  const tokenFile: unknown = user?.authProvider?.config?.tokenFile;
  const usesPlugin = Boolean(user?.exec || (user?.authProvider && typeof tokenFile !== 'string'));

  async function read(fresh: boolean): Promise<Credentials> {
    const ca = await pemOf(cluster.caFile, cluster.caData);
    const cert = await pemOf(user?.certFile, user?.certData);
    const key = await pemOf(user?.keyFile, user?.keyData);
    const tls = {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key: new Secret(key) }),
      ...(cluster.tlsServerName ? { servername: cluster.tlsServerName } : {}),
      ...(cluster.skipTLSVerify ? { insecure: true } : {}),
    };
    const impersonate = user?.impersonateUser ? { impersonate: user.impersonateUser } : {};
    if (user !== null && usesPlugin) {
      // One that remembers nothing, when the credential was refused before it expired.
      if (plugin === undefined || fresh) plugin = await pluginRunner(cluster, user);
      const given = await fromPlugin(plugin, user);
      return { ...given, ...impersonate, tls: { ...tls, ...given.tls } };
    }
    const authorization = await staticAuthorization(user, typeof tokenFile === 'string' ? tokenFile : undefined);
    return { ...(authorization === undefined ? {} : { authorization }), ...impersonate, tls };
  }
  return rereading(read, clock);
}

async function staticAuthorization(user: User | null, tokenFile: string | undefined): Promise<Secret | undefined> {
  if (tokenFile !== undefined) return new Secret(`Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`);
  if (user?.token) return new Secret(`Bearer ${user.token.trim()}`);
  if (!user?.username) return undefined;
  return new Secret(`Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`);
}

/** A configuration that only runs the user's plug-in; of the TLS it would set up, nothing is used. */
async function pluginRunner(cluster: Cluster, user: User): Promise<KubeConfig> {
  const runner = await newKubeConfig();
  runner.loadFromClusterAndUser({ name: cluster.name, server: cluster.server, skipTLSVerify: true }, user);
  return runner;
}

/** Runs an exec plug-in or an auth provider (OIDC and the old cloud ones) through client-node, which caches until expiry. */
async function fromPlugin(runner: KubeConfig, user: User): Promise<Credentials> {
  const options: { headers: Record<string, string>; cert?: unknown; key?: unknown } = { headers: {} };
  try {
    await runner.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
  } catch (error) {
    const plugin = (user.exec as ExecPlugin | undefined)?.command ?? user.authProvider?.name ?? 'unknown';
    const says = error instanceof Error ? error.message.trim().slice(0, 300) : String(error);
    throw new ClusterConfigError(
      `The credential plug-in "${String(plugin)}" of the kubeconfig failed: ${says}. Run it in a shell to see why.`,
      { cause: error },
    );
  }
  const { Authorization } = options.headers;
  return {
    ...(Authorization ? { authorization: new Secret(Authorization) } : {}),
    tls: {
      ...(options.cert ? { cert: String(options.cert) } : {}),
      ...(options.key ? { key: new Secret(String(options.key)) } : {}),
    },
  };
}
