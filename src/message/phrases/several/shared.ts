import { kubectl, listOf } from '../../../model/command.ts';
import { kindNameOf, kindOf, nameOf, namespaceOf, refOf } from '../../../model/ref.ts';
import { describeRoot } from '../../parts/next.ts';
import { fact, named, type Phrase, quote } from '../../parts/phrase.ts';
import { driverOf } from '../storage/volume.ts';

/** Words in place of those of a workload's or Pod's own reason. */
type Shared = Pick<Phrase, 'happens' | 'hits' | 'well' | 'next'> & Partial<Pick<Phrase, 'why' | 'evidence'>>;

/** A key that several workloads ask for. The keys of a Secret are shown by name and size, never their values. */
const withoutKey: Shared = {
  happens: (about) => `has no key${named(about, 'missingKey')}`,
  hits: 'cannot start without it',
  evidence: () => undefined,
  well: 'has what is asked of it again',
  next: ({ root }) => kubectl('describe', root),
};

/** A policy that the API server cannot evaluate refuses everything that it applies to. */
const unjudged: Shared = {
  happens: () => 'refuses everything that it applies to',
  hits: 'cannot create pods because of it',
  well: 'can be evaluated again',
  next: describeRoot,
};

/** What controllers do not find that their resources refer to. */
const missingSettings: Shared = {
  happens: () => 'is missing',
  hits: 'cannot be looked after without it',
  evidence: ({ finding }) => quote('Their controller', finding?.detail),
  well: 'is there again, or nobody refers to it',
  next: ({ root }) => kubectl('get', listOf(kindOf(root).toLowerCase(), namespaceOf(root))),
};

/** No Pod of it is ready, as the budget says that counts them. */
const shortOfBudget: Shared = {
  happens: () => 'has fewer ready pods than its disruption budget asks for',
  hits: 'waits for them',
  evidence: () => 'Drains wait until its pods are ready.',
  well: 'has as many ready pods as its budget asks for',
  next: describeRoot,
};

/**
 * Words in place of those of the reason that workloads and Pods have of their own, where what several of them share is the root: the kind of
 * the root and the reason.
 */
export const sharedPhrases: ReadonlyMap<string, Shared> = new Map(
  Object.entries<Shared>({
    'ConfigMap CreateContainerConfigError': withoutKey,
    'Secret CreateContainerConfigError': withoutKey,
    'ConfigMap FailedMount': withoutKey,
    'Secret FailedMount': withoutKey,
    'ConfigMap ProjectedReferenceMissing': {
      happens: () => 'no longer exists',
      why: () => undefined,
      hits: 'could not start again without it',
      evidence: () => undefined,
      well: 'is there again, or nobody needs it to start',
      next: ({ root }) => kubectl('get', listOf('configmaps', namespaceOf(root))),
    },
    'LimitRange LimitRangeRejects': {
      happens: () => 'refuses pods',
      hits: 'cannot create pods because of it',
      well: 'no longer refuses pods',
      next: describeRoot,
    },
    'LimitRange OOMKilled': {
      happens: ({ facts: { memoryLimit } }) =>
        `gives containers a memory limit${memoryLimit === undefined ? '' : ` of ${memoryLimit}`}`,
      hits: 'exceed it and are killed',
      well: 'no longer has containers killed for their memory',
      next: describeRoot,
    },
    'Deployment PDBNotEnoughHealthy': shortOfBudget,
    'StatefulSet PDBNotEnoughHealthy': shortOfBudget,
    'DaemonSet PDBNotEnoughHealthy': shortOfBudget,
    'Node FailedMount': {
      happens: (about) => `does not have ${driverOf(about.facts)} registered`,
      hits: 'cannot work there',
      evidence: () => undefined,
      well: 'has the driver again, or nobody needs it there',
      next: (about) => kubectl('describe', refOf('CSINode', '', nameOf(about.root))),
    },
    'Secret ImagePullDenied': {
      happens: ({ facts }) => `does not let pods pull from ${facts.registry ?? 'their registry'}`,
      hits: 'cannot pull their images with it',
      evidence: ({ finding }) => quote('The kubelet', finding?.detail),
      well: 'lets pods pull their images again, or nobody needs it',
      next: ({ root }) => kubectl('describe', root),
    },
    'Node Unschedulable': {
      happens: (about) =>
        fact(about, 'taint') === undefined ? 'is gone' : `keeps pods away with the taint${named(about, 'taint')}`,
      hits: (about) =>
        fact(about, 'taint') === undefined
          ? 'do not fit on any other node'
          : 'cannot be placed, as every node that they may use has it',
      evidence: () => undefined,
      well: 'no longer keeps pods from being placed',
      next: (about) =>
        fact(about, 'taint') === undefined
          ? kubectl('get', listOf('nodes'), '--show-labels')
          : kubectl('describe', listOf('nodes')),
    },
    'Service RouteNotAccepted': {
      happens: () => 'is missing',
      hits: 'lead to it and serve nobody',
      evidence: () => undefined,
      well: 'is there again, or no route leads to it',
      next: ({ root }) => kubectl('get', listOf('services', namespaceOf(root))),
    },
    'ValidatingAdmissionPolicy AdmissionDenied': unjudged,
    'ValidatingAdmissionPolicyBinding AdmissionDenied': unjudged,
    'IngressClass IngressClassMissing': {
      happens: () => 'is missing',
      hits: 'are served by no controller without it',
      evidence: () => undefined,
      well: 'is there again, or no Ingress asks for it',
      next: () => kubectl('get', listOf('ingressclasses')),
    },
    'StorageClass NoDefaultStorageClass': {
      happens: () => 'is no longer the default class',
      hits: 'get no volume, as they name no class and no other is the default',
      evidence: () => undefined,
      well: 'is the default class again, or there is another',
      next: () => kubectl('get', listOf('storageclasses')),
    },
    'Gateway RouteNotAccepted': {
      happens: () => 'refuses routes',
      hits: 'are not served by it',
      well: 'takes its routes again',
      next: describeRoot,
    },
    'CustomResource FailedMount': {
      happens: () => 'is missing',
      hits: 'mount it and cannot start',
      well: 'is there, or no pod mounts it any more',
      next: ({ root }) => kubectl('get', listOf(kindNameOf(root).toLowerCase(), namespaceOf(root))),
    },
    'Secret CustomResourceFailing': missingSettings,
    'ConfigMap CustomResourceFailing': missingSettings,
    'Node VolumeNodeAffinityConflict': {
      happens: () => 'takes no pods',
      hits: 'cannot run without its volume on it',
      evidence: () => undefined,
      well: 'takes pods again, or nobody waits for its volumes',
      next: ({ root }) => kubectl('describe', root),
    },
    'Node FailedCreatePodSandBox': {
      happens: () => 'cannot start new pods',
      hits: 'cannot start on it, while others start elsewhere',
      well: 'is starting pods again',
      next: ({ root }) => kubectl('describe', root),
    },
  }),
);
