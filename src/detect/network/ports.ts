import type { PodView } from '../../world/kinds/workloads/pod.ts';

/** Ports named in one breath. */
const maxPorts = 5;

/** The ports that containers of some Pods open, `web (8080)`; those without a name are only numbers. */
export function openPorts(pods: readonly PodView[]): readonly string[] {
  const ports = pods.flatMap(({ template }) => template.containers.flatMap((container) => container.ports ?? []));
  return [...new Set(ports.map(({ name, port }) => (name === '' ? `${port}` : `${name} (${port})`)))]
    .sort()
    .slice(0, maxPorts);
}
