import type { LintRule } from '../../api/lint/remark.ts';
import type { GivenSecret, Manifest, SecretLookup } from '../../api/lint/surroundings.ts';
import { Secret } from '../../model/secret.ts';
import { classify } from './classify.ts';
import { type Broken, type Position, parseText } from './documents.ts';
import type { SourceText } from './files.ts';

/** Where something is. Without `position` it is in the cluster. */
export type Place = { readonly file?: string; readonly position?: Position };

/** A problem that keeps something from being an object at all. */
export type Misread = Place & { readonly rule: LintRule; readonly message: string };

/** An object that knows where its fields are. */
export type LocatedManifest = Manifest & { place(path: string): Place };

/** Everything found in the given texts or in the cluster. */
export type Gathered = {
  readonly manifests: readonly LocatedManifest[];
  readonly misread: readonly Misread[];
  readonly secrets: SecretLookup;
  /** Objects of other kinds: not looked at. */
  readonly foreign: number;
  readonly secretCount: number;
  /** UID of the namespace kube-system, where a cluster was asked and tells it. */
  readonly clusterId?: string;
};

type Loose = Readonly<Record<string, unknown>>;
const looseOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads texts into objects of ours, Secrets and the rest. */
export function gather(sources: readonly SourceText[], namespace: string): Gathered {
  const manifests: LocatedManifest[] = [];
  const misread: Misread[] = [];
  const secrets = new Map<string, GivenSecret>();
  let foreign = 0;
  for (const { name: file, text, isUTF8 } of sources) {
    const { objects, broken } = isUTF8 ? parseText(text) : { objects: [], broken: [notUTF8(text)] };
    const isBroken = ({ line, column, message }: Broken): void =>
      void misread.push({ rule: 'InvalidYAML', file, position: { line, column }, message: `the file ${message}` });
    for (const each of broken) isBroken(each);
    for (const { value, at, misunderstood } of objects) {
      const place = (path: string): Place => ({ file, position: at(path) });
      const class_ = classify(value);
      if (class_.is === 'ours' && misunderstood.length > 0) for (const each of misunderstood) isBroken(each);
      else if (class_.is === 'ours')
        manifests.push({ kind: class_.kind, value, where: `${file === '-' ? 'stdin' : file}:${at('').line}`, place });
      else if (class_.is === 'none') isBroken({ ...at(''), message: class_.message });
      else if (class_.is === 'mistaken')
        misread.push({ rule: 'UnknownKind', ...place(class_.path), message: class_.message });
      else if (class_.is === 'secret') keepSecret(secrets, looseOf(value), namespace);
      else foreign += 1;
      const made = madeSecret(looseOf(value));
      if (made !== undefined) secrets.set(keyOf(looseOf(value), namespace, made), 'sealed');
    }
  }
  return { manifests, misread, secrets: lookupIn(secrets), foreign, secretCount: secrets.size };
}

/** Secrets of a namespace count as complete once one of them is given. */
function lookupIn(secrets: ReadonlyMap<string, GivenSecret>): SecretLookup {
  const namespaces = new Set([...secrets.keys()].map((key) => key.slice(0, key.indexOf('/'))));
  return (namespace, name) =>
    secrets.get(`${namespace}/${name}`) ?? (namespaces.has(namespace) ? 'missing' : 'unknown');
}

/** Where the bytes end to be text. */
function notUTF8(text: string): Broken {
  const before = text.slice(0, Math.max(0, text.indexOf('\ufffd'))).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: before.length, column, message: 'is not UTF-8 text: save it as UTF-8' };
}

/** Kinds of other tools that make a Secret, and where its name is (default: the object's own). */
const secretMakers: Readonly<Record<string, (spec: Loose) => unknown>> = {
  'bitnami.com/SealedSecret': (spec) => looseOf(looseOf(spec.template).metadata).name,
  'external-secrets.io/ExternalSecret': (spec) => looseOf(spec.target).name,
};

/** The name of the Secret that such an object makes. */
function madeSecret({ apiVersion, kind, metadata, spec }: Loose): string | undefined {
  const nameIn = secretMakers[`${String(apiVersion).split('/')[0]}/${String(kind)}`];
  return nameIn && (textOf(nameIn(looseOf(spec))) ?? textOf(looseOf(metadata).name));
}

function keyOf({ metadata }: Loose, namespace: string, name: string): string {
  return `${textOf(looseOf(metadata).namespace) ?? namespace}/${name}`;
}

function keepSecret(secrets: Map<string, GivenSecret>, object: Loose, namespace: string): void {
  const name = textOf(looseOf(object.metadata).name);
  if (name !== undefined) secrets.set(keyOf(object, namespace, name), secretValues(object));
}

/** The values of a Secret as the operator reads them: as text, without the line break at the end that editors leave. */
export function secretValues(object: Loose): GivenSecret {
  // Encrypted by sops: what is here is not what will be there.
  if ('sops' in object) return 'sealed';
  const plain = (text: string): Secret => new Secret(text.replace(/[\r\n]+$/, ''));
  const values = new Map<string, Secret>();
  for (const [key, value] of Object.entries(looseOf(object.data)))
    values.set(key, plain(Buffer.from(String(value ?? ''), 'base64').toString('utf8')));
  for (const [key, value] of Object.entries(looseOf(object.stringData))) values.set(key, plain(String(value ?? '')));
  return { values };
}
