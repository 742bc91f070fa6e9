import { isIP } from 'node:net';
import { canonicalAddress, embeddedIPv4, Networks, neverContacted, privateNetworks } from './address.ts';
import type { NamedService } from './named-service.ts';
import { translatedIPv4 } from './translated.ts';

/** What a sender may reach besides the public internet. */
export type Allowance = {
  /** CIDRs from AlertConfig (`10.0.0.0/8`, `fd00::/8`). */
  readonly cidrs: readonly string[];
  /** The provider lives in the operator's namespace: its owner could reach these anyhow. */
  readonly allPrivate: boolean;
  /** The Service of this cluster that the destination is known to name. What it allows is for that destination only. */
  readonly service?: NamedService | undefined;
  /** Nothing but the agent of EKS Pod Identity, which is link-local: it knows this Pod by its token. */
  readonly podAgentOnly?: true | undefined;
};

/** Where EKS documents the agent of Pod Identity to listen, on every Node. */
const podAgents: readonly string[] = ['169.254.170.23', 'fd00:ec2::23'];

/** Names of metadata services, for proxies that resolve names themselves. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);
/**
 * Names of this host and this cluster: of one label, of Services (whose range may be public addresses), and those that no public name
 * server knows (RFC 6761, 6762, 8375; `.internal` is ICANN's for private use). Short names of Services and Pods end in `.svc` and `.pod`.
 */
const localName = /^[^.]+$|\.(?:localhost|local|pod|svc|svc\.[\w.-]+|internal|home\.arpa|localdomain|intranet|lan)$/;

/**
 * Whose an address of a public range is, as far as that is known: "a Node", "a Pod", "a Service" of this cluster; `undefined` for every other.
 */
export type OwnerOf = (address: string) => string | undefined;

/** Decides on addresses. Each returns why not, or `undefined` when the address may be reached. */
export type Vet = {
  /** An IP address as the resolver gives it for `name`, or as it is written in an address. */
  address(address: string, name?: string): string | undefined;
  /** A host name, before it is resolved. */
  name(host: string): string | undefined;
  /** A host name that a proxy resolves: what its addresses are there, nobody here knows. */
  proxiedName(host: string): string | undefined;
};

const plainName = (host: string): string => host.toLowerCase().replace(/\.+$/, '');
const howToAllow = 'allow it in AlertConfig delivery.allowedPrivateDestinations';

/** Vets by the rules above and an allowance. `ownerOf` is asked at each address: the cluster changes. */
export function createVet(allowance: Allowance, ownerOf: OwnerOf = () => undefined): Vet {
  if (allowance.podAgentOnly) return podAgentVet;
  const { allPrivate, service } = allowance;
  const allowed = new Networks([...allowance.cidrs, ...(service?.addresses ?? [])]);
  const isLocal = (name: string): boolean => !allPrivate && (service !== undefined || localName.test(plainName(name)));
  const remedy = service?.refusal === undefined ? howToAllow : `${service.refusal}; ${howToAllow}`;

  function address(text: string, name?: string): string | undefined {
    const plain = text.replace(/%.*$/, '');
    const family = isIP(plain);
    if (family === 0) return `${text} is not an IP address`;
    const embedded = family === 6 ? (embeddedIPv4(plain) ?? translatedIPv4(plain)) : undefined;
    if (embedded !== undefined) return address(embedded, name);
    if (neverContacted.has(plain))
      return `${plain} is a link-local, metadata or multicast address, which is never contacted`;
    if (allPrivate || allowed.has(plain)) return undefined;
    if (privateNetworks.has(plain)) return `${plain} is a loopback or private address; ${remedy}`;
    const owner = ownerOf(plain);
    if (owner !== undefined) return `${plain} is an address of ${owner} of this cluster; ${remedy}`;
    return name !== undefined && isLocal(name) ? `${name} is a name of this cluster; ${remedy}` : undefined;
  }

  function metadata(host: string): string | undefined {
    return metadataNames.has(plainName(host)) ? `${host} is a metadata service, which is never contacted` : undefined;
  }

  return {
    address,
    name: metadata,
    proxiedName: (host) =>
      metadata(host) ??
      (isLocal(host) ? `${host} is a name of this host or cluster, which is not asked of the proxy` : undefined),
  };
}

const noPodAgent = (host: string): string =>
  `${host} is not the agent of EKS Pod Identity, which listens at ${podAgents.join(' or ')}`;
const podAgentVet: Vet = {
  address: (address) => (podAgents.includes(canonicalAddress(address)) ? undefined : noPodAgent(address)),
  name: noPodAgent,
  proxiedName: noPodAgent,
};
