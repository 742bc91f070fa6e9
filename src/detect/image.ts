import type { Reason } from '../model/reason.ts';
import { refOf } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import { registryHost } from '../world/image.ts';
import { containerFacts, containerWords, eachContainer, facet, judgesPods, podExemptions } from './containers.ts';
import { type Detector, detector } from './detector.ts';
import { pullCause } from './pull-error.ts';

const imagePull = detector({
  ...judgesPods,
  id: 'P6',
  reason: ['ImagePullBackOff', 'ImageNotFound', 'ImagePullDenied'],
  severity: 'high',
  settle: 'waits',
  exemptions: podExemptions,
  source:
    'core/v1 ContainerStateWaiting.reason ErrImagePull, ImagePullBackOff, RegistryUnavailable; the cause from its message',
  predicate: 'the image of a container cannot be pulled; not found and denied are conclusive, the rest may pass',
  clears: 'the container leaves these states',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      if (!waiting || !pullReasons.has(waiting.reason)) return false;
      const error = world.pullError(pod.ref, name) ?? waiting.message;
      const image = container.template?.image ?? container.state.image;
      const { cause, reason, says, conclusive, registry } = pullCause(error, image);
      const host = registryHost(image);
      return {
        scope: name,
        reason,
        since: world.since(pod.ref, facet(container, 'waiting/ImagePullBackOff')),
        settle: conclusive ? 'conclusive' : 'waits',
        message: `${containerWords(container)} cannot get its image ${image}: ${says}.`,
        facts: {
          ...containerFacts(pod, container),
          registry: host,
          pullCause: cause,
          pullSays: says,
          pullError: error,
        },
        names: registry ? [refOf('Registry', '', host)] : [],
      };
    }),
});

const pullReasons = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable']);

/** Waiting reasons that are problems by their name alone. */
const unusableImage: ReadonlyMap<string, { readonly reason: Reason; readonly says: string }> = new Map([
  ['InvalidImageName', { reason: 'InvalidImageName', says: 'is not a valid image name' }],
  ['ErrImageNeverPull', { reason: 'ErrImageNeverPull', says: 'is not on the node, and its pull policy is Never' }],
  ['ImageInspectError', { reason: 'ImageInspectError', says: 'cannot be inspected by the runtime' }],
  ['SignatureValidationFailed', { reason: 'SignatureValidationFailed', says: 'has no valid signature' }],
]);

const imageUnusable = detector({
  ...judgesPods,
  id: 'P7',
  reason: ['InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError', 'SignatureValidationFailed'],
  severity: 'high',
  settle: 'conclusive',
  exemptions: podExemptions,
  source: 'core/v1 ContainerStateWaiting.reason (kubelet images and container packages)',
  predicate: 'the image of a container cannot be used: these never mend themselves',
  clears: 'the container leaves the state',
  judge: (pod, world) =>
    eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      const unusable = waiting && unusableImage.get(waiting.reason);
      if (!unusable) return false;
      const image = container.template?.image ?? container.state.image;
      return {
        scope: name,
        reason: unusable.reason,
        since: world.since(pod.ref, facet(container, `waiting/${waiting.reason}`)),
        message: `${containerWords(container)} cannot use its image: ${image} ${unusable.says}.`,
        facts: { ...containerFacts(pod, container), ...given({ pullError: waiting.message || undefined }) },
      };
    }),
});

/** Images that cannot be had or used. */
export const imageDetectors: readonly Detector[] = [imagePull, imageUnusable];
