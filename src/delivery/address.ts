import { BlockList, isIP } from 'node:net';

/**
 * Never reached, whatever is allowed: link-local, metadata services, multicast, broadcast. One row, one fact. Both tables follow
 * IANA's registries of special-purpose addresses for IPv4 and IPv6, as of 2025.
 */
const neverCidrs: readonly string[] = [
  '169.254.0.0/16', // RFC 3927 link-local; AWS, Azure, GCP and others answer metadata at 169.254.169.254
  'fe80::/10', // RFC 4291 link-local
  'fd00:ec2::/32', // AWS metadata, name and time service over IPv6
  'fd20:ce::254/128', // GCP metadata over IPv6
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud metadata over IPv6
  'fd00:42::42/128', // Scaleway metadata over IPv6
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
/** Networks to compare addresses with. A wrong CIDR holds nothing; the schema refuses it and lint explains it. */
export class Networks {
  readonly #list = new BlockList();

  constructor(cidrs: Iterable<string>) {
    for (const cidr of cidrs) {
      const [address = '', prefix] = cidr.split('/');
      const family = isIP(address);
      const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
      if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32)) continue;
      this.#list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
    }
  }

  /** Whether an IP address, without a zone, is in one of them. */
  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Link-local, metadata and multicast addresses. */
export const neverContacted = new Networks(neverCidrs);
/** Loopback and private addresses, and what is on no public network. */
export const privateNetworks = new Networks(privateCidrs);

/** An IP address in the one form in which it is compared as a text: an IPv6 address as the WHATWG serializer writes it, without its zone. */
export function canonicalAddress(address: string): string {
  const plain = address.replace(/%.*$/, '');
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain;
}

/** The sixteen-bit groups of an IPv6 address. */
export function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = canonicalAddress(address).split('::');
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), which is where it would lead. */
export function embeddedIPv4(address: string): string | undefined {
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
