/** Stories told after reports of real incidents: a cluster that has been healthy for a while, what happens, and a long look afterwards. */
import { type Company, company, port } from './company.ts';
import { type Dependant, dependants, imageOf } from './dependants.ts';
import type { Behaviour } from './hands.ts';
import { type ClusterBuilder, type Scenario, scenario } from './scenario.ts';
import { storageClass } from './things.ts';

/** Seconds for which all is well before anything happens. */
const healthySeconds = 330;

/** So many seconds after what the report is about began; negative: shortly before. */
export const after = (seconds: number): string => `${healthySeconds + seconds}s`;

/** A story on the sandbox, with the company around it; 20 minutes after the fault are recorded unless it says otherwise. */
export function reported(
  description: string,
  tell: (cluster: ClusterBuilder, firm: Company) => void,
  { minutes = 20, dnsService }: { readonly minutes?: number } & Parameters<typeof company>[1] = {},
): Scenario {
  return scenario(description, (cluster) => {
    cluster.recordedFrom('sandbox');
    tell(cluster, company(cluster, dnsService ? { dnsService } : {}));
    cluster.lasts(after(60 * minutes));
  });
}

/** A database or the like: a StatefulSet of an image, and the Service that its clients know. */
export function server(
  cluster: ClusterBuilder,
  place: string,
  image: string,
  number: number,
  { clusterIP, ...workload }: Omit<Parameters<ClusterBuilder['statefulSet']>[1], 'image'> & { clusterIP?: string } = {},
): ReturnType<ClusterBuilder['statefulSet']> {
  const handle = cluster.statefulSet(place, { image, ...workload });
  cluster.service(place, { ...port(number), ...(clusterIP && { clusterIP }) });
  return handle;
}

/** Those that need something, failing from so many seconds after the fault on. */
export const clients = (
  cluster: ClusterBuilder,
  seconds: number,
  places: Readonly<Record<string, Dependant>>,
): ReturnType<typeof dependants> => dependants(cluster, after(seconds), places);

/** They are well again. */
export function recover(cluster: ClusterBuilder, seconds: number, ...places: readonly string[]): void {
  cluster.at(after(seconds), () => {
    for (const place of places) cluster.befall(imageOf(place), {});
  });
}

/** Killed for its memory, again and again. */
export const killed = (log: readonly string[] = [], afterSeconds = 6): Behaviour => ({
  exit: { afterSeconds, code: 137, oom: true },
  readyAfterSeconds: 'never',
  log,
});

/** A class whose driver makes volumes, and the part of a StatefulSet's spec that asks for one each. */
export function disks(cluster: ClusterBuilder, name = 'gp3', provisioner = 'ebs.csi.aws.com'): object {
  cluster.object({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: provisioner } },
    spec: { attachRequired: true },
  });
  cluster.object(storageClass(name, { provisioner }));
  return claimOf(name);
}

/** The part of a StatefulSet's spec that asks for a volume of a class each. */
export function claimOf(storageClassName: string, storage = '20Gi'): object {
  const spec = { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
  return { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }] };
}
