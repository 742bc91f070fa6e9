import { get } from 'node:http';
import { connect } from 'node:net';

/** How the probes of a kubelet fared. Milliseconds. */
export type Probes = { readonly took: number[]; failed: number };

/** Asks for the health once a second, as a kubelet does, until `ends` (epoch milliseconds). */
export async function probe(url: string, ends: () => boolean, probes: Probes): Promise<void> {
  while (!ends()) {
    const began = performance.now();
    try {
      const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) });
      await answer.text();
      probes.took.push(performance.now() - began);
      if (!answer.ok) probes.failed += 1;
    } catch {
      probes.failed += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Another machine than the kubelet's, as far as a port can tell. */
const stranger = '127.0.0.2';

/** Connections that say nothing, say half a request, or ask with tokens that nobody gave out. */
export function pester(url: string, index: number): void {
  const { hostname, port } = new URL(url);
  for (let each = 0; each < 20; each += 1) {
    const socket = connect({ port: Number(port), host: hostname, localAddress: stranger }).on('error', () => undefined);
    if (each % 2 === 0) socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\nX-Half:');
    setTimeout(() => socket.destroy(), 15_000).unref();
  }
  for (let each = 0; each < 20; each += 1)
    get(`${url}/status`, {
      localAddress: stranger,
      headers: { authorization: `Bearer invented-${index}-${each}` },
    })
      .on('response', (response) => response.resume())
      .on('error', () => undefined);
}
