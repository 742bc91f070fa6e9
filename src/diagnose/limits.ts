import type { Snapshot } from '../dump/collect.ts';
import { cleanLine } from '../message/parts/clean.ts';

/** What one look at a cluster cannot know. `namespace`: the only one that could be seen. */
export function clusterLimits(namespace: string | undefined): readonly string[] {
  return [
    ...(namespace === undefined
      ? []
      : [
          `Only the namespace ${namespace} could be seen: causes elsewhere, as on Nodes or in cluster DNS, may be missing.`,
        ]),
    'What came and went before the look, and what is usual for a workload, is known only as far as the cluster wrote it down.',
    'What began within the last two minutes may not show yet.',
    'Detectors that need a licence did not take part.',
  ];
}

/** What a dump cannot show. */
export function dumpLimits({
  logs,
  flaws,
  flawCount,
  foreignVersions,
  format,
  now,
  tellsWrites,
}: Snapshot): readonly string[] {
  const all = [...logs.values()].flat();
  const more = flawCount > flaws.length ? `, and ${flawCount - flaws.length} more` : '';
  return [
    `It is as of ${new Date(now).toISOString()}, by its own times: it was collected piece by piece, so that objects may be some minutes apart.`,
    'What happened in which order is known only as far as objects keep times; what came and went before is not in it.',
    ...(tellsWrites
      ? []
      : [
          'Its objects do not tell who wrote them, and when: that one was edited is known only as far as the order of writes tells it, without its author. `kubectl get --show-managed-fields` prints it.',
        ]),
    ...(all.length === 0 ? ['It holds no logs of containers: causes that stand in logs alone are missing.'] : []),
    ...(all.length > 0 && !all.some(({ previous }) => previous)
      ? ['It holds no logs of runs that ended: what a program said before it crashed may be missing.']
      : []),
    ...(format === 'objects as kubectl prints them'
      ? ['It may be a part of what there was: nothing is taken for missing because it is not in it.']
      : []),
    ...(foreignVersions.size > 0
      ? [
          `Some objects are in versions that are not known here, and read as far as they are written as those that are: ${[
            ...foreignVersions,
          ]
            .map(([version, count]) => `${cleanLine(version)} (${count})`)
            .join(', ')}.`,
        ]
      : []),
    'Detectors that need a licence did not take part.',
    ...(flaws.length > 0
      ? [
          `Not all of it could be read: ${flaws
            .slice(0, 5)
            .map(({ path, says }) => (path === '' ? says : `${path}: ${says}`))
            .join('; ')}${more}.`,
        ]
      : []),
  ];
}
