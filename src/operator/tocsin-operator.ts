import operatorModule, { type ResourceMeta } from '@dot-i/k8s-operator';
import { refOf } from '../model/ref.ts';
import type { OwnKinds } from './own-kinds.ts';

/**
 * The library's class without its constructor, which loads whatever kubeconfig it finds (and throws where that one names no
 * cluster) and makes a client that nothing here uses.
 */
// The package is CommonJS: its class is the default export of its default export.
const Operator = new Proxy(operatorModule.default, {
  construct: (_base, _arguments, made) => Object.create(made.prototype as object),
});

const ourWay = 'watches and requests go through the reflectors and the API client of Tocsin';
const noFinalizers = 'Tocsin sets no finalizers: deleting an object must never wait for it';

/** What the library would do by itself: its network code ends the process on a watch error, loses deletions, swallows failures. */
const refused: Readonly<Record<string, string>> = {
  watchResource: ourWay,
  getCustomResourceApiUri: ourWay,
  applyAxiosKubeConfigAuth: ourWay,
  applyGaxiosKubeConfigAuth: ourWay,
  setResourceFinalizers: noFinalizers,
  handleResourceFinalizer: noFinalizers,
  registerCustomResourceDefinition: 'Tocsin does not install its CRDs: apply config/crd',
};

/** Our custom-resource side in the shape of the library: `start`, `init`, `stop` and the two ways to write a status. */
export class TocsinOperator extends Operator {
  readonly #kinds: OwnKinds;

  static {
    for (const [method, why] of Object.entries(refused))
      Object.defineProperty(TocsinOperator.prototype, method, { value: () => Promise.reject(new Error(why)) });
  }

  constructor(kinds: OwnKinds) {
    super();
    this.#kinds = kinds;
  }

  protected override async init(): Promise<void> {
    this.#kinds.watch();
  }

  /** Stops watching; `OwnKinds.stop` can be waited for. */
  override stop(): void {
    void this.#kinds.stop();
  }

  /** Rejects when the API server refuses or does not answer. */
  protected override async setResourceStatus(meta: ResourceMeta, status: unknown): Promise<ResourceMeta> {
    const { kind, namespace = '', name } = meta;
    if (typeof status !== 'object' || status === null) throw new TypeError('a status must be an object');
    await this.#kinds.writeStatus(refOf(kind, namespace, name), status);
    return meta;
  }

  protected override patchResourceStatus(meta: ResourceMeta, status: unknown): Promise<ResourceMeta> {
    return this.setResourceStatus(meta, status);
  }
}
