import { BlockList, isIP } from 'node:net';
import type { NamedService } from './named-service.ts';

/** What a sender may reach besides the public internet. */
export type Allowance = {
  /** CIDRs from AlertConfig (`10.0.0.0/8`, `fd00::/8`). */
  readonly cidrs: readonly string[];
  /** Networks of the cluster's Services: private, even where they are public addresses. */
  readonly serviceCidrs?: readonly string[];
  /** The provider lives in the operator's namespace: its owner could reach these anyhow. */
  readonly allPrivate: boolean;
  /** The Service of this cluster that the destination is known to name. What it allows is for that destination only. */
  readonly service?: NamedService | undefined;
};

/**
 * Never reached, whatever is allowed: link-local, metadata services, multicast, broadcast. One row, one fact. Both tables follow
 * IANA's registries of special-purpose addresses for IPv4 and IPv6, as of 2025.
 */
const neverCidrs: readonly string[] = [
  '169.254.0.0/16', // RFC 3927 link-local; AWS, Azure, GCP and others answer metadata at 169.254.169.254
  'fe80::/10', // RFC 4291 link-local
  'fd00:ec2::/32', // AWS metadata, name and time service over IPv6
  'fd20:ce::254/128', // GCP metadata over IPv6
  '100.100.100.200/32', // Alibaba Cloud metadata
  '168.63.129.16/32', // Azure platform ("wire server")
  '192.0.0.192/32', // Oracle Cloud metadata
  '224.0.0.0/4', // RFC 5771 multicast
  'ff00::/8', // RFC 4291 multicast
  '255.255.255.255/32', // RFC 919 limited broadcast
];
/** Only where allowed: this host, private and shared ranges, and what is on no public network. */
const privateCidrs: readonly string[] = [
  '127.0.0.0/8', // RFC 1122 loopback
  '::1/128', // RFC 4291 loopback
  '0.0.0.0/8', // RFC 1122 "this network": systems connect to themselves
  '::/128',
  '10.0.0.0/8', // RFC 1918
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // RFC 6598 shared
  '192.0.0.0/24', // RFC 6890 protocol assignments
  '192.0.2.0/24', // RFC 5737 documentation
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24', // RFC 7526 6to4 relays, given up
  '198.18.0.0/15', // RFC 2544 benchmarking
  '240.0.0.0/4', // RFC 1112 reserved; large clouds use it for Pods and Services
  '64:ff9b:1::/48', // RFC 8215 translation within one's own network
  '100::/64', // RFC 6666 discard
  '100:0:0:1::/64', // RFC 9780 dummy prefix
  '2001::/23', // RFC 2928 protocol assignments: Teredo (RFC 4380), benchmarking, ORCHID
  '2001:db8::/32', // RFC 3849 documentation
  '3fff::/20', // RFC 9637 documentation
  '5f00::/16', // RFC 9602 segment routing
  'fc00::/7', // RFC 4193 unique local
  'fec0::/10', // RFC 3879 site-local
];
/** Names of metadata services, for proxies that resolve names themselves. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);
/**
 * Names of this host and this cluster: of one label, of Services (whose range may be public addresses), and those that no public name
 * server knows (RFC 6761, 6762, 8375; `.internal` is ICANN's for private use). `.svc` and `.pod` are what short names of Services and Pods end in.
 */
const localName = /^[^.]+$|\.(?:localhost|local|pod|svc|svc\.[\w.-]+|internal|home\.arpa|localdomain|intranet|lan)$/;

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    // A wrong CIDR allows nothing; the schema refuses it and lint explains it.
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) continue;
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const never = blockList(neverCidrs);
const onlyIfAllowed = blockList(privateCidrs);

/** The sixteen-bit groups of an IPv6 address, as the WHATWG serializer writes it. */
function groupsOf(address: string): readonly number[] {
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), which is where it would lead. */
function embeddedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const zeros = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  const at = (index: number): string => {
    const [high = 0, low = 0] = groups.slice(index, index + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  };
  const [first, second] = groups;
  if (zeros(0, 5) && groups[5] === 0xffff) return at(6); // ::ffff:a.b.c.d, RFC 4291
  if (zeros(0, 6) && !zeros(6, 7)) return at(6); // ::a.b.c.d, deprecated; `::` and `::1` are not
  if (zeros(0, 4) && groups[4] === 0xffff && groups[5] === 0) return at(6); // ::ffff:0:a.b.c.d, RFC 2765
  if (first === 0x64 && second === 0xff9b && zeros(2, 6)) return at(6); // 64:ff9b::/96, RFC 6052
  if (first === 0x2002) return at(1); // 2002::/16, RFC 3056
  return undefined;
}

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

/** Vets by the rules above and an allowance. */
export function createVet(allowance: Allowance): Vet {
  const { allPrivate, service } = allowance;
  const allowed = blockList([...allowance.cidrs, ...(service?.addresses ?? [])]);
  const services = blockList(allowance.serviceCidrs ?? []);
  const isLocal = (name: string): boolean => !allPrivate && (service !== undefined || localName.test(plainName(name)));
  const remedy = service?.refusal === undefined ? howToAllow : `${service.refusal}; ${howToAllow}`;

  function address(text: string, name?: string): string | undefined {
    const plain = text.replace(/%.*$/, '');
    const family = isIP(plain);
    if (family === 0) return `${text} is not an IP address`;
    const embedded = family === 6 ? embeddedIPv4(text) : undefined;
    if (embedded !== undefined) return address(embedded, name);
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    if (never.check(plain, kind))
      return `${plain} is a link-local, metadata or multicast address, which is never contacted`;
    if (allPrivate || allowed.check(plain, kind)) return undefined;
    if (onlyIfAllowed.check(plain, kind)) return `${plain} is a loopback or private address; ${remedy}`;
    if (services.check(plain, kind)) return `${plain} is an address of a Service of this cluster; ${remedy}`;
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
