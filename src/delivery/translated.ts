import { groupsOf, Networks, neverContacted } from './address.ts';

/** Where an address of 128 bits holds one of 32, by the length of the prefix (bits): its bytes, from the first. Byte 8 is left out (RFC 6052, 2.2). */
const embeddings: Readonly<Record<number, readonly number[]>> = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
};

/** The addresses at which clouds and platforms answer for a machine: 32 bits that nobody has by chance. */
const machineServices: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, Azure, GCP, OpenStack and others
  '169.254.169.253', // AWS name service
  '169.254.169.123', // AWS time service
  '169.254.170.2', // AWS ECS credentials
  '169.254.170.23', // AWS EKS Pod Identity
  '169.254.0.23', // Tencent Cloud
  '169.254.42.42', // Scaleway
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure platform
  '192.0.0.192', // Oracle Cloud
]);

const loopback = new Networks(['127.0.0.0/8']);

/**
 * The IPv4 address that a translator of somebody's own network (NAT64, RFC 6052) would make of an IPv6 address, if that is one
 * which nobody outside a machine may be asked for. Which prefixes are translated is not known here, so it is judged by the shape:
 * a metadata service at any place where a translator reads; a link-local or loopback address only where all that must be zero is,
 * since every address holds some 32 bits.
 */
export function translatedIPv4(address: string): string | undefined {
  const bytes = groupsOf(address).flatMap((group) => [group >> 8, group & 255]);
  for (const [prefix, places] of Object.entries(embeddings)) {
    const embedded = places.map((place) => bytes[place]).join('.');
    if (machineServices.has(embedded)) return embedded;
    const end = Math.max(...places) + 1;
    const isShaped = bytes[8] === 0 && bytes.slice(end).every((byte) => byte === 0);
    // The usual prefix of 96 bits is a network of 64 and zeros.
    const isPrefix = Number(prefix) < 96 || bytes.slice(8, 12).every((byte) => byte === 0);
    if (isShaped && isPrefix && (loopback.has(embedded) || isLinkLocal(embedded))) return embedded;
  }
  return undefined;
}

const isLinkLocal = (address: string): boolean => address.startsWith('169.254.') && neverContacted.has(address);
