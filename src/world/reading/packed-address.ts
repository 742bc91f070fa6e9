const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** An IPv4 address as a whole number of 32 bits, which costs a Pod eight bytes; `undefined` for anything else. */
export function packedAddress(address: string | undefined): number | undefined {
  const octets = address === undefined ? null : ipv4.exec(address);
  if (!octets) return undefined;
  let packed = 0;
  for (const octet of octets.slice(1)) {
    const value = Number(octet);
    if (value > 255) return undefined;
    packed = (packed << 8) | value;
  }
  return packed;
}

/** The address that a number stands for. */
export function unpackedAddress(packed: number): string {
  return [24, 16, 8, 0].map((shift) => (packed >>> shift) & 255).join('.');
}
