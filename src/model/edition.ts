/** What is bought, each with everything of those before it: Community is free, Pro needs a licence. */
export const editions = ['Community', 'Pro'] as const;

/** One of the editions above. */
export type Edition = (typeof editions)[number];

/** One row of the table of features: what it is, what it needs, and what happens without. */
type FeatureRow = {
  readonly needs: Edition;
  /** What it is called within a sentence. */
  readonly name: string;
  /** What it does, and what happens without it: a sentence each. */
  readonly gives: string;
  readonly without: string;
};

/**
 * Everything that needs a licence, one row each: whoever gates something asks `includes`, whoever says that something is inactive
 * takes the words from here.
 */
export const features = {
  manyProviders: {
    needs: 'Pro',
    name: 'more than one active AlertProvider',
    gives: 'Every AlertProvider is active, also those of other namespaces.',
    without: 'One AlertProvider of the operator’s namespace is active.',
  },
  routes: {
    needs: 'Pro',
    name: 'routes',
    gives: 'Routes of an AlertProvider choose which incidents it gets.',
    without: 'Routes have no effect: everything in scope goes to the one active AlertProvider.',
  },
  maintenance: {
    needs: 'Pro',
    name: 'maintenance windows and annotations',
    gives: 'MaintenanceWindows and the maintenance annotations hold messages back.',
    without: 'Nothing is held back for maintenance. A Silence works in any edition.',
  },
  auditLog: {
    needs: 'Pro',
    name: 'the audit log',
    gives: 'Every decision is written as one JSON line.',
    without: 'No audit log is written.',
  },
  savedState: {
    needs: 'Pro',
    name: 'saved state',
    gives: 'Incidents, deliveries and references to messages, tasks and issues outlive a restart.',
    without: 'State is held in memory: a restart takes a fresh baseline.',
  },
  proDetectors: {
    needs: 'Pro',
    name: 'Pro detectors',
    gives: 'All detectors run.',
    without:
      "Detectors for whatever stops workloads or user traffic run, including routes, autoscalers, disruption budgets, claims and quotas. Those for custom resources, deviations from a workload's normal, certificates, kubelet metrics and forecasts do not.",
  },
} as const satisfies Readonly<Record<string, FeatureRow>>;

/** Name of a feature that needs Pro. */
export type Feature = keyof typeof features;

/** Every feature, in the order of the table. */
export const featureNames = Object.keys(features) as readonly Feature[];

/** Whether an edition has a feature. */
export function includes(edition: Edition, feature: Feature): boolean {
  return editions.indexOf(edition) >= editions.indexOf(features[feature].needs);
}

/** What an edition lacks, as sentences name it. */
export function namesWithout(edition: Edition): readonly string[] {
  return featureNames.filter((feature) => !includes(edition, feature)).map((feature) => features[feature].name);
}
