import { type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { unreachedIn } from '../../world/memory/heard-signs.ts';
import { perRevision } from '../../world/view/per-revision.ts';
import type { World } from '../../world/view/world.ts';

/** A server outside the cluster that a machine needs, as what its kubelet passes on names it, and how it fails to answer. */
export type SilentServer = { readonly ref: Ref; readonly says: SignKind };

/** Where mount commands of kubelets name their server: `-t nfs -o vers=4 nas:/media`, `-t cifs //nas/media`. */
const servers: readonly RegExp[] = [
  /-t nfs4? (?:-o \S{1,500} )?\[?([\w.:-]{1,253}?)\]?:\//,
  /mount\.nfs4?: [^\n]{1,120}? (?:for|on|to) \[?([\w.:-]{1,253}?)\]?:\//,
  /-t cifs (?:-o \S{1,500} )?\/\/([\w.-]{1,253})\//,
];

/** What mount.nfs (nfs-utils) and mount.cifs (cifs-utils) say where nobody answers. */
const answers: readonly (readonly [pattern: RegExp, says: SignKind])[] = [
  [/Connection timed out|mount error\(110\)|Host is down|mount error\(112\)/, 'ConnectionTimedOut'],
  [/Connection refused|mount error\(111\)/, 'ConnectionRefused'],
  [/No route to host|Network is unreachable|mount error\(11[03]\)/, 'HostUnreachable'],
  [/Failed to resolve server|could not resolve address/, 'NameNotResolved'],
];

/** Go's net/http where the machine has a proxy: whom it was on its way to was never asked. */
const proxied = 'proxyconnect tcp: ';

const numeric = /^[\d.]+$/;
const ofService = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.|$)/;
/** Services whose addresses are known. */
const maxServices = 20_000;

/** The Services by their addresses: a thousand Pods may mount from one. */
const servicesByAddress = perRevision((world) => {
  const services = new Map<string, Ref>();
  for (const view of Iterator.from(world.all('Service')).take(maxServices))
    if (view.kind === 'Service' && view.clusterIP !== undefined) services.set(view.clusterIP, view.ref);
  return services;
});

/** What a host is to a kubelet: a Service of the cluster, or somebody outside; `undefined`: it may be either, for all that is known. */
function placeOf(host: string, world: World): Ref | 'outside' | undefined {
  const [, name, namespace] = ofService.exec(host) ?? [];
  if (name !== undefined && namespace !== undefined) return refOf('Service', namespace, name);
  if (!numeric.test(host)) return host.includes('.') ? 'outside' : undefined;
  return servicesByAddress(world).get(host) ?? (world.get('Service//') === 'unknown' ? undefined : 'outside');
}

/**
 * The file server that does not answer, by the text of a failed mount: a Service of the cluster, or an `ExternalEndpoint//host`.
 * `undefined`: it says something else.
 */
export function silentServer(message: string, world: World): SilentServer | undefined {
  const says = answers.find(([pattern]) => pattern.test(message))?.[1];
  const host = servers.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  const { kind, target } = says && host ? { kind: says, target: { host } } : (unreachedIn(message) ?? {});
  const name = target?.host.toLowerCase();
  const place = name && placeOf(name, world);
  return kind && place
    ? { ref: place === 'outside' ? refOf('ExternalEndpoint', '', name) : place, says: kind }
    : undefined;
}

/** The proxy outside the cluster that does not answer, by the text of a failed pull; `undefined`: it says something else. */
export function silentProxy(message: string, world: World): SilentServer | undefined {
  const at = message.indexOf(proxied);
  const { kind, target } = (at < 0 ? undefined : unreachedIn(message.slice(at))) ?? {};
  const host = target?.host.toLowerCase();
  if (kind === undefined || host === undefined || placeOf(host, world) !== 'outside') return undefined;
  return {
    ref: refOf('ExternalEndpoint', '', target?.port === undefined ? host : `${host}:${target.port}`),
    says: kind,
  };
}
