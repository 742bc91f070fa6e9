import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-client.ts';
import { mayI } from './may-i.ts';

/** How full a file system is: bytes and inodes. The API leaves out what it does not know. */
export type FileSystemStats = {
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
  readonly inodes?: number;
  readonly inodesFree?: number;
};

type Stall = { readonly psi?: { readonly full?: { readonly avg300?: number } } };

/** stats/v1alpha1 Summary (k8s.io/kubelet), as far as somebody reads it. */
export type NodeSummary = {
  readonly node?: {
    readonly fs?: FileSystemStats;
    readonly runtime?: { readonly imageFs?: FileSystemStats };
    readonly memory?: Stall;
    readonly io?: Stall;
    readonly swap?: { readonly swapUsageBytes?: number; readonly swapAvailableBytes?: number };
  };
  readonly pods?: readonly {
    readonly podRef?: { readonly name?: string; readonly namespace?: string };
    readonly containers?: readonly {
      readonly name?: string;
      readonly memory?: { readonly workingSetBytes?: number };
    }[];
    readonly volume?: readonly (FileSystemStats & {
      readonly pvcRef?: { readonly name?: string; readonly namespace?: string };
    })[];
    readonly 'ephemeral-storage'?: FileSystemStats;
  }[];
};

/** A Node of 500 Pods says 3 MB. */
const maxBytes = 16 * 1024 * 1024;
const deadlineMs = 15_000;

/** Asks the kubelet of a Node, through the API server, for its summary. Rejects with `ApiError`. */
export async function readSummary(client: ApiClient, node: string, signal: AbortSignal): Promise<NodeSummary> {
  const path = `/api/v1/nodes/${encodeURIComponent(node)}/proxy/stats/summary`;
  const text = await client.text({ path, maxBytes, deadlineMs, attempts: 1, signal });
  try {
    return JSON.parse(text) as NodeSummary;
  } catch (error) {
    throw new ApiError(0, 'MalformedBody', `the summary of node ${node} is no JSON or too large`, undefined, {
      cause: error,
    });
  }
}

/** Whether kubelets may be asked through the API server: `get` of `nodes/proxy`. Rejects with `ApiError`. */
export function mayReadSummaries(client: ApiClient, signal: AbortSignal): Promise<boolean> {
  return mayI(client, { verb: 'get', resource: 'nodes', subresource: 'proxy' }, signal);
}

/**
 * Whether a failure says that the kubelet was not reached, which is what the API server's proxy answers with 5xx, or that
 * nobody answered in time. Refusals, throttling and an API server that is away say nothing of it.
 */
export function isKubeletAway(error: unknown): boolean {
  return error instanceof ApiError && ([500, 502, 503, 504].includes(error.status) || error.reason === 'Timeout');
}
