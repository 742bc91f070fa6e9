import { isIP } from 'node:net';
import { canonicalAddress, Networks, privateNetworks } from '../../delivery/address.ts';
import type { RawObject } from '../../model/raw-object.ts';
import type { Input } from '../../model/turn.ts';

/** Addresses and ranges kept of one object; more than any has: a Node has a few, a Pod one of each family. */
const maxOfOne = 16;

/** Where an object's addresses stand, for a kind that has some. */
type AddressedKind = {
  /** Whose address it is, in the sentence "… is an address of a Node of this cluster". */
  readonly owner: string;
  readonly addresses: (raw: RawObject) => readonly unknown[];
  readonly ranges: (raw: RawObject) => readonly unknown[];
};

const field = (value: unknown, name: string): unknown => Object(value)[name];
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const each = (value: unknown, name: string): readonly unknown[] => list(value).map((item) => field(item, name));

/** Source → what is read of its objects. */
const addressedKinds: Readonly<Record<string, AddressedKind>> = {
  nodes: {
    owner: 'a Node',
    addresses: ({ status }) => each(field(status, 'addresses'), 'address'),
    // The ranges that its Pods get their addresses from, where the control plane hands them out.
    ranges: ({ spec }) => list(field(spec, 'podCIDRs')),
  },
  // Networks that hand addresses out themselves (an IPv6 VPC) say nothing of ranges.
  pods: { owner: 'a Pod', addresses: ({ status }) => each(field(status, 'podIPs'), 'ip'), ranges: () => [] },
};

type Held = { readonly addresses: readonly string[]; readonly ranges: readonly string[] };
const nothing: Held = { addresses: [], ranges: [] };

/**
 * Whose an address of a public range is: that of a Node, a Pod or a Service of this cluster, to which a tenant must not be led. As far
 * as the API server has told; private addresses are refused to tenants anyway, and are not kept.
 */
export class ClusterAddresses {
  readonly #serviceCidrs: () => readonly string[];
  /** Source and object → what is held of it. */
  readonly #held = new Map<string, Held>();
  /** Address → who has it, and how many objects do: Pods on the host network have the address of their Node. */
  readonly #owners = new Map<string, { readonly owner: string; readonly count: number }>();
  /** Made of what is held when somebody asks. */
  #podRanges: Networks | undefined;
  #services: { readonly cidrs: readonly string[]; readonly networks: Networks } = {
    cidrs: [],
    networks: new Networks([]),
  };

  /** `serviceCidrs`: networks of Services, as they are known at each call. */
  constructor(serviceCidrs: () => readonly string[] = () => []) {
    this.#serviceCidrs = serviceCidrs;
  }

  /** Learns from what the sources say. */
  take(input: Input): void {
    if (input.kind !== 'objects') return;
    const kind = addressedKinds[input.source];
    if (!kind) return;
    for (const { is, raw } of input.events) {
      const key = `${input.source}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
      this.#replace(key, kind.owner, is === 'gone' ? nothing : heldOf(kind, raw));
    }
  }

  /** `a Node`, `a Pod`, `a Service`, or `undefined` for what is not known to be of this cluster. `address`: without a zone. */
  ownerOf(address: string): string | undefined {
    if (this.#serviceNetworks().has(address)) return 'a Service';
    const holder = this.#owners.get(canonicalAddress(address));
    return holder?.owner ?? (this.#rangesOfPods().has(address) ? 'a Pod' : undefined);
  }

  #replace(key: string, owner: string, after: Held): void {
    const before = this.#held.get(key) ?? nothing;
    if (before === nothing && after === nothing) return;
    for (const address of before.addresses) this.#count(address, owner, -1);
    for (const address of after.addresses) this.#count(address, owner, 1);
    if (before.ranges.length > 0 || after.ranges.length > 0) this.#podRanges = undefined;
    if (after === nothing) this.#held.delete(key);
    else this.#held.set(key, after);
  }

  #count(address: string, owner: string, by: 1 | -1): void {
    const known = this.#owners.get(address);
    const count = (known?.count ?? 0) + by;
    if (count > 0) this.#owners.set(address, { owner: known?.owner ?? owner, count });
    else this.#owners.delete(address);
  }

  #rangesOfPods(): Networks {
    this.#podRanges ??= new Networks([...this.#held.values()].flatMap(({ ranges }) => ranges));
    return this.#podRanges;
  }

  #serviceNetworks(): Networks {
    const cidrs = this.#serviceCidrs();
    if (this.#services.cidrs !== cidrs) this.#services = { cidrs, networks: new Networks(cidrs) };
    return this.#services.networks;
  }
}

function heldOf(kind: AddressedKind, raw: RawObject): Held {
  const addresses = publicOnes(kind.addresses(raw)).map(canonicalAddress);
  const ranges = publicOnes(kind.ranges(raw));
  return addresses.length === 0 && ranges.length === 0 ? nothing : { addresses, ranges };
}

/** Of addresses and CIDRs those that are not refused as private anyway. A Node's `Hostname` is no address. */
function publicOnes(values: readonly unknown[]): readonly string[] {
  return values
    .slice(0, maxOfOne)
    .filter((value) => typeof value === 'string')
    .filter((text) => {
      const [address = ''] = text.split('/');
      return isIP(address) !== 0 && !privateNetworks.has(address);
    });
}
