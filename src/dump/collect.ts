import { type Ref, refOf } from '../model/ref.ts';
import { type Resource, sourceOf } from '../model/resource.ts';
import { type Bounds, DumpError, usualBounds } from './bounds.ts';
import type { Entry, Flaw } from './entry.ts';
import { type Format, formatOf, wholeNamespaceOf } from './formats.ts';
import type { Found, LogPlace } from './found.ts';
import { JsonValues } from './json-values.ts';
import { logPlaceOf } from './log-path.ts';
import { objectsIn } from './objects.ts';
import { openDump } from './open.ts';
import { isLookedAt, resourceByPath, resourceOf } from './resources.ts';
import { Tail } from './tail.ts';
import { newestIn } from './times.ts';
import { WriteOrder } from './write-order.ts';
import { YamlValues } from './yaml-values.ts';

/** The end of a container's log, as it is in the dump: not redacted. */
export type KeptLog = Pick<LogPlace, 'container' | 'previous'> & { readonly tail: Buffer };

/** The objects of one kind. */
export type KeptKind = {
  readonly resource: Resource;
  /** As JSON: parsed they would take five times the room. Whoever reads a snapshot may take them out. */
  readonly objects: string[];
  /** The namespaces in which these are all that there are (`''`: of a kind without namespaces). */
  readonly whole: ReadonlySet<string>;
};

/** All of a dump that anybody looks at. */
export type Snapshot = {
  readonly name: string;
  /** What it was recognised as. */
  readonly format: string;
  readonly kinds: readonly KeptKind[];
  /** Characters of all its objects as JSON. */
  readonly size: number;
  readonly logs: ReadonlyMap<Ref, readonly KeptLog[]>;
  /** The newest time that it tells of. Epoch milliseconds. */
  readonly now: number;
  readonly serverVersion?: string;
  /** Objects in versions that nobody here knows: `CronJob of batch/v3` → how many. */
  readonly foreignVersions: ReadonlyMap<string, number>;
  /** Whether objects tell who wrote them, and when (managedFields). */
  readonly tellsWrites: boolean;
  /** Who was written before whom. */
  readonly writeOrder: WriteOrder;
  /** The first of what could not be read, and how much there was. */
  readonly flaws: readonly Flaw[];
  readonly flawCount: number;
};

const mostFlaws = 20;
/** A clock that is so far ahead of this machine's is wrong (ms). */
const aheadMs = 5 * 60_000;

/** Kubelets say at least every five minutes that they live; and collecting takes its time (ms). */
const heartbeatMs = 15 * 60_000;
/** Without Nodes nothing need have happened for long. A file that is younger was copied (ms). */
const dayMs = 24 * 60 * 60_000;

/** Where to read from, and how. */
export type CollectOptions = {
  /** A folder, a file, or `-`. */
  readonly path: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** By this machine's clock (epoch milliseconds). */
  readonly now: number;
  readonly bounds?: Bounds;
  /** Told of every file; the reading stops when it throws. */
  readonly progress?: (files: number, objects: number) => void;
};

/** Reads a dump. Rejects with `DumpError` where there is none, or nothing in it. */
export async function collectDump(options: CollectOptions): Promise<Snapshot> {
  const bounds = options.bounds ?? usualBounds;
  const collection = new Collection(bounds, options.now + aheadMs);
  const opened = await openDump(options.path, options.stdin, options.now, bounds, (flaw) => collection.flaw(flaw));
  let files = 0;
  for await (const entry of opened.entries) {
    files += 1;
    await collection.read(entry, opened.is === 'file');
    options.progress?.(files, collection.objects);
  }
  return collection.snapshot(opened.name);
}

class Collection {
  readonly #bounds: Bounds;
  readonly #latest: number;
  readonly #kinds = new Map<
    string,
    { readonly resource: Resource; readonly objects: string[]; readonly whole: Set<string> }
  >();
  readonly #logs = new Map<Ref, KeptLog[]>();
  readonly #flaws: Flaw[] = [];
  #flawCount = 0;
  #format: Format | undefined;
  readonly #lists: { readonly resource: Resource; readonly path: string }[] = [];
  #hasMarkedLogs = false;
  #manifests = 0;
  /** The newest time in objects, and of the files that they are in. */
  #newest = 0;
  #writtenAt = 0;
  #kept = 0;
  #keptLogs = 0;
  #serverVersion: string | undefined;
  #tellsWrites = false;
  readonly #writeOrder = new WriteOrder();
  readonly #foreignVersions = new Map<string, number>();
  objects = 0;

