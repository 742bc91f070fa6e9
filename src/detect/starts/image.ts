import { describeRef, type Ref, refOf } from '../../model/ref.ts';
import { registryHost } from '../../world/pods/image.ts';
import { deadServiceAt } from '../../world/view/exposure.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { serving } from '../kit/backends.ts';
import { containerFacts, eachContainer, facet, judgesPods } from '../kit/containers.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { silentProxy } from './file-server.ts';
import { pullCause } from './pull-error.ts';
import { absentPullSecrets, onlyPullSecret } from './pull-secret.ts';

const imagePull = detector({
  ...judgesPods,
  id: 'P6',
  reasons: [
    { reason: 'ImagePullBackOff', family: 'image', sure: 'likely' },
    { reason: 'ImageNotFound', family: 'image', sure: 'high' },
    { reason: 'ImagePullDenied', family: 'image', sure: 'likely' },
  ],
  severity: 'high',
  source:
    'core/v1 ContainerStateWaiting.reason ErrImagePull, ImagePullBackOff, RegistryUnavailable; the cause from its message, and an absent pull secret from the Event FailedToRetrieveImagePullSecret',
  predicate: 'the image of a container cannot be pulled; not found and denied are conclusive, the rest may pass',
  clears: 'the container leaves these states',
  symptom: 'start',
  patience: 'not found and denied are told at once; what may pass is given the time that the incident takes to settle',
  isNot:
    'a slow pull; one registry trouble of several workloads, which is one finding of the Registry, or of the proxy before it; a pull secret that is absent while nobody refuses',
  judge: (pod, world, now) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      if (!waiting || !pullReasons.has(waiting.reason)) return false;
      const error = world.pullError(pod.ref, name) ?? waiting.message;
      const image = container.template?.image ?? container.state.image;
      const { cause, reason, conclusive, registry } = pullCause(error, image);
      const host = registryHost(image);
      const absent = absentPullSecrets(pod, cause, world, now);
      const proxy = silentProxy(error, world);
      return {
        scope: name,
        reason,
        since: world.since(pod.ref, facet(container, 'waiting/ImagePullBackOff')),
        settle: conclusive ? 'conclusive' : 'waits',
        facts: {
          ...{ ...containerFacts(pod, container), registry: host, pullCause: cause },
          ...(absent && { missing: absent.refs.map(describeRef).join(', ') }),
          ...(proxy && { serverSays: proxy.says }),
        },
        detail: error,
        // Which of several is the one that would have done is not known: one stands for them, and nothing is said of the registry.
        // A registry behind a proxy that does not answer was never asked.
        names: absent
          ? [absent.refs[0]]
          : proxy
            ? [proxy.ref]
            : registry
              ? [refOf('Registry', '', host), ...onlyPullSecret(pod, cause), ...servingHere(host, world)]
              : cause === 'disk' && pod.node !== undefined
                ? [refOf('Node', '', pod.node)]
                : [],
        ...(absent && { lookAgainAt: absent.until }),
      };
    }),
});

/** The workloads behind a registry that this cluster itself serves, where they are down. */
function servingHere(host: string, world: ObservedWorld): readonly Ref[] {
  const service = deadServiceAt(host, world);
  return service === undefined ? [] : serving(service, world);
}

const pullReasons = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable']);

/** Waiting reasons that are problems by their name alone. */
const unusableImage = [
  { reason: 'SignatureValidationFailed', family: 'image', sure: 'high' },
  { reason: 'InvalidImageName', family: 'image', sure: 'high' },
  { reason: 'ErrImageNeverPull', family: 'image', sure: 'high' },
  { reason: 'ImageInspectError', family: 'image', sure: 'likely' },
] as const;

const imageUnusable = detector({
  ...judgesPods,
  id: 'P7',
  reasons: unusableImage,
  severity: 'high',
  settle: 'conclusive',
  source: 'core/v1 ContainerStateWaiting.reason (kubelet images and container packages)',
  predicate: 'the image of a container cannot be used: this never passes by itself',
  clears: 'the container leaves the state',
  symptom: 'start',
  patience: 'not at all: trying again does not help',
  isNot: 'a failing pull (P6)',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      const reason = unusableImage.find((unusable) => unusable.reason === waiting?.reason)?.reason;
      if (!waiting || reason === undefined) return false;
      return {
        scope: name,
        reason,
        since: world.since(pod.ref, facet(container, `waiting/${reason}`)),
        facts: containerFacts(pod, container),
        detail: waiting.message,
      };
    }),
});

/** Images that cannot be had or used. */
export const imageDetectors: readonly Detector[] = [imagePull, imageUnusable];
