import type { Incident } from '../model/incident.ts';
import { describeRef, kindNameOf, kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import { didYouMean } from '../model/suggest.ts';
import type { Unclear } from '../model/why.ts';
import { heldKinds, kindInRefs } from '../world/kinds/kinds.ts';
import { askedKind, type Defined, isNamespaced, kindWords } from '../world/view/asked-ref.ts';
import type { World } from '../world/view/world.ts';

/** What a question is about: an object, or one incident. */
export type Subject = { readonly about: Ref; readonly incident?: Incident };

type Known = { readonly world: Pick<World, 'get' | 'all'>; readonly incidents: readonly Incident[] };

/** Longer questions name nothing. */
const maxLength = 600;
/** What people mean as a rule where several objects have one name. */
const mainKinds: ReadonlySet<string> = new Set([
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'Pod', 'Node', 'Application.argoproj.io'],
]);

const howToAsk =
  'Ask for an incident by the ID that its messages show, or for an object as KIND/NAMESPACE/NAME: deployment/shop/api, node/n1.';

/**
 * Finds what somebody asks about as people and kubectl write it: the ID of an incident, `deployment/shop/api`, `deploy/api` and `deploy api`
 * with a namespace or without where one has it, `shop/api`, or a bare `api`.
 */
export function subjectOf(object: string, namespace: string | undefined, known: Known): Subject | Unclear {
  const parts = object.trim().replace(/\s+/g, '/').split('/');
  const [first = '', second = '', ...rest] = parts;
  if (first === '' || object.length > maxLength) return { unclear: howToAsk };
  if (parts.length === 1) return byWord(first, namespace, known);
  const kind = askedKind(first, definedIn(known));
  if (kind === undefined) {
    const isNamespace = parts.length === 2 && isThere(refOf('Namespace', '', first), known);
    return isNamespace && second !== '' ? byName(second, first, known) : noKind(first);
  }
  const name = parts.length === 2 ? second : rest.join('/');
  if (name === '') return { unclear: `Which ${kindNameOf(refOf(kind, '', 'x'))}? ${howToAsk}` };
  const written = parts.length === 2 ? namespace : second;
  if (isNamespaced(kind) === false) return { about: refOf(kind, '', name) };
  if (namespace !== undefined && written !== namespace)
    return {
      unclear: `"${object}" is in the namespace "${written}", and the namespace "${namespace}" is asked for: give one.`,
    };
  return written === undefined ? inSomeNamespace(kind, name, known) : { about: refOf(kind, written, name) };
}

/** The kinds of custom resources that the cluster defines. */
const definedIn = ({ world }: Known): Iterable<Defined> =>
  Iterator.from(world.all('CustomResourceDefinition')).filter((view) => view.kind === 'CustomResourceDefinition');

const isThere = (ref: Ref, { world }: Known): boolean => typeof world.get(ref) === 'object';

function* rootsOf(incidents: readonly Incident[]): Generator<Ref> {
  for (const { explanation } of incidents) yield explanation.root.ref;
}

function byWord(word: string, namespace: string | undefined, known: Known): Subject | Unclear {
  const incident = known.incidents.find(({ id }) => id === word.toLowerCase());
  if (incident) return { about: incident.explanation.root.ref, incident };
  return byName(word, namespace, known);
}

function noKind(word: string): Unclear {
  const meant = didYouMean(word, kindWords).replace(/^; d/, 'D');
  const remedy =
    'Kinds are written as for kubectl, those of custom resources with their group: application.argoproj.io/argocd/shop.';
  return { unclear: [`There is no kind "${word}".`, ...(meant === '' ? [] : [meant]), remedy].join(' ') };
}

/** An object by its name alone: what fails comes before what is healthy, and workloads before what goes with them. */
function byName(name: string, namespace: string | undefined, known: Known): Subject | Unclear {
  const fits = (ref: Ref): boolean =>
    nameOf(ref) === name && (namespace === undefined || namespaceOf(ref) === namespace);
  const open = known.incidents.filter(({ state }) => state !== 'Resolved');
  const tiers: readonly (() => Iterable<Ref>)[] = [
    () => rootsOf(open),
    () => open.flatMap(({ explanation }) => [...explanation.workloads, ...explanation.affected.map(({ ref }) => ref)]),
    () => held(name, namespace, known),
    () => rootsOf(known.incidents),
  ];
  for (const tier of tiers) {
    const found = [...new Set(Iterator.from(tier()).filter(fits))];
    const main = found.filter((ref) => mainKinds.has(kindOf(ref)));
    const one = choice(name, main.length > 0 ? main : found);
    if (one) return one;
  }
  const where = namespace === undefined ? '' : ` in the namespace ${namespace}`;
  if (/^[0-9a-f]{16}$/.test(name))
    return {
      unclear: `Tocsin knows no incident with the ID ${name}: it forgets those that are long over. ${howToAsk}`,
    };
  return { unclear: `Tocsin knows no incident and no object of the name "${name}"${where}. ${howToAsk}` };
}

function inSomeNamespace(kind: string, name: string, known: Known): Subject | Unclear {
  const found = new Set(held(name, undefined, known, [kind]));
  for (const ref of rootsOf(known.incidents)) if (kindOf(ref) === kind && nameOf(ref) === name) found.add(ref);
  const one = choice(name, [...found]);
  if (one) return one;
  const what = describeRef(refOf(kind, '', name));
  return {
    unclear: `Tocsin knows no ${what} in any namespace: to ask what would become of one, give its namespace too.`,
  };
}

/** `undefined`: there is none. */
function choice(name: string, found: readonly Ref[]): Subject | Unclear | undefined {
  const [about] = found;
  if (about === undefined || found.length === 1) return about && { about };
  return {
    unclear: `${found.length} objects are called "${name}": ask for one of them.`,
    candidates: found.toSorted(),
  };
}

/** Objects of a name that are held, looked up by namespace and not by looking through all of them. */
function* held(
  name: string,
  namespace: string | undefined,
  known: Known,
  kinds: readonly string[] = heldKinds.map(kindInRefs),
): Generator<Ref> {
  const all =
    namespace === undefined ? Iterator.from(known.world.all('Namespace')).map(({ ref }) => nameOf(ref)) : [namespace];
  const namespaces = [...all];
  for (const kind of kinds)
    for (const each of placesOf(kind, namespaces)) {
      const ref = refOf(kind, each, name);
      if (isThere(ref, known)) yield ref;
    }
}

/** The namespaces in which objects of a kind can be; of a custom resource it is not known whether it is in any. */
function placesOf(kind: string, namespaces: readonly string[]): readonly string[] {
  const namespaced = isNamespaced(kind);
  if (namespaced === false) return [''];
  return namespaced ? namespaces : ['', ...namespaces];
}
