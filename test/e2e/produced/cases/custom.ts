import { produced } from '../case.ts';
import { definition } from '../definition.ts';
import type { Hands, Manifest } from '../hands.ts';

/** What some controllers define, applied before anybody watches; the same for every case. */
const definitions: readonly Manifest[] = [
  definition('kustomize.toolkit.fluxcd.io', 'Kustomization'),
  definition('argoproj.io', 'Application', { version: 'v1alpha1' }),
  definition('cert-manager.io', 'Certificate'),
];

/** An object, and its status as its controller writes it: none of these controllers runs here. */
const reports =
  (apiVersion: string, kind: string, status: () => object) =>
  async ({ apply, patch }: Hands): Promise<void> => {
    await apply({ apiVersion, kind, metadata: { name: 'web' }, spec: {} });
    await patch(kind, 'web', { status: status() }, 'status');
  };

const condition = (type: string, status: string, reason: string, message: string) => ({
  conditions: [{ type, status, reason, message, lastTransitionTime: new Date().toISOString() }],
});

const settled =
  (kind: string, path: string, value: string) =>
  async ({ read }: Hands): Promise<boolean> =>
    (await read(kind, 'web', path)) === value;

const declared = {
  ...({ id: 'G3', reason: 'CustomResourceFailing', edition: 'Pro' } as const),
  before: () => definitions,
};

/** Custom resources. */
export const cases = [
  produced({
    ...declared,
    what: 'a Kustomization of Flux that is stalled',
    subject: (ns) => `Kustomization.kustomize.toolkit.fluxcd.io/${ns}/web`,
    produce: reports('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', () =>
      condition('Stalled', 'True', 'InvalidPath', 'path ./web does not exist'),
    ),
    settled: settled('Kustomization', 'status.conditions.Stalled.status', 'True'),
    withinSeconds: 30,
  }),
  produced({
    ...declared,
    what: 'an Application of Argo CD that could not be applied',
    subject: (ns) => `Application.argoproj.io/${ns}/web`,
    produce: reports('argoproj.io/v1alpha1', 'Application', () => {
      const finishedAt = new Date().toISOString();
      return { operationState: { phase: 'Failed', message: 'one or more objects failed to apply', finishedAt } };
    }),
    settled: settled('Application', 'status.operationState.phase', 'Failed'),
    withinSeconds: 130,
  }),
  produced({
    ...declared,
    what: 'a Certificate of cert-manager that cannot be issued',
    subject: (ns) => `Certificate.cert-manager.io/${ns}/web`,
    produce: reports('cert-manager.io/v1', 'Certificate', () =>
      condition('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
    ),
    settled: settled('Certificate', 'status.conditions.Ready.status', 'False'),
    // The first certificate may take a quarter of an hour.
    withinSeconds: 920,
    quietBeforeSeconds: 600,
  }),
];
