import { isFields } from '../../../sandbox/object.ts';
import type { ObjectEvent, RawObject } from '../../../src/model/raw-object.ts';
import { nameOf, namespaceOf, type Ref } from '../../../src/model/ref.ts';

/** Whether a name is that of a case's namespace, or of what it made outside of it. */
const isOwnName = (name: string, ns: string): boolean => name === ns || name.startsWith(`${ns}-`);

/** Whose an object is: worked out once, however many cases ask. */
const owners = new WeakMap<RawObject, { readonly ns: string | undefined }>();

/** Whose an object is, of these namespaces; `undefined`: everybody's. An Event belongs to whom it is about. */
function ownerOf(raw: RawObject, namespaces: readonly string[]): string | undefined {
  const known = owners.get(raw);
  if (known) return known.ns;
  const { namespace, name } = raw.metadata;
  const about = raw.regarding ?? raw.involvedObject;
  const names = [namespace, name, ...(isFields(about) ? [about.namespace, about.name] : [])];
  const ns = namespaces.find((each) => names.some((text) => typeof text === 'string' && isOwnName(text, each)));
  owners.set(raw, { ns });
  return ns;
}

/** What would have been heard if nobody else's case were in the cluster. */
export function ownEvents(
  events: readonly ObjectEvent[],
  ns: string,
  namespaces: readonly string[],
): readonly ObjectEvent[] {
  return events.filter(({ raw }) => (ownerOf(raw, namespaces) ?? ns) === ns);
}

/** Whether an object is the case's: in its namespace, named after it, or virtual. */
export function isOwnRef(ref: Ref, ns: string): boolean {
  return namespaceOf(ref) === ns || isOwnName(nameOf(ref), ns) || ref.startsWith('Registry/');
}
