import operatorModule, { type ResourceEvent, type ResourceMeta } from '@dot-i/k8s-operator';
import {
  kindNames,
  kinds,
  apiVersion as ourApiVersion,
  group as ourGroup,
  version as ourVersion,
} from '../api/group.ts';
import type { ApiClient } from '../kube/api-client.ts';
import { applyStatus } from '../kube/apply.ts';
import { pathOf } from '../kube/path.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { ObjectEvent, RawObject } from '../model/raw-object.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import type { Resource } from '../model/resource.ts';
import { WorkQueue } from './work-queue.ts';

/**
 * The base class without its constructor, which loads whatever kubeconfig it finds (and throws where that one names no
 * cluster) and makes a client that nothing here uses. So no request can leave but through our own API client.
 */
// The package is CommonJS: its class is the default export of its default export.
const Operator = new Proxy(operatorModule.default, {
  construct: (_base, _arguments, made) => Object.create(made.prototype as object),
});

/** Owner of the status fields, always the same: an upgrade must not leave fields of a former name behind. */
const fieldManager = 'tocsin';
/** Objects whose reconciliation may be under way at the same time. */
const concurrency = 8;
/** A status write is given up after this and tried again; a stop waits no longer for it. Milliseconds. */
const writeDeadlineMs = 5_000;

/** The four kinds as resources to watch. All are required: without them there is no configuration. */
export const ownResources: readonly Resource[] = kindNames.map((kind) => ({
  group: ourGroup,
  versions: [ourVersion],
  plural: kinds[kind].plural,
  kind,
  namespaced: true,
  required: true,
}));

/** A running list-and-watch of one resource. */
export type Reflection = { stop(): Promise<void> };

/** Starts the reflector of one resource; the composition shares pool, prober and gate among all of them. */
export type StartReflection = (
  resource: Resource,
  handlers: {
    readonly onEvents: (events: readonly ObjectEvent[]) => void;
    readonly onCoverage: (coverage: Coverage) => void;
    readonly known: () => Iterable<{ readonly namespace?: string; readonly name: string; readonly uid: string }>;
  },
) => Reflection;

/** What happens to the objects. `put` and `gone` may reject: they are tried again per object, with a back-off. */
export type Handler = {
  put(raw: RawObject): Promise<void>;
  gone(raw: RawObject): Promise<void>;
  failed(key: string, error: unknown, retryInMs: number): void;
  covered(coverage: Coverage): void;
};

/**
 * The custom-resource side. The base class gives the shape (`init`, `start`, `stop`, events and metadata of resources); its
 * own network code is not sound (it exits the process on a watch error, loses deletions, swallows failed status writes), so
 * every method that reaches the network is overridden: watching is our reflector feeding a queue per object, status is
 * server-side apply that rejects when it fails, and what we never do (finalizers, registering CRDs) throws.
 */
