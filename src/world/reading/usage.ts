/** What a kubelet's summary tells the use of, by whom it belongs to. */
export type Measured =
  | 'claimBytes'
  | 'claimInodes'
  | 'nodeBytes'
  | 'nodeInodes'
  | 'imageBytes'
  | 'imageInodes'
  | 'memoryStall'
  | 'ioStall'
  | 'swap'
  | 'containerMemory'
  | 'podStorage';

/** From which share (percent) on something is told, and below which it is over. In between what was told stands. */
export type Band = { readonly from: number; readonly over: number };

/**
 * The bands. Claims: `detection.volumeUsagePercent` takes the place of `from`. Kubelets remove images from 85 % on and evict Pods
 * where less than 10 % of the node's file system is free; a stall is the share of the last 5 min in which all tasks waited.
 */
export const bands: Readonly<Record<Measured, Band>> = {
  claimBytes: { from: 85, over: 80 },
  claimInodes: { from: 85, over: 80 },
  nodeBytes: { from: 85, over: 80 },
  nodeInodes: { from: 90, over: 85 },
  imageBytes: { from: 92, over: 87 },
  imageInodes: { from: 90, over: 85 },
  memoryStall: { from: 10, over: 5 },
  ioStall: { from: 20, over: 10 },
  swap: { from: 80, over: 60 },
  containerMemory: { from: 90, over: 80 },
  podStorage: { from: 85, over: 75 },
};

/** One thing that is nearly used up, or was and is not over yet. Sizes are bytes or inodes. */
export type Usage = {
  readonly of: Measured;
  readonly percent: number;
  readonly used?: number;
  readonly capacity?: number;
  /** The claim or Pod, and its container. */
  readonly namespace?: string;
  readonly name?: string;
  readonly container?: string;
  /** It grows, and is full in about so many hours. */
  readonly fullInHours?: number;
};

/** What tells usages of one Node apart. */
export function usageKey({ of, namespace = '', name = '', container = '' }: Usage): string {
  return `${of}/${namespace}/${name}/${container}`;
}

/** What is told: what is in its band from above, and what was told and has not left it below. `before`: what was told. */
export function toldOf(measured: readonly Usage[], before: readonly Usage[], claimsFrom: number): readonly Usage[] {
  const told = new Set(before.map(usageKey));
  return measured
    .filter((usage) => {
      const { from, over } = bandOf(usage.of, claimsFrom);
      return usage.percent >= (told.has(usageKey(usage)) ? over : from);
    })
    .sort((a, b) => (usageKey(a) < usageKey(b) ? -1 : 1));
}

function bandOf(of: Measured, claimsFrom: number): Band {
  return of === 'claimBytes' || of === 'claimInodes' ? { from: claimsFrom, over: claimsFrom - 5 } : bands[of];
}
