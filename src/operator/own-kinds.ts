import { group, type Kind, kindNames, kinds, storedApiVersion, storedVersion } from '../api/group.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { applyStatus } from '../kube/apply.ts';
import type { KnownObject } from '../kube/census.ts';
import { pathOf } from '../kube/path.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { ObjectEvent, RawObject } from '../model/raw-object.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Resource } from '../model/resource.ts';
import { trimmed } from './trimmed.ts';
import { WorkQueue } from './work-queue.ts';

/** Owner of the status fields, always the same: an upgrade must not leave fields of a former name behind. */
const fieldManager = 'tocsin';
/** Objects whose reconciliation may be under way at the same time. */
const concurrency = 8;
/** A status write is given up after this and tried again; a stop waits no longer for it. Milliseconds. */
const writeDeadlineMs = 5_000;
const readDeadlineMs = 5_000;

/** The four kinds as resources to watch. All are required: without them there is no configuration. */
export const ownResources: readonly (Resource & { readonly kind: Kind })[] = kindNames.map((kind) => ({
  ...{ group, versions: [storedVersion], plural: kinds[kind].plural, kind },
  ...{ namespaced: true, required: true },
}));

/** A running list-and-watch of one resource. */
export type Reflection = { stop(): Promise<void> };

/** Starts the reflector of one resource; the composition shares pool, prober and gate among all of them. */
export type StartReflection = (
  resource: Resource,
  handlers: {
    readonly onEvents: (events: readonly ObjectEvent[]) => void;
    readonly onCoverage: (coverage: Coverage) => void;
    readonly known: () => Iterable<KnownObject>;
  },
) => Reflection;

/** What happens to the objects. `put` and `gone` may reject: they are tried again per object, with a back-off. */
export type Handler = {
  put(raw: RawObject): Promise<void>;
  gone(raw: RawObject): Promise<void>;
  failed(key: string, error: unknown, retryInMs: number): void;
  covered(coverage: Coverage): void;
};

/** What the four kinds are watched with. */
export type OwnKindsOptions = {
  readonly client: ApiClient;
  readonly reflect: StartReflection;
  readonly handler: Handler;
  readonly clock: Clock;
};

/** Watches our four kinds, one reflector each that feeds a queue per object, and writes their status. */
export class OwnKinds {
  readonly #options: OwnKindsOptions;
  readonly #queue: WorkQueue<ObjectEvent>;
  readonly #reflections: Reflection[] = [];
  /** Kind → what the API has of it, as last seen. */
  readonly #known = new Map<Kind, Map<Ref, KnownObject>>();

  constructor(options: OwnKindsOptions) {
    const { clock, handler } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      concurrency,
      // Keys are refs: a namespace with thousands of objects takes one turn, like any other.
      shareOf: (key) => namespaceOf(key as Ref),
      work: (_key, { is, raw }) => handler[is](raw),
      failed: (key, error, retryInMs) => handler.failed(key, error, retryInMs),
    });
  }

  /** Begins to watch all four. */
  watch(): void {
    for (const resource of ownResources) {
      const known = new Map<Ref, KnownObject>();
      this.#known.set(resource.kind, known);
      const reflection = this.#options.reflect(resource, {
        onEvents: (events) => {
          for (const { is, raw } of events) this.#enqueue(resource.kind, { is, raw: trimmed(resource.kind, raw) });
        },
        onCoverage: (coverage) => this.#options.handler.covered(coverage),
        known: () => known.values(),
      });
      this.#reflections.push(reflection);
    }
  }

  /** Resolves when every object that has been seen was handed to the handler once. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Stops watching and waits for the work under way. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#reflections.splice(0).map((reflection) => reflection.stop()));
    await this.#queue.stop();
  }

  /** Applies the status of an object. Rejects when the API server refuses or does not answer. */
  async writeStatus(ref: Ref, status: object): Promise<void> {
    const [kind, namespace, name] = [kindOf(ref), namespaceOf(ref), nameOf(ref)];
    const resource = ownResources.find((own) => own.kind === kind);
    if (!resource) throw new Error(`${kind} is not one of Tocsin's kinds`);
    const object = { apiVersion: storedApiVersion, kind, metadata: { name, namespace }, status };
    const options = { fieldManager, force: true, deadlineMs: writeDeadlineMs };
    await applyStatus(this.#options.client, pathOf(resource, storedVersion, { namespace, name }), object, options);
  }

  /** Reads one object anew and hands it on. Rejects when the API server refuses or does not answer. */
  async read(ref: Ref): Promise<void> {
    const [kind, namespace, name] = [kindOf(ref), namespaceOf(ref), nameOf(ref)];
    const resource = ownResources.find((own) => own.kind === kind);
    if (!resource) return;
    const path = pathOf(resource, storedVersion, { namespace, name });
    const raw = await this.#options.client.json<RawObject>({ path, deadlineMs: readDeadlineMs, attempts: 1 });
    this.#enqueue(resource.kind, { is: 'put', raw: trimmed(resource.kind, raw) });
  }

  #enqueue(kind: Kind, { is, raw }: ObjectEvent): void {
    const { name, namespace = '', uid = '' } = raw.metadata;
    const ref = refOf(kind, namespace, name);
    if (is === 'gone') this.#known.get(kind)?.delete(ref);
    else this.#known.get(kind)?.set(ref, { namespace, name, uid });
    // Lists leave the type out of their items.
    this.#queue.add(ref, { is, raw: { ...raw, apiVersion: storedApiVersion, kind } });
  }
}
