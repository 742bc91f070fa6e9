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
