import { kindOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { SignTarget } from '../model/sign.ts';
import type { Holdings } from './holdings.ts';
import { packedAddress } from './reading/packed-address.ts';
import { deadServiceAt } from './view/exposure.ts';
import type { World } from './view/world.ts';

/** The Pod's own network: what it says of itself. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|0\.0\.0\.0|::|\[::1?\])$/i;
/** What a cluster's DNS answers for (`cluster.local` by default; other domains end the same name in their own way). */
const inCluster = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*)\.svc(?:\.[a-z0-9.-]+)?$/;
const hostName = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const ipv6 = /^[0-9a-f]*:[0-9a-f:.]+$/;
/** Names of a cloud's own: no Service, and nobody's fault outside. */
const longestHost = 253;

/**
 * The first address of the ranges from which distributions give Services theirs (kubeadm, k3s and RKE2, EKS, Kubespray, MicroK8s,
 * OpenShift): the API server's, which whoever may not look into `default` does not see.
 */
const apiServers: ReadonlySet<string> = new Set([
  '10.96.0.1',
  '10.43.0.1',
  '10.100.0.1',
  '172.20.0.1',
  '10.233.0.1',
  '10.152.183.1',
  '172.30.0.1',
]);
const apiServer = refOf('Service', 'default', 'kubernetes');

/** What an address is that a program names: something of this cluster, or an address outside. */
export class Places {
  readonly #held: Holdings;
  readonly #world: World;
  /** By address, as long as nothing changes: in a storm a thousand Pods name one. */
  #byAddress = new Map<string, Ref | undefined>();
  #revision = -1;

  constructor(held: Holdings, world: World) {
    this.#held = held;
    this.#world = world;
  }

  /**
   * The Service, Pod, Node or `ExternalEndpoint//host:port` that a program in a Pod means. `undefined`: its own Pod, or what cannot
   * be told. A Service need not be there: a name that only a Service can have is one all the same.
   */
  of({ host: said, port }: SignTarget, from: Ref): Ref | undefined {
    const host = said.toLowerCase().replace(/\.$/, '');
    if (ownHost.test(host) || host.length > longestHost) return undefined;
    const found = this.#inCluster(host, namespaceOf(from));
    if (found === 'outside' && port === 443 && apiServers.has(host)) return apiServer;
    if (found === 'outside') return deadServiceAt(host, this.#world) ?? outside(host, port);
    // What it says of itself: a probe of its own address.
    return found === undefined || found === from ? undefined : this.#behindAlias(found, port);
  }

  #inCluster(host: string, namespace: string): Ref | 'outside' | undefined {
    if (ipv4.test(host) || ipv6.test(host)) return this.#byIp(host);
    if (!hostName.test(host)) return undefined;
    const labels = (inCluster.exec(host)?.[1] ?? host).split('.');
    const [first = '', second, third] = labels;
    if (second === undefined) return refOf('Service', namespace, first);
    if (inCluster.test(host)) return service(labels.slice(-2));
    // `db-0.db`: a Pod of a headless Service; `db-0.db.shop`: the same from another namespace.
    if (third === undefined && this.#isThere(refOf('Service', namespace, second))) return service([second, namespace]);
    if (third === undefined && this.#isThere(refOf('Namespace', '', second))) return service([first, second]);
    if (labels.length === 3 && third !== undefined && this.#isThere(refOf('Service', third, second)))
      return service([second, third]);
    return 'outside';
  }

  #isThere(ref: Ref): boolean {
    return this.#held.objects.get(ref) !== undefined;
  }

  /** A Service that is only another name for a host outside. */
  #behindAlias(ref: Ref, port: number | undefined): Ref {
    const view = kindOf(ref) === 'Service' ? this.#held.objects.get(ref) : undefined;
    const alias = view?.kind === 'Service' ? view.externalName?.toLowerCase().replace(/\.$/, '') : undefined;
    return alias === undefined || inCluster.test(alias) || !hostName.test(alias) ? ref : outside(alias, port);
  }

  #byIp(address: string): Ref | 'outside' | undefined {
    if (this.#revision !== this.#held.revision) {
      this.#revision = this.#held.revision;
      this.#byAddress.clear();
    }
    if (!this.#byAddress.has(address)) this.#byAddress.set(address, this.#lookUp(address));
    const found = this.#byAddress.get(address);
    if (found !== undefined) return found;
    // What cannot be seen may have it.
    const { sync } = this.#held;
    return ['Service', 'Pod', 'Node'].every((kind) => sync.isWhole(kind)) && packedAddress(address) !== undefined
      ? 'outside'
      : undefined;
  }

  #lookUp(address: string): Ref | undefined {
    for (const view of this.#held.objects.of('Service'))
      if (view.kind === 'Service' && view.clusterIP === address) return view.ref;
    for (const view of this.#held.objects.of('Node'))
      if (view.kind === 'Node' && view.addresses?.includes(address)) return view.ref;
    const packed = packedAddress(address);
    return packed === undefined ? undefined : this.#held.objects.pods.at(packed);
  }
}

const service = ([name = '', namespace = '']: readonly string[]): Ref => refOf('Service', namespace, name);

function outside(host: string, port: number | undefined): Ref {
  return refOf('ExternalEndpoint', '', port === undefined ? host : `${host}:${port}`);
}
