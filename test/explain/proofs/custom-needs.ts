import { gitRepository, kustomization } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story } from '../proof.ts';

const from = (name: string) => ({ createdAt: long, spec: { sourceRef: { kind: 'GitRepository', name } } });

/** A repository that cannot be read, and a Kustomization that fails a moment later. */
const story =
  (source: string): Story['tell'] =>
  (k8s) => {
    const good = { createdAt: long, conditions: [condition('Ready', 'True', long, 'Succeeded')] };
    k8s.put(long, gitRepository('fleet', good), gitRepository('other', good), kustomization('shop', from(source)));
    k8s.wait(at(0));
    const unreadable = condition('Ready', 'False', at(5), 'GitOperationFailed', 'authentication required');
    const failed = condition('Ready', 'False', at(6), 'ArtifactFailed', 'no artifact of the source');
    k8s.put(at(5), gitRepository('fleet', { createdAt: long, conditions: [unreadable] }));
    k8s.put(at(6), kustomization('shop', { ...from(source), conditions: [failed] }));
    k8s.wait(at(20));
  };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'the source of a Kustomization cannot be read',
    tell: story('fleet'),
    told: ['GitRepository.source.toolkit.fluxcd.io/shop/fleet CustomResourceFailing 2'],
  },
  not: {
    what: 'a source that cannot be read is that of others',
    tell: story('other'),
    told: [
      'GitRepository.source.toolkit.fluxcd.io/shop/fleet CustomResourceFailing 1',
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/shop CustomResourceFailing 1',
    ],
  },
};
