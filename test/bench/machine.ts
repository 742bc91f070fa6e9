import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };

/** What the figures were measured on. */
export function machineWords(): string {
  const [cpu] = cpus();
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  return `${availableParallelism()} processors (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GiB of memory, ${process.platform} ${process.arch}`;
}

/** What was measured: Tocsin, Node, and the libraries that count. */
export function versionWords(): string {
  const { undici, '@kubernetes/client-node': client } = packageJson.dependencies;
  return `Tocsin ${packageJson.version}, Node ${process.version.slice(1)}, undici ${undici}, @kubernetes/client-node ${client}`;
}

/** Processes that wanted to run, averaged over the last minute. */
export function load(): number {
  return loadavg()[0] ?? 0;
}