export class TocsinOperator extends Operator {
  readonly #client: ApiClient;
  readonly #reflect: StartReflection;
  readonly #handler: Handler;
  readonly #queue: WorkQueue<{
    readonly event: ResourceEvent;
    readonly onEvent: (event: ResourceEvent) => Promise<void>;
  }>;
  readonly #reflections: Reflection[] = [];
  readonly #known = new Map<
    string,
    { readonly namespace?: string; readonly name: string; readonly uid: string; readonly plural: string }
  >();

  constructor(options: {
    readonly client: ApiClient;
    readonly reflect: StartReflection;
    readonly handler: Handler;
    readonly clock: Clock;
  }) {
    super();
    this.#client = options.client;
    this.#reflect = options.reflect;
    this.#handler = options.handler;
    this.#queue = new WorkQueue({
      clock: options.clock,
      concurrency,
      // Keys are refs: a namespace with thousands of objects takes one turn, like any other.
      shareOf: (key) => namespaceOf(key as Ref),
      work: (_key, { event, onEvent }) => onEvent(event),
      failed: (key, error, retryInMs) => this.#handler.failed(key, error, retryInMs),
    });
  }

  protected override async init(): Promise<void> {
    for (const { group, versions, plural } of ownResources)
      await this.watchResource(group, versions[0], plural, (event) => this.#reconcile(event));
  }

  async #reconcile(event: ResourceEvent): Promise<void> {
    // What the reflector hands over is the object as the API sent it.
    const raw = event.object as RawObject;
    // The string is the base class's `ResourceEventType.Deleted`; its enum is not exported to ES modules.
    if ((event.type as string) === 'DELETED') await this.#handler.gone(raw);
    else await this.#handler.put(raw);
  }

  protected override async watchResource(
    group: string,
    version: string,
    plural: string,
    onEvent: (event: ResourceEvent) => Promise<void>,
    namespace?: string,
  ): Promise<void> {
    const resource = ownResources.find((own) => own.group === group && own.plural === plural);
    if (!resource || namespace !== undefined) throw new Error(`${plural}.${group} is not one of Tocsin's resources`);
    this.#reflections.push(
      this.#reflect(resource, {
        onEvents: (events) => {
          for (const event of events) this.#enqueue(event, resource, version, onEvent);
        },
        onCoverage: (coverage) => this.#handler.covered(coverage),
        known: () => [...this.#known.values()].filter((known) => known.plural === plural),
      }),
    );
  }

  #enqueue(
    { is, raw }: ObjectEvent,
    resource: Resource,
    version: string,
    onEvent: (event: ResourceEvent) => Promise<void>,
  ): void {
    const { name, namespace, uid, resourceVersion } = raw.metadata;
    const key = `${resource.kind}/${namespace ?? ''}/${name}`;
    if (is === 'gone') this.#known.delete(key);
    else
      this.#known.set(key, {
        ...(namespace !== undefined && { namespace }),
        name,
        uid: uid ?? '',
        plural: resource.plural,
      });
    const meta: ResourceMeta = {
      id: `${resource.plural}.${resource.group}/${version}`,
      name,
      ...(namespace !== undefined && { namespace }),
      resourceVersion: resourceVersion ?? '',
      apiVersion: ourApiVersion,
      kind: resource.kind,
    };
    // Lists leave the type out of their items.
    const object = { ...raw, apiVersion: ourApiVersion, kind: resource.kind };
    const type = (is === 'gone' ? 'DELETED' : 'MODIFIED') as ResourceEvent['type'];
    this.#queue.add(key, { event: { meta, type, object }, onEvent });
  }

  /** The path on the API server; our client knows the server. */
  protected override getCustomResourceApiUri(
    group: string,
    version: string,
    plural: string,
    namespace?: string,
  ): string {
    return pathOf({ group, plural, namespaced: true }, version, namespace === undefined ? {} : { namespace });
  }

  /** Applies the status of an object. Rejects when the API server refuses or does not answer. */
  async writeStatus(meta: Pick<ResourceMeta, 'kind' | 'name' | 'namespace'>, status: object): Promise<void> {
    const resource = ownResources.find((own) => own.kind === meta.kind);
    if (!resource) throw new Error(`${meta.kind} is not one of Tocsin's kinds`);
    const path = this.getCustomResourceApiUri(resource.group, resource.versions[0], resource.plural, meta.namespace);
    const object = {
      apiVersion: ourApiVersion,
      kind: meta.kind,
      metadata: { name: meta.name, ...(meta.namespace !== undefined && { namespace: meta.namespace }) },
      status,
    };
    await applyStatus(this.#client, `${path}/${encodeURIComponent(meta.name)}`, object, {
      fieldManager,
      force: true,
      deadlineMs: writeDeadlineMs,
    });
  }

  protected override async setResourceStatus(meta: ResourceMeta, status: unknown): Promise<ResourceMeta | null> {
    await this.writeStatus(meta, asObject(status));
    return meta;
  }

  protected override async patchResourceStatus(meta: ResourceMeta, status: unknown): Promise<ResourceMeta | null> {
    await this.writeStatus(meta, asObject(status));
    return meta;
  }

  protected override setResourceFinalizers(): Promise<void> {
    return Promise.reject(new Error('Tocsin sets no finalizers: deleting an object must never wait for it'));
  }

  protected override handleResourceFinalizer(): Promise<boolean> {
    return Promise.reject(new Error('Tocsin sets no finalizers: deleting an object must never wait for it'));
  }

  protected override registerCustomResourceDefinition(): never {
    throw new Error('Tocsin does not install its CRDs: apply config/crd');
  }

  protected override applyAxiosKubeConfigAuth(): Promise<void> {
    return Promise.reject(new Error('requests go through the API client only'));
  }

  protected override applyGaxiosKubeConfigAuth(): Promise<void> {
    return Promise.reject(new Error('requests go through the API client only'));
  }

  /** Stops watching at once; `drained` resolves when what was under way has ended. */
  override stop(): void {
    void this.drained();
  }

  /** Resolves when every object that has been seen was handed to the handler once. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Stops watching and waits for the work under way. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#reflections.splice(0).map((reflection) => reflection.stop()));
    await this.#queue.stop();
  }
}

function asObject(status: unknown): object {
  if (typeof status === 'object' && status !== null) return status;
  throw new TypeError('a status must be an object');
}
