import { reviewGroup, reviews } from './access.ts';
import { noSuchPath } from './failure.ts';
import type { Fields } from './object.ts';
import { apiVersionOf, isServedIn, type Registry, type Resource } from './resources.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The rows of one resource in an APIResourceList: itself and its subresources. */
function rowsOf(resource: Resource): Fields[] {
  const base = { singularName: '', namespaced: resource.namespaced, kind: resource.kind };
  const own = {
    name: resource.plural,
    ...base,
    singularName: resource.singular,
    verbs,
    ...(resource.shortNames.length > 0 ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories.length > 0 ? { categories: resource.categories } : {}),
  };
  const status = { name: `${resource.plural}/status`, ...base, verbs: ['get', 'patch', 'update'] };
  const log = { name: 'pods/log', ...base, verbs: ['get'] };
  return [own, ...(resource.plural === 'pods' ? [log] : []), ...(resource.hasStatus ? [status] : [])];
}

const groupsOf = (registry: Registry): string[] =>
  [...new Set([...registry.all().map((r) => r.group), ...Object.keys(reviews).map(reviewGroup)])]
    .filter((g) => g !== '')
    .sort();

function versionsOf(registry: Registry, group: string): string[] {
  const served = registry
    .all()
    .filter((resource) => resource.group === group)
    .flatMap(({ version, otherVersions = [] }) => [version, ...otherVersions]);
  const all = Object.keys(reviews).some((plural) => reviewGroup(plural) === group) ? [...served, 'v1'] : served;
  return [...new Set(all)].sort().reverse();
}

function groupOf(registry: Registry, name: string): Fields {
  const versions = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(registry: Registry, group: string, version: string): Fields {
  const served = registry.all().filter((resource) => resource.group === group && isServedIn(resource, version));
  const reviewed = Object.entries(reviews).filter(([plural]) => reviewGroup(plural) === group && version === 'v1');
  if (served.length === 0 && reviewed.length === 0) throw noSuchPath();
  const reviewRows = reviewed.map(([name, { kind }]) => ({
    name,
    singularName: kind.toLowerCase(),
    namespaced: false,
    kind,
    verbs: ['create'],
  }));
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: [...served.flatMap(rowsOf), ...reviewRows],
  };
}

/** What the server says it is: the API of this release. */
const serverVersion: Fields = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3-sandbox',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch}`,
};

/** The answer to a path that names no resource: discovery and version; `undefined` when it is something else. */
export function discover(registry: Registry, pathname: string, address: string): Fields | undefined {
  const path = pathname.replace(/\/$/, '');
  if (path === '/version') return serverVersion;
  if (path === '/api')
    return {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
    };
  if (path === '/apis')
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groupsOf(registry).map((name) => groupOf(registry, name)),
    };
  const [, first, second, third, ...more] = path.split('/');
  if (more.length > 0) return undefined;
  if (first === 'api' && second && !third) return resourceList(registry, '', second);
  if (first !== 'apis' || !second) return undefined;
  if (third) return resourceList(registry, second, third);
  if (!groupsOf(registry).includes(second)) throw noSuchPath();
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(registry, second) };
}
