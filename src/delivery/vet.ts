import { BlockList, isIP } from 'node:net';

/** What a sender may reach besides the public internet. */
export type Allowance = {
  /** CIDRs from AlertConfig (`10.0.0.0/8`, `fd00::/8`). */
  readonly cidrs: readonly string[];
  /** The provider lives in the operator's namespace: its owner could reach these anyhow. */
  readonly allPrivate: boolean;
};

/** Never reached, whatever is allowed: link-local, metadata services, multicast, broadcast. One row, one fact. */
const neverCidrs: readonly string[] = [
  '169.254.0.0/16', // RFC 3927 link-local; AWS, Azure, GCP and others answer metadata at 169.254.169.254
  'fe80::/10', // RFC 4291 link-local
  'fd00:ec2::254/128', // AWS metadata over IPv6
  'fd20:ce::254/128', // GCP metadata over IPv6
  '100.100.100.200/32', // Alibaba Cloud metadata
  '168.63.129.16/32', // Azure platform ("wire server")
  '192.0.0.192/32', // Oracle Cloud metadata
  '224.0.0.0/4', // RFC 5771 multicast
  'ff00::/8', // RFC 4291 multicast
  '255.255.255.255/32', // RFC 919 limited broadcast
];
/** Only where allowed: this host, private and shared ranges. */
const privateCidrs: readonly string[] = [
  '127.0.0.0/8', // RFC 1122 loopback
  '::1/128', // RFC 4291 loopback
  '0.0.0.0/8', // RFC 1122 "this network": systems connect to themselves
  '::/128',
  '10.0.0.0/8', // RFC 1918
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // RFC 6598 shared
  '192.0.0.0/24', // RFC 6890
  '198.18.0.0/15', // RFC 2544 benchmarking
  'fc00::/7', // RFC 4193 unique local
  'fec0::/10', // RFC 3879 site-local
];
/** Names of metadata services, for proxies that resolve names themselves. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);

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
  if (first === 0x64 && second === 0xff9b && zeros(2, 6)) return at(6); // 64:ff9b::/96, RFC 6052
  if (first === 0x2002) return at(1); // 2002::/16, RFC 3056
  return undefined;
}

/** Decides on addresses. Each returns why not, or `undefined` when the address may be reached. */
export type Vet = {
  /** An IP address as the resolver gives it or as it is written in an address. */
  address(address: string): string | undefined;
  /** A host name, before it is resolved. */
  name(host: string): string | undefined;
};

/** Vets by the rules above and an allowance. */
export function createVet(allowance: Allowance): Vet {
  const allowed = blockList(allowance.cidrs);
  function address(text: string): string | undefined {
    const family = isIP(text.replace(/%.*$/, ''));
    if (family === 0) return `${text} is not an IP address`;
    if (family === 6) {
      const embedded = embeddedIPv4(text);
      if (embedded !== undefined) return address(embedded);
    }
    const plain = text.replace(/%.*$/, '');
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    if (never.check(plain, kind))
      return `${plain} is a link-local, metadata or multicast address, which is never contacted`;
    if (!onlyIfAllowed.check(plain, kind) || allowance.allPrivate || allowed.check(plain, kind)) return undefined;
    return `${plain} is a loopback or private address; allow it in AlertConfig delivery.allowedPrivateDestinations`;
  }
  return {
    address,
    name: (host) =>
      metadataNames.has(host.toLowerCase().replace(/\.$/, ''))
        ? `${host} is a metadata service, which is never contacted`
        : undefined,
  };
}
