/** The declarations of all detectors, as the pages need them: what shares its reasons together, each reason in one place. */
import { detectors } from '../../src/detect/catalogue.ts';
import type { Declaration } from '../../src/detect/kit/detector.ts';
import type { ExemptionName } from '../../src/detect/kit/exemptions.ts';
import { namedDetectors } from '../../src/detect/named.ts';

/** A detector as the pages need it. */
export type DetectorRow = Declaration & { readonly judges: string; readonly exemptions?: readonly ExemptionName[] };

/** Every detector, those of what findings name last. */
export const detectorRows: readonly DetectorRow[] = [...detectors, ...namedDetectors];

/** Reasons that are found in the same way, and every detector that finds them. */
export type Chapter = {
  readonly reasons: readonly string[];
  readonly rows: readonly [DetectorRow, ...DetectorRow[]];
};

/** `W2, W3`: a detector of two rows. */
export const idsOf = ({ id }: DetectorRow): readonly string[] => id.split(', ');
const reasonsOf = ({ reasons }: DetectorRow): readonly string[] => reasons.map(({ reason }) => reason);

/** Detectors by their reasons. A reason that two detectors of different reasons share stands where it comes first, and only there. */
export const chapters: readonly Chapter[] = chaptersOf(detectorRows);

function chaptersOf(rows: readonly DetectorRow[]): readonly Chapter[] {
  const byReasons = Map.groupBy(rows, (row) => reasonsOf(row).join());
  const taken = new Set<string>();
  return [...byReasons.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const reasons = reasonsOf(first).filter((reason) => !taken.has(reason));
    for (const reason of reasons) taken.add(reason);
    return [{ reasons, rows: [first, ...others] as const }];
  });
}
