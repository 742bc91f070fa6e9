import { type ApiClient, ApiError } from '../../src/kube/api-client.ts';

/** The namespace of everything that is broken. */
export const namespace = 'shop';

/** How something is broken. `secret`: it needs a Secret that is not there. */
export const faults = ['image', 'crash', 'secret'] as const;
/** One of them. */
export type Fault = (typeof faults)[number];

const scripts: Readonly<Record<Fault, object | undefined>> = {
  image: { pullError: 'NotFound' },
  crash: { exit: { afterSeconds: 1, code: 1 }, log: ['starting', 'FATAL cannot open the database'] },
  secret: undefined,
};
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** A Deployment of one Pod that is made broken, then mended or deleted. Its name is used for nothing else. */
export class Workload {
  readonly name: string;
  readonly #fault: Fault;
  readonly #api: ApiClient;

  constructor(api: ApiClient, name: string, fault: Fault) {
    this.#api = api;
    this.name = name;
    this.#fault = fault;
  }

  /** Makes it, broken from the start. */
  async break(): Promise<void> {
    await this.#api.json({ method: 'POST', path: deployments, body: this.#manifest(scripts[this.#fault]) });
  }

  /** Puts right what is wrong. */
  async mend(): Promise<void> {
    if (this.#fault === 'secret') {
      const metadata = { name: this.name, namespace };
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: 'none' } };
      await this.#api.json({ method: 'POST', path: `/api/v1/namespaces/${namespace}/secrets`, body: secret });
    } else
      await this.#api.json({
        method: 'PATCH',
        path: `${deployments}/${this.name}`,
        contentType: 'application/merge-patch+json',
        body: { spec: { template: { metadata: { annotations: { 'sandbox.tocsin.dev/script': null } } } } },
      });
  }

  /** Takes it away, which ends what was wrong with it too. */
  async remove(): Promise<void> {
    try {
      await this.#api.json({
        method: 'DELETE',
        path: `${deployments}/${this.name}`,
        query: { propagationPolicy: 'Background' },
      });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  #manifest(script: object | undefined): object {
    const { name } = this;
    const labels = { app: name };
    const annotations = script ? { 'sandbox.tocsin.dev/script': JSON.stringify(script) } : {};
    const env =
      this.#fault === 'secret' ? [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name, key: 'token' } } }] : [];
    return {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace } },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [{ name: 'app', image: `registry.example/${name}:1.0`, env }],
          },
        },
      },
    };
  }
}
