import type { ChangeField } from '../../model/change-field.ts';
import type { Reason } from '../../model/reason.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { longRunning, programs } from './reasons.ts';
import { any, changeOf, named, type Rule } from './rule.ts';

/** How a program fails that does not reach what it needs: it ends, or says that it is not ready. */
const asClients: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'InitContainerWaiting', 'PodFailed'] as const),
  ...([
    'PodNotReady',
    'ReadinessProbeFailed',
    'ReadinessFlapping',
    'LivenessProbeFailed',
    'StartupProbeFailed',
  ] as const),
];

/** What of a template decides whether its Pods become ready. */
const whatRuns: readonly ChangeField[] = [
  ...(['image', 'command', 'args', 'env', 'envFrom', 'readinessProbe', 'volumeMounts', 'volumes'] as const),
  ...(['ports', 'resources', 'securityContext', 'containers', 'initContainers', 'template'] as const),
];

/** Who depends on whom by the Services that Pods name, in their templates or in their logs, and on the registry of its images. */
export const dependencyRules: readonly Rule[] = [
  {
    id: 'needed-workload',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'needed',
    effect: { kinds: [...longRunning, 'Pod'], reasons: [...asClients, 'ExternalAlert'] },
    strength: 'usual',
    requires: ['lacksWhatItNeeds'],
    // What has lost members asks to be spared, or has no connections left for all.
    signs: [...unanswered, 'RateLimited', 'TooManyConnections'],
    source:
      'core/v1 Container.env, command and args name Services as hosts; a connection to a Service without ready endpoints is refused or times out, and who calls it is slow or fails',
  },
  {
    id: 'registry-lost-images',
    cause: named(['Registry']),
    via: 'pulls',
    effect: any('Pod', ['ImageNotFound']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['ranWithIt'],
    source:
      'OCI distribution, MANIFEST_UNKNOWN: images that ran until their Pods came to other Nodes, of several workloads that nobody edited, are not published there any more',
  },
  {
    id: 'needed-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'needed',
    effect: { kinds: ['Pod'], reasons: asClients },
    strength: 'usual',
    withinSeconds: 1800,
    fields: ['replicas'],
    requires: ['servesNobody', 'lacksWhatItNeeds'],
    signs: unanswered,
    source:
      'a workload that others name and that was scaled to zero has no Pod that could fail by itself; its clients do',
  },
  {
    id: 'needed-release',
    cause: changeOf(longRunning),
    via: 'needed',
    effect: { kinds: ['Pod'], reasons: asClients },
    // What is found wrong with the workload says more.
    strength: 'weak',
    withinSeconds: 900,
    atMost: 'likely',
    fields: whatRuns,
    requires: ['servesNobody', 'lacksWhatItNeeds'],
    signs: unanswered,
    source:
      'a release of a workload that others name replaced its ready Pods, and the new ones may still become ready (spec.strategy, progressDeadlineSeconds)',
  },
  {
    id: 'migration-failed',
    cause: named(['Job']),
    via: 'prepared-by',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    signs: ['SchemaMismatch'],
    source:
      'a Job that brings the database to the schema of a release (Helm hooks pre-upgrade and post-upgrade, or one applied beside it) and fails leaves it without: who needs it, or waits for it, did nothing wrong',
  },
];
