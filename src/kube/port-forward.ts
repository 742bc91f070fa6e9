import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { kubectl, listOf } from '../model/command.ts';

/** Which Pod's port, and by which kubeconfig. */
export type PortForwardOptions = {
  readonly namespace: string;
  /** What kubectl takes: `deployment/tocsin`. */
  readonly target: string;
  readonly port: number;
  readonly kubeconfig?: string;
  readonly context?: string;
};

/** A forwarded port as long as it is needed. */
export type PortForward = { readonly port: number; close(): void };

/** How long kubectl may take to connect (ms). */
const connectMs = 15_000;

/**
 * Forwards a port by kubectl, so that every way to log in to a cluster works that works there, and RBAC guards it. Rejects with what kubectl
 * says, or what to do where there is none.
 */
export async function forwardPort(options: PortForwardOptions): Promise<PortForward> {
  const { namespace, target, port, kubeconfig, context } = options;
  const flags = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  const args = [...flags, '--namespace', namespace, 'port-forward', '--address', '127.0.0.1', target, `:${port}`];
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    return { port: await forwardedPort(child, options), close: () => void child.kill() };
  } catch (error) {
    child.kill();
    throw error;
  }
}

/** The local port, once kubectl says it. */
function forwardedPort(child: ChildProcess, options: PortForwardOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const said: string[] = [];
  const timer = setTimeout(
    () => reject(new Error(notForwarded(`it has not connected within ${connectMs / 1000} s`, options))),
    connectMs,
  );
  const lines = (stream: ChildProcess['stdout'], take: (line: string) => void): void => {
    if (stream) createInterface({ input: stream }).on('line', take);
  };
  lines(child.stdout, (line) => {
    const port = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  lines(child.stderr, (line) => said.push(line));
  child.once('error', (error) => {
    const missing = 'code' in error && error.code === 'ENOENT';
    reject(
      missing
        ? new Error(
            'kubectl is not on the PATH; forward the port some other way and give its address: --url http://localhost:8060',
          )
        : error,
    );
  });
  // Not before its last words are read.
  child.once('close', () => reject(new Error(notForwarded(said.at(-1) ?? 'it ended without a word', options))));
  return promise.finally(() => clearTimeout(timer));
}

/** What to look at where kubectl could not: the Pod, and another way in. */
function notForwarded(said: string, { namespace, target, port }: PortForwardOptions): string {
  const words = said.replace(/^error: /, '').replace(/[\s:]+$/, '');
  const pods = kubectl('get', listOf('pods', namespace)) ?? 'kubectl get pods -A';
  return `kubectl cannot forward a port: ${target} (${words}). Does it run? ${pods}. If its port ${port} is reached some other way, give the address: --url http://localhost:${port}`;
}
