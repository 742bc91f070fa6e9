import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Image } from '../e2e/install-image.ts';
import { listedResources } from './answers.ts';
import type { Reading } from './api-server.ts';
import { type Child, startChild } from './child.ts';
import type { ClusterSize } from './cluster.ts';
import type { LagSeries } from './lag.ts';
import { median } from './numbers.ts';
import { runOperator } from './operator.ts';
import { type Idle, type Resident, residentAfterIdle, residentNow } from './resident.ts';
import type { Side } from './table.ts';

/** What one cluster size came to. */
export type SizeResult = {
  readonly sides: readonly Side[];
  readonly operator: Idle;
  /** Sync time of the operator by that of the bare loop: the median of pairs that ran one after the other. */
  readonly syncRatio: number;
  /** From the operator's first list until it was ready, the median. */
  readonly readySeconds: number;
  /** Milliseconds of every message, for each series. */
  readonly lags: readonly (readonly number[])[];
  /** After all series. */
  readonly afterwards: Resident;
};

/** Syncs are timed this often; the others do not vary so much. */
const rounds = 3;
const script = (name: string): string => join(import.meta.dirname, `${name}.ts`);

/** Runs all sides against one cluster, one after the other, each in a process of its own. */
export async function sideBySide(options: {
  readonly image: Image;
  /** A folder that is gone afterwards. */
  readonly folder: string;
  readonly size: ClusterSize;
  /** Warnings that come after the sync: what is resident is so with them. */
  readonly events: number;
  readonly series: readonly LagSeries[];
  readonly say: (text: string) => void;
}): Promise<SizeResult> {
  const { image, size, say } = options;
  const folder = join(options.folder, String(size.pods));
  const outside = startChild(script('outside'), [String(size.pods), String(size.nodes)]);
  try {
    const { url, ca } = await outside.ask<{ url: string; ca: string }>('where');
    const caFile = join(options.folder, `ca-${size.pods}.crt`);
    writeFileSync(caFile, ca);
    const bare: Side[] = [];
    const operators: (Side & { readonly readySeconds: number })[] = [];
    for (let round = 1; round < rounds; round++) {
      bare.push(await bareLoop(url, caFile));
      const { stop, ...synced } = await runOperator(fresh(image, folder, round), outside, `round-${round}`);
      operators.push({ who: 'Tocsin', ...synced });
      await stop();
      say(`first sync: ${synced.syncSeconds.toFixed(2)} s`);
    }
    bare.push(await bareLoop(url, caFile));
    const operator = await runOperator(fresh(image, folder, rounds), outside, `round-${rounds}`);
    operators.push({ who: 'Tocsin', ...operator });
    say(`first sync: ${operator.syncSeconds.toFixed(2)} s; ${options.events} Events, then a minute without`);
    await outside.ask('warn', options.events);
    const resident = await residentAfterIdle(operator.pid);
    say(idleWords(resident));
    const lags: (readonly number[])[] = [];
    for (const series of options.series) {
      say(`${series.count} problems, settle time ${series.settleSeconds} s, logs ${series.logs ? 'on' : 'off'}`);
      lags.push(await outside.ask<readonly number[]>('lag', series));
    }
    const afterwards = residentNow(operator.pid);
    await operator.stop();
    say('the informer of @kubernetes/client-node');
    const peer = await informer(outside, url, caFile, folder, image);
    const ratios = operators.map(({ syncSeconds }, round) => syncSeconds / (bare[round]?.syncSeconds ?? Number.NaN));
    return {
      sides: [middle(bare), { ...middle(operators), ...resident }, peer],
      operator: resident,
      syncRatio: median(ratios),
      readySeconds: median(operators.map(({ readySeconds }) => readySeconds)),
      lags,
      afterwards,
    };
  } finally {
    await outside.end();
  }
}

/** What is resident, and how long the first sync took, in a cluster of one size: the operator alone, once. */
export async function residentAt(options: {
  readonly image: Image;
  readonly folder: string;
  readonly size: ClusterSize;
  readonly events: number;
  readonly say: (text: string) => void;
}): Promise<Idle & { readonly readySeconds: number }> {
  const { image, size, events, say } = options;
  const outside = startChild(script('outside'), [size.pods, size.nodes, size.around ?? size.pods].map(String), [
    '--max-old-space-size=16384',
  ]);
  try {
    // Two clusters may have as many Pods, and differ in what is around these.
    const folder = join(options.folder, `${size.pods}-${size.around ?? size.pods}`);
    const { pid, stop, readySeconds } = await runOperator(fresh(image, folder, 1), outside, 'large');
    say(`ready after ${readySeconds.toFixed(1)} s; ${events} Events, then a minute without`);
    await outside.ask('warn', events);
    const resident = await residentAfterIdle(pid);
    say(idleWords(resident));
    await stop();
    return { ...resident, readySeconds };
  } finally {
    await outside.end();
  }
}

function idleWords({ steady, peak, corePercent }: Idle): string {
  return `resident: ${steady.toFixed(0)} MiB, peak ${peak.toFixed(0)} MiB; idle ${corePercent.toFixed(1)} % of a core`;
}

/** One first sync with a server that streams its lists, as newer ones do. */
export async function streamedSync(image: Image, folder: string, { pods, nodes }: ClusterSize): Promise<Side> {
  const outside = startChild(script('outside'), [String(pods), String(nodes), String(pods), 'streams']);
  try {
    const { pid, stop, ...synced } = await runOperator(fresh(image, join(folder, 'streamed'), 1), outside, 'streamed');
    const { peak } = residentNow(pid);
    await stop();
    return { who: 'Tocsin, streamed lists', ...synced, peak };
  } finally {
    await outside.end();
  }
}

/** A copy of the image's files: a container's root cannot be used twice. */
function fresh(image: Image, folder: string, round: number): Image {
  const root = join(folder, `root-${round}`);
  cpSync(image.root, root, { recursive: true });
  return { ...image, root };
}

function middle(sides: readonly Side[]): Side {
  const of = (field: 'syncSeconds' | 'cpuSeconds'): number => median(sides.map((side) => side[field]));
  return { who: sides[0]?.who ?? '', syncSeconds: of('syncSeconds'), cpuSeconds: of('cpuSeconds') };
}

async function bareLoop(url: string, caFile: string): Promise<Side> {
  const loop = startChild(script('bare-loop'), [url, caFile, ...listedResources.keys()]);
  const { seconds, cpuSeconds } = await loop.ask<{ seconds: number; cpuSeconds: number }>('read');
  await loop.end();
  return { who: 'bare loop', syncSeconds: seconds, cpuSeconds };
}

/** Bundled and started as Tocsin is, so that only what it does differs. */
async function informer(outside: Child, url: string, caFile: string, folder: string, image: Image): Promise<Side> {
  const outfile = join(folder, 'informer.mjs');
  await build({
    entryPoints: [script('informer')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  await outside.ask('begin');
  const flags = image.entrypoint.slice(1, -1);
  const peer = startChild(outfile, [url, caFile], flags, image.environment);
  const { sources, cpuSeconds } = await peer.ask<{ sources: readonly string[]; cpuSeconds: number }>('sync');
  const { firstListAt, watchedAt } = await outside.ask<Reading>('watched', sources);
  const resident = await residentAfterIdle(peer.pid);
  await peer.end();
  return { who: 'client-node informer', syncSeconds: (watchedAt - firstListAt) / 1000, cpuSeconds, ...resident };
}
