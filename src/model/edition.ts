/** What is bought, each with everything of those before it: Community is free, Pro needs a licence. */
export const editions = ['Community', 'Pro'] as const;

/** One of the editions above. */
export type Edition = (typeof editions)[number];

/** One row of the table of features: what it is, what it needs, and what happens without. */
type FeatureRow = {
  readonly needs: Edition;
  /** As the table of docs/editions.md names it. */
  readonly what: string;
  /** What happens without a licence: a sentence of its own, for conditions, lint and logs. */
  readonly without: string;
};

/**
 * Everything that needs Pro, one row each: whoever gates something asks `includes`, whoever says that something is inactive takes
 * the words from here.
 */
export const features = {
  manyProviders: {
    needs: 'Pro',
    what: 'More than one active AlertProvider, and those of other namespaces',
    without: 'One AlertProvider of the operator’s namespace is active.',
  },
  routes: {
    needs: 'Pro',
    what: 'Routes of AlertProviders',
    without: 'Routes have no effect: everything in scope goes to the one active AlertProvider.',
  },
  maintenance: {
    needs: 'Pro',
    what: 'MaintenanceWindows and maintenance annotations',
    without: 'Maintenance holds nothing back. A Silence does.',
  },
  auditLog: { needs: 'Pro', what: 'The audit log', without: 'No audit log is written.' },
  savedState: {
    needs: 'Pro',
    what: 'Saved state: incidents, deliveries and references to messages, tasks and issues outlive a restart',
    without: 'State is held in memory: a restart takes a fresh baseline.',
  },
  proDetectors: {
    needs: 'Pro',
    what: 'Detectors that the page of detectors marks as Pro',
    without: 'The detectors of Community run.',
  },
} as const satisfies Readonly<Record<string, FeatureRow>>;

/** Name of a feature that needs Pro. */
export type Feature = keyof typeof features;

/** Whether an edition has a feature. */
export function includes(edition: Edition, feature: Feature): boolean {
  return editions.indexOf(edition) >= editions.indexOf(features[feature].needs);
}
