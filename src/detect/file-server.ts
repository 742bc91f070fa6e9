import { type Ref, refOf } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import type { World } from '../world/world.ts';

/** A file server outside the cluster that a mount names, and how it fails to answer. */
export type FileServer = { readonly ref: Ref; readonly says: SignKind };

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

const numeric = /^[\d.]+$/;
/** Services looked at for the address of one. */
const maxServices = 20_000;

function isOfCluster(host: string, world: World): boolean {
  if (!numeric.test(host)) return !host.includes('.') || /\.svc(?:\.|$)/.test(host);
  if (world.get('Service//') === 'unknown') return true;
  return Iterator.from(world.all('Service'))
    .take(maxServices)
    .some((view) => view.kind === 'Service' && view.clusterIP === host);
}

/** The file server outside the cluster that does not answer, by the text of a failed mount; `undefined`: it says something else. */
export function silentServer(message: string, world: World): FileServer | undefined {
  const says = answers.find(([pattern]) => pattern.test(message))?.[1];
  const host = servers.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  if (says === undefined || host === undefined || isOfCluster(host.toLowerCase(), world)) return undefined;
  return { ref: refOf('ExternalEndpoint', '', host.toLowerCase()), says };
}
