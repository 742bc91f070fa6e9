import type { Fields, KubeObject } from './object.ts';
import { apiVersionOf, builtInResources, type Resource, resourceKey } from './resources.ts';

/** Fields of an Event that core/v1 and events.k8s.io/v1 call by other names (registry: apis/events/v1/conversion.go). */
const renamed: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const toEvents: ReadonlyMap<string, string> = new Map(renamed);
const toCore: ReadonlyMap<string, string> = new Map(renamed.map(([core, events]) => [events, core]));

function withNames(object: Fields, names: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** Whether a resource is the second door to Events, which are stored as those of core/v1. */
function isSecondDoor({ group, plural }: Resource): boolean {
  return group === 'events.k8s.io' && plural === 'events';
}

const coreEvents = builtInResources.find(({ group, plural }) => group === '' && plural === 'events');

/** The resource as which the objects of a resource are stored. */
export function storedAs(resource: Resource): Resource {
  const { storedVersion, ...rest } = resource;
  if (storedVersion !== undefined) return { ...rest, version: storedVersion };
  return (isSecondDoor(resource) && coreEvents) || resource;
}

/** Under which key they are stored. */
export function storageKey(resource: Resource): string {
  return resourceKey(storedAs(resource));
}

/** A stored object as a resource shows it. */
export function shownAs(resource: Resource, object: KubeObject): KubeObject {
  // Versions of a custom resource have the same fields: the name of the version is all that differs.
  if (resource.storedVersion !== undefined) return { ...object, apiVersion: apiVersionOf(resource) };
  if (!isSecondDoor(resource)) return object;
  const { apiVersion: _version, kind, metadata, ...fields } = object;
  return { kind, apiVersion: apiVersionOf(resource), metadata, ...withNames(fields, toEvents) };
}

/** What a request for a resource gives, as it is stored. */
export function takenFrom(resource: Resource, given: Fields): Fields {
  if (resource.storedVersion !== undefined) return { ...given, apiVersion: apiVersionOf(storedAs(resource)) };
  if (!isSecondDoor(resource)) return given;
  const { apiVersion: _version, ...fields } = given;
  return { apiVersion: 'v1', ...withNames(fields, toCore) };
}
