import { custom } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { type ClusterStory, long } from '../shop.ts';

const expired: ClusterStory = (k8s) => {
  const certificate = (ready: ReturnType<typeof condition>) =>
    custom('cert-manager.io/v1', 'Certificate', 'shop', { createdAt: long, conditions: [ready] });
  k8s.put(long, certificate(condition('Ready', 'True', long, 'Ready')));
  k8s.start(at(0));
  const says = 'Issuing certificate as Secret was previously issued by "ClusterIssuer.cert-manager.io/old"';
  k8s.put(at(10), certificate(condition('Ready', 'False', at(10), 'IncorrectIssuer', says)));
  k8s.wait(at(30));
};

/** Custom resources. */
export const customStories = { CustomResourceFailing: expired } satisfies Record<string, ClusterStory>;
