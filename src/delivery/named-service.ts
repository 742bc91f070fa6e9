import type { ServiceAddresses } from '../model/service-addresses.ts';

/** Asks for a Service: `undefined` when there is none. Rejects, within a few seconds, when that cannot be found out. */
export type FindService = (namespace: string, name: string) => Promise<ServiceAddresses | undefined>;

/** What is known of the Service that a tenant's destination names. */
export type NamedService = {
  /** Its own addresses, which the tenant may reach. */
  readonly addresses: readonly string[];
  /** Why there are none. */
  readonly refusal?: string;
  /** The API server could not be asked: what is refused now may be allowed later. */
  readonly undecided?: true;
};

type ServiceName = { readonly service: string; readonly namespace: string };

/** `<service>.<namespace>`, `<service>.<namespace>.svc` and the same with any cluster domain. */
const serviceHost = /^([a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)\.([a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)(\.svc(?:\..+)?)?\.?$/;

function serviceNamed(host: string): (ServiceName & { readonly short: boolean }) | undefined {
  const [, service, namespace, suffix] = serviceHost.exec(host.toLowerCase()) ?? [];
  return service === undefined || namespace === undefined
    ? undefined
    : { service, namespace, short: suffix === undefined };
}

/** Why the addresses behind a Service are not proven to be its namespace's own. */
function doubt({ clusterIPs, type, selects }: ServiceAddresses): string | undefined {
  if (type === 'ExternalName') return 'is an ExternalName, which leads anywhere';
  if (clusterIPs.length === 0) return 'is headless: it has no address of its own';
  if (!selects) return 'has no selector: its endpoints are written by hand and lead anywhere';
  return undefined;
}

/** Whose destination it is, and how it is reached. */
export type Destination = {
  readonly host: string;
  /** The namespace of the provider, where it is not the operator's: its owner is a tenant. */
  readonly tenant?: string | undefined;
  readonly proxied: boolean;
};

/**
 * What is known of the Service that a tenant's destination names; `undefined` when it names none. A name proves nothing, whoever answers
 * for it, so the addresses come from the API server. Never rejects.
 */
export async function namedService(
  { host, tenant, proxied }: Destination,
  find: FindService | undefined,
): Promise<NamedService | undefined> {
  const named = serviceNamed(host);
  if (!find || !named || tenant === undefined) return undefined;
  if (proxied) return named.short ? behindProxy(named, find) : undefined;
  return named.namespace === tenant ? ownService(named, find) : undefined;
}

async function ownService(
  { service: name, namespace }: ServiceName,
  find: FindService,
): Promise<NamedService | undefined> {
  const what = `Service ${name} of ${namespace}`;
  try {
    const service = await find(namespace, name);
    if (!service) return undefined;
    const why = doubt(service);
    return why === undefined ? { addresses: service.clusterIPs } : { addresses: [], refusal: `${what} ${why}` };
  } catch {
    return { addresses: [], refusal: `the API server does not tell of ${what}`, undecided: true };
  }
}

/**
 * A name of two labels may be a public one, or a Service that a proxy in the cluster would find. Where the API server does not tell, it
 * is taken for the public name that it nearly always is; what it resolves to here is vetted all the same.
 */
async function behindProxy({ service, namespace }: ServiceName, find: FindService): Promise<NamedService | undefined> {
  const found = await find(namespace, service).catch(() => undefined);
  return found && { addresses: [] };
}
