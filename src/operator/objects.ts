import { isDeepStrictEqual } from 'node:util';
import { commonFields } from '../api/alert-provider.ts';
import { providerOf } from '../api/check-provider.ts';
import { type Kind, kindNames, redeliverAnnotation, testAnnotation } from '../api/group.ts';
import { overSpecBytes, tenantSpecBytes } from '../api/limits.ts';
import { type ObjectOf, resources } from '../api/resources.ts';
import {
  type ConfigSettings,
  configSettings,
  type ProviderCandidate,
  providerSettings,
  silenceSettings,
} from '../api/settings.ts';
import { type PlannedWindow, plannedWindow } from '../api/windows.ts';
import { acknowledgementsIn } from '../model/acknowledgement.ts';
import type { RawObject } from '../model/raw-object.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import type { StructuralSchema } from '../model/schema.ts';
import type { SilenceSettings } from '../model/settings.ts';
import { checkValue } from '../schema/check.ts';

/** What an object of a kind means to the core; `undefined` where it cannot mean anything. */
type Meanings = {
  readonly AlertProvider: ProviderCandidate | undefined;
  readonly Silence: SilenceSettings | undefined;
  readonly MaintenanceWindow: PlannedWindow | undefined;
  readonly AlertConfig: ConfigSettings | undefined;
};

/** One of our objects as last seen, with what it means: worked out once, whatever often the settings are made anew. */
export type Held<K extends Kind> = {
  readonly object: ObjectOf[K];
  readonly meaning: Meanings[K];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Of its spec. */
  readonly bytes: number;
  /** Why it cannot be read at all: it was stored under an older schema. It takes part in nothing. */
  readonly unreadable?: string;
};

const meaningOf: { readonly [K in Kind]: (object: ObjectOf[K]) => Meanings[K] } = {
  AlertProvider(object) {
    const definition = providerOf(object.spec.type);
    return definition && providerSettings(object, definition);
  },
  Silence: silenceSettings,
  MaintenanceWindow: plannedWindow,
  AlertConfig: configSettings,
};

/** Whether this is one of our kinds. */
export function isOurKind(kind: string | undefined): kind is Kind {
  return kindNames.some((name) => name === kind);
}

/** The API server has checked each object against our schema, of which its type is made. Ours may be newer than the one it has. */
function isWhole<K extends Kind>(kind: K, raw: RawObject): raw is RawObject & ObjectOf[K] {
  const { metadata, spec, status } = raw;
  const conditions: unknown = Object(status).conditions ?? [];
  return (
    (isObject(spec) || (kind === 'AlertConfig' && spec === undefined)) &&
    (status === undefined || (isObject(status) && Array.isArray(conditions) && conditions.every(isObject))) &&
    isObject(metadata.annotations ?? {}) &&
    typeof metadata.generation === 'number' &&
    [metadata.namespace, metadata.uid, metadata.creationTimestamp].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(metadata.creationTimestamp)))
  );
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of an object that cannot be read: what its status needs. */
function remains(raw: RawObject): object {
  const { name, namespace = '', uid = '', generation } = raw.metadata;
  const metadata = { name, namespace, uid, creationTimestamp: '', generation: Number(generation) || 0 };
  return { kind: raw.kind, metadata, spec: {} };
}

/** Of its type the block of a provider is judged apart, with its Secrets. */
const specSchemas: Readonly<Record<Kind, StructuralSchema>> = {
  AlertProvider: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(resources.AlertProvider.spec.json.properties ?? {}).filter(
        ([name]) => name !== 'type' && commonFields.includes(name),
      ),
    ),
  },
  Silence: resources.Silence.spec.json,
  MaintenanceWindow: resources.MaintenanceWindow.spec.json,
  AlertConfig: resources.AlertConfig.spec.json,
};

/** An object that takes part in nothing, with what its status needs. */
function leftOut<K extends Kind>(raw: RawObject, why: string): Held<K> {
  return {
    object: remains(raw) as ObjectOf[K],
    meaning: undefined as Meanings[K],
    createdAt: 0,
    bytes: 0,
    unreadable: why,
  };
}

/** Why an object is none of its kind; `undefined`: it can be read. */
function whyUnreadable(kind: Kind, raw: RawObject): string | undefined {
  if (!isWhole(kind, raw)) return 'its shape is not that of its kind';
  return checkValue(specSchemas[kind], raw.spec ?? {}, 'spec', 'ignored')[0]?.message;
}

function read<K extends Kind>(kind: K, raw: RawObject): Held<K> {
  const why = whyUnreadable(kind, raw);
  if (why !== undefined || !isWhole(kind, raw))
    return leftOut(raw, `This object cannot be read (${why}): apply it again with the current CRDs installed.`);
  const createdAt = Date.parse(raw.metadata.creationTimestamp);
  return { object: raw, meaning: meaningOf[kind](raw), createdAt, bytes: bytesOf(raw) };
}

/** Characters of the spec as JSON, which is about what it takes in memory. */
const bytesOf = ({ spec }: RawObject): number => JSON.stringify(spec ?? {}).length;

/** Annotations that ask for something. */
const requests = [testAnnotation, redeliverAnnotation] as const;

