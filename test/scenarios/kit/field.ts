import { type Ref, refOf } from '../../../src/model/ref.ts';
import { split } from './manifests.ts';
import { type ClusterBuilder, type Scenario, scenario } from './scenario.ts';
import { type Surroundings, surroundings } from './surroundings.ts';

/** The ports of a Service that listens where its Pods do. */
export const tcp = (port: number, name = 'main'): object => ({
  ports: [{ name, port, targetPort: port, protocol: 'TCP' }],
});

/** An image of the house. */
export const image = (name: string): string => `registry.acme.example/${name}`;

/** The Deployment (or another kind) at a place such as `shop/api`. */
export function at(place: string, kind = 'Deployment'): Ref {
  const { namespace, name } = split(place);
  return refOf(kind, namespace, name);
}

/** A volume of a Pod that holds a Secret. */
export const secretVolume = (secretName: string): object => ({ volumes: [{ name: 'secret', secret: { secretName } }] });

/** A volume of a Pod that holds a ConfigMap. */
export const settingsVolume = (name: string): object => ({ volumes: [{ name: 'settings', configMap: { name } }] });

/** A story in a cluster where others work, on the sandbox. Two minutes and a half are recorded unless it says otherwise. */
export function field(
  description: string,
  tell: (cluster: ClusterBuilder, around: Surroundings) => void,
  lasts = '2m30s',
): Scenario {
  return scenario(description, (cluster) => {
    cluster.recordedFrom('sandbox');
    const around = surroundings(cluster);
    tell(cluster, around);
    cluster.lasts(lasts);
  });
}
