import { apiVersion } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';

/** Where the kinds of the demo live on the API server. */
const collections: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  Secret: '/api/v1/namespaces/{namespace}/secrets',
  Deployment: '/apis/apps/v1/namespaces/{namespace}/deployments',
  AlertConfig: `/apis/${apiVersion}/namespaces/{namespace}/alertconfigs`,
  AlertProvider: `/apis/${apiVersion}/namespaces/{namespace}/alertproviders`,
  Silence: `/apis/${apiVersion}/namespaces/{namespace}/silences`,
};

function collectionOf(kind: string, namespace: string): string {
  return (collections[kind] ?? '').replace('{namespace}', namespace);
}

/** What a person would do with kubectl, on the demo's API server. */
export type Kubectl = {
  create(object: RawObject): Promise<void>;
  /** Merges a patch into an object. */
  patch(kind: string, namespace: string, name: string, patch: object): Promise<void>;
  get(kind: string, namespace: string, name: string): Promise<RawObject>;
  list(kind: string, namespace: string): Promise<readonly RawObject[]>;
  /** A table as `kubectl get` prints it, from paths into the objects. */
  table(kind: string, namespace: string, columns: readonly Column[]): Promise<string>;
};

/** A column: its head, and what of an object it shows. */
export type Column = { readonly head: string; readonly cell: (object: RawObject) => string };

/** Works through the same client as the operator. */
export function createKubectl(client: ApiClient): Kubectl {
  async function list(kind: string, namespace: string): Promise<readonly RawObject[]> {
    const found = await client.json<{ readonly items: readonly RawObject[] }>({ path: collectionOf(kind, namespace) });
    return found.items;
  }
  return {
    async create(object) {
      const path = collectionOf(object.kind ?? '', object.metadata.namespace ?? '');
      await client.json({ method: 'POST', path, query: { fieldManager: 'kubectl' }, body: object });
    },
    async patch(kind, namespace, name, patch) {
      await client.json({
        method: 'PATCH',
        path: `${collectionOf(kind, namespace)}/${name}`,
        query: { fieldManager: 'kubectl' },
        // As kubectl does: containers merge by name, and what is not named stays.
        contentType: 'application/strategic-merge-patch+json',
        body: patch,
      });
    },
    get: (kind, namespace, name) => client.json({ path: `${collectionOf(kind, namespace)}/${name}` }),
    list,
    async table(kind, namespace, columns) {
      const rows = (await list(kind, namespace)).map((object) => columns.map(({ cell }) => cell(object)));
      const table = [columns.map(({ head }) => head), ...rows];
      const widths = columns.map((_, index) => Math.max(...table.map((row) => row[index]?.length ?? 0)));
      return table
        .map((row) =>
          row
            .map((cell, index) => cell.padEnd(widths[index] ?? 0))
            .join('   ')
            .trimEnd(),
        )
        .join('\n');
    },
  };
}

type Status = {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly suppressed?: number;
  readonly delivered?: number;
  readonly failed?: number;
};

const statusOf = (object: RawObject): Status => (object.status ?? {}) as Status;
const condition = (type: string) => (object: RawObject) =>
  statusOf(object).conditions?.find((each) => each.type === type)?.status ?? '';

/** The columns of `kubectl get silences`, as far as the story needs them. */
export const silenceColumns: readonly Column[] = [
  { head: 'NAME', cell: (object) => object.metadata.name },
  { head: 'ACTIVE', cell: condition('Active') },
  { head: 'SUPPRESSED', cell: (object) => String(statusOf(object).suppressed ?? '') },
  { head: 'COMMENT', cell: (object) => String((object.spec as { comment?: string }).comment ?? '') },
];

/** The columns of `kubectl get alertproviders`. */
export const providerColumns: readonly Column[] = [
  { head: 'NAME', cell: (object) => object.metadata.name },
  { head: 'TYPE', cell: (object) => String((object.spec as { type?: string }).type ?? '') },
  { head: 'ACTIVE', cell: condition('Active') },
  { head: 'READY', cell: condition('Ready') },
  { head: 'DELIVERING', cell: condition('Delivering') },
  { head: 'FAILED', cell: (object) => String(statusOf(object).failed ?? '') },
];