/** Whether what the object asks for is the same: only its status or its bookkeeping differs. */
function asksTheSame<K extends Kind>(before: Held<K>, after: RawObject): boolean {
  const { uid, generation, annotations } = before.object.metadata;
  const { metadata } = after;
  return (
    before.unreadable === undefined &&
    uid === metadata.uid &&
    generation === metadata.generation &&
    requests.every((annotation) => annotations?.[annotation] === Object(metadata.annotations)[annotation]) &&
    isDeepStrictEqual(acknowledgementsIn(annotations), acknowledgementsIn(Object(metadata.annotations)))
  );
}

/** Whether a Silence or window is over at `now` (epoch milliseconds): it takes no room from what is still to come. */
export function isOver(objects: Pick<OwnObjects, 'get'>, ref: Ref, now: number): boolean {
  const endsAt = objects.get('Silence', ref)?.meaning?.endsAt;
  const openings = objects.get('MaintenanceWindow', ref)?.meaning?.openings;
  return (endsAt ?? now + 1) <= now || (openings !== undefined && 'at' in openings && openings.at(now) === undefined);
}

/** Our own objects as last seen, by kind and by namespace. */
export class OwnObjects {
  readonly #held: { readonly [K in Kind]: Map<Ref, Held<K>> } = {
    AlertProvider: new Map(),
    Silence: new Map(),
    MaintenanceWindow: new Map(),
    AlertConfig: new Map(),
  };
  readonly #namespaces: { readonly [K in Kind]: Map<string, Set<Ref>> } = {
    AlertProvider: new Map(),
    Silence: new Map(),
    MaintenanceWindow: new Map(),
    AlertConfig: new Map(),
  };

  /** Namespace → bytes of the specs that are held. */
  readonly #bytes = new Map<string, number>();
  readonly #operatorNamespace: string;

  /** `operatorNamespace`: there administrators write, and nothing is too large. */
  constructor(operatorNamespace: string) {
    this.#operatorNamespace = operatorNamespace;
  }

  /** Takes in an object as the API has it now. Never throws. Returns whether it asks for anything else than before. */
  put<K extends Kind>(kind: K, ref: Ref, raw: RawObject): boolean {
    const before = this.get(kind, ref);
    if (before && asksTheSame(before, raw) && isWhole(kind, raw)) {
      this.#held[kind].set(ref, { ...before, object: raw });
      return false;
    }
    const namespace = namespaceOf(ref);
    this.#hold(
      kind,
      ref,
      this.#hasRoom(namespace, bytesOf(raw), before) ? read(kind, raw) : leftOut(raw, overSpecBytes),
    );
    const refs = this.#namespaces[kind].get(namespace);
    if (refs) refs.add(ref);
    else this.#namespaces[kind].set(namespace, new Set([ref]));
    return true;
  }

  /** Whether an object that takes part could not any more if this is what it is now: nobody can read it. */
  wouldLose<K extends Kind>(kind: K, ref: Ref, raw: RawObject): boolean {
    const before = this.get(kind, ref);
    return before !== undefined && before.unreadable === undefined && whyUnreadable(kind, raw) !== undefined;
  }

  /** Whether one is held that nobody can read. */
  isUnreadable(kind: Kind, ref: Ref): boolean {
    const { unreadable } = this.get(kind, ref) ?? {};
    return unreadable !== undefined && unreadable !== overSpecBytes;
  }

  /** It exists no more. */
  remove(kind: Kind, ref: Ref): void {
    this.#count(namespaceOf(ref), -(this.get(kind, ref)?.bytes ?? 0));
    this.#held[kind].delete(ref);
    const refs = this.#namespaces[kind].get(namespaceOf(ref));
    refs?.delete(ref);
    if (refs?.size === 0) this.#namespaces[kind].delete(namespaceOf(ref));
  }

  #hasRoom(namespace: string, bytes: number, before: Held<Kind> | undefined): boolean {
    const others = (this.#bytes.get(namespace) ?? 0) - (before?.bytes ?? 0);
    return namespace === this.#operatorNamespace || others + bytes <= tenantSpecBytes;
  }

  #hold<K extends Kind>(kind: K, ref: Ref, held: Held<K>): void {
    this.#count(namespaceOf(ref), held.bytes - (this.get(kind, ref)?.bytes ?? 0));
    const objects: Map<Ref, Held<K>> = this.#held[kind];
    objects.set(ref, held);
  }

  #count(namespace: string, bytes: number): void {
    const sum = (this.#bytes.get(namespace) ?? 0) + bytes;
    if (sum > 0) this.#bytes.set(namespace, sum);
    else this.#bytes.delete(namespace);
  }

  /** One object. */
  get<K extends Kind>(kind: K, ref: Ref): Held<K> | undefined {
    const held: ReadonlyMap<Ref, Held<K>> = this.#held[kind];
    return held.get(ref);
  }

  /** All objects of a kind. */
  refs(kind: Kind): Iterable<Ref> {
    return this.#held[kind].keys();
  }

  /** The objects of a kind in one namespace. */
  refsIn(kind: Kind, namespace: string): ReadonlySet<Ref> {
    return this.#namespaces[kind].get(namespace) ?? nothing;
  }
}

const nothing: ReadonlySet<Ref> = new Set();