  constructor(bounds: Bounds, latest: number) {
    this.#bounds = bounds;
    this.#latest = latest;
  }

  flaw(flaw: Flaw): void {
    this.#flawCount += 1;
    if (this.#flaws.length < mostFlaws) this.#flaws.push(flaw);
  }

  /** Takes what a file holds. `isAlone`: it is all there is, whatever its name. */
  async read({ path, chunks, modifiedAt = 0 }: Entry, isAlone: boolean): Promise<void> {
    this.#format ??= formatOf(path);
    const before = this.objects;
    const place = logPlaceOf(path);
    if (place) {
      const tail = new Tail(this.#bounds.logBytes);
      for await (const chunk of chunks) tail.add(chunk);
      this.#keepLog(place, tail.take());
    } else if (isAlone || /\.(?:json|ya?ml)$|(?:^|\/)logs\.txt$/.test(path)) await this.#readValues(path, chunks);
    if (this.objects > before && modifiedAt <= this.#latest) this.#writtenAt = Math.max(this.#writtenAt, modifiedAt);
  }

  snapshot(name: string): Snapshot {
    if (this.objects === 0) throw new DumpError(this.#emptiness(name));
    this.#noteWhole();
    return {
      ...{ name, now: this.#clock(), logs: this.#logs },
      format:
        this.#format?.name ?? (this.#hasMarkedLogs ? 'kubectl cluster-info dump' : 'objects as kubectl prints them'),
      kinds: [...this.#kinds.values()],
      size: this.#kept,
      ...{ flaws: this.#flaws, flawCount: this.#flawCount, tellsWrites: this.#tellsWrites },
      writeOrder: this.#writeOrder,
      foreignVersions: this.#foreignVersions,
      ...(this.#serverVersion !== undefined && { serverVersion: this.#serverVersion }),
    };
  }

  /** When it was written: by its files where that fits what is in them, else the newest time that it tells of. */
  #clock(): number {
    const newest = this.#newest === 0 ? this.#writtenAt || this.#latest - aheadMs : this.#newest;
    const quietMs = this.#kinds.has('nodes') ? heartbeatMs : dayMs;
    return this.#writtenAt > newest && this.#writtenAt - newest <= quietMs ? this.#writtenAt : newest;
  }

  async #readValues(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let reader: JsonValues | YamlValues | undefined;
    for await (const chunk of chunks) {
      reader ??= this.#readerFor(chunk);
      for (const found of reader?.take(chunk) ?? []) this.#take(found, path);
    }
    for (const found of reader?.end() ?? []) this.#take(found, path);
  }

  /** By the first character that says anything; `undefined`: nothing has come yet but spaces. */
  #readerFor(chunk: Uint8Array): JsonValues | YamlValues | undefined {
    const begin = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, 4_096))
      .toString('utf8')
      .trimStart();
    if (begin === '') return undefined;
    return /^[\u007b[]|^==== START/.test(begin.replace(/^\ufeff/, '')) && !/^\[[^\u007b\]]*\n/.test(begin)
      ? new JsonValues(this.#bounds)
      : new YamlValues(this.#bounds, isLookedAt);
  }

  #take(found: Found, path: string): void {
    if (found.is === 'flaw') this.flaw({ path, says: found.says });
    else if (found.is === 'log') {
      this.#hasMarkedLogs = true;
      this.#keepLog(found.place, found.tail);
    } else if (found.is === 'list') this.#noteList(found.kind, path);
    else this.#keep(found.value, path, found.listKind);
  }

  #keep(value: unknown, path: string, listKind: string | undefined): void {
    this.#serverVersion ??= versionIn(value);
    for (const { resource, raw, foreignVersion } of objectsIn(value, path, listKind)) {
      // What no cluster has taken yet is no state of one.
      if (raw.metadata.creationTimestamp === undefined && raw.status === undefined && resource.kind !== 'Event') {
        this.#manifests += 1;
        continue;
      }
      const json = JSON.stringify(raw);
      this.#tellsWrites ||= Array.isArray(raw.metadata.managedFields);
      this.#kept += json.length;
      if (this.#kept > this.#bounds.keptBytes)
        throw new DumpError(
          `it holds more than ${this.#bounds.keptBytes >> 20} MiB of objects: name a part of it, as the folder of some namespaces`,
        );
      this.#kindOf(resource).objects.push(json);
      const at = newestIn(json, this.#latest);
      if (resource.kind !== 'Event') this.#writeOrder.note(raw, at);
      this.#newest = Math.max(this.#newest, at);
      this.objects += 1;
      if (foreignVersion !== undefined) this.#noteVersion(`${resource.kind} of ${foreignVersion}`);
    }
  }

  /** A cluster has a few versions; of whoever writes thousands the first are enough. */
  #noteVersion(version: string): void {
    const count = this.#foreignVersions.get(version);
    if (count !== undefined || this.#foreignVersions.size < mostFlaws)
      this.#foreignVersions.set(version, (count ?? 0) + 1);
  }

  #kindOf(resource: Resource) {
    const source = sourceOf(resource);
    const known = this.#kinds.get(source);
    if (known) return known;
    const kind = { resource, objects: [], whole: new Set<string>() };
    this.#kinds.set(source, kind);
    return kind;
  }

  /** A list is complete: whether it is all there is of its kind the format says, once that is known. */
  #noteList(kind: string, path: string): void {
    const resource = (kind === '' ? undefined : resourceOf(undefined, kind)) ?? resourceByPath(path);
    if (resource && this.#lists.length < this.#bounds.entries) this.#lists.push({ resource, path });
  }

  /** Formats of whole clusters hold all of a kind in a namespace; what somebody printed by hand may be picked. */
  #noteWhole(): void {
    const format = this.#format;
    if (!format) return;
    for (const { resource, path } of this.#lists) {
      const namespace = wholeNamespaceOf(path, format, resource.namespaced);
      if (namespace !== undefined) this.#kindOf(resource).whole.add(namespace);
    }
    // Part of a cluster, as of one namespace, is written in the same way: it has no Nodes.
    if (!this.#kinds.has('nodes')) return;
    for (const kind of format.clusterScoped ?? []) {
      const resource = resourceOf(undefined, kind);
      if (resource) this.#kindOf(resource).whole.add('');
    }
  }

  #keepLog({ namespace, pod, container, previous }: LogPlace, tail: Buffer): void {
    this.#keptLogs += tail.length;
    if (this.#keptLogs > this.#bounds.keptLogBytes) {
      if (this.#keptLogs - tail.length <= this.#bounds.keptLogBytes)
        this.flaw({ path: '', says: 'it holds more logs than are kept: the others are not read' });
      return;
    }
    const ref = refOf('Pod', namespace, pod);
    const logs = this.#logs.get(ref) ?? [];
    logs.push({ container, previous, tail });
    this.#logs.set(ref, logs);
  }

  #emptiness(name: string): string {
    const [first] = this.#flaws;
    if (this.#manifests > 0)
      return `${name} holds manifests, not objects of a cluster: nothing says how they are. Print them with \`kubectl get … -o yaml\`.`;
    if (first)
      return `${name} holds nothing that can be read: ${first.path === '' ? '' : `${first.path}: `}${first.says}`;
    return `${name} holds no object of a Kubernetes cluster that is looked at. It may be ${readable}.`;
  }
}

/** What can be read, for people. */
const readable =
  'what `kubectl cluster-info dump`, `kubectl get … -o yaml|json`, must-gather, Troubleshoot or OpenShift Insights wrote, or a recording of Tocsin, as a folder, .tar, .tar.gz or file';

/** The version of the API server, as `kubectl version -o json` and collectors write it. */
function versionIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const each of [value, ...Object.values(value)])
    if (
      typeof each === 'object' &&
      each !== null &&
      'gitVersion' in each &&
      'platform' in each &&
      !('kustomizeVersion' in value)
    )
      return typeof each.gitVersion === 'string' ? each.gitVersion.slice(0, 40) : undefined;
  return undefined;
}
