import type { PullCauseName } from '../../model/pull-cause.ts';
import type { Reason } from '../../model/reason.ts';
import { repositoryOf } from '../../world/pods/image.ts';

/** Why an image cannot be pulled, in one word, and what follows from it. */
export type PullCause = {
  readonly cause: PullCauseName;
  readonly reason: Extract<Reason, 'ImageNotFound' | 'ImagePullDenied' | 'ImagePullBackOff'>;
  /** Trying again does not help. */
  readonly conclusive: boolean;
  /** What it says of the registry itself, when several workloads say so. */
  readonly registry?: 'unreachable' | 'denied';
};

const other: PullCause = {
  cause: 'other',
  reason: 'ImagePullBackOff',
  conclusive: false,
};

/**
 * The first row whose pattern is found decides. Sentences are those of containerd, CRI-O and Docker as the kubelet passes
 * them on, with the answers of registries inside (OCI distribution specification, error codes).
 */
const rows: readonly (PullCause & { readonly pattern: RegExp })[] = [
  {
    pattern:
      /no match for platform|no matching manifest for|no image found in (?:image index|manifest list) for architecture/i,
    ...{ cause: 'platform', reason: 'ImageNotFound', conclusive: true },
  },
  {
    pattern: /toomanyrequests|429 too many requests|pull rate limit/i,
    ...{ cause: 'rateLimit', reason: 'ImagePullBackOff', conclusive: false, registry: 'denied' },
  },
  {
    // Docker Hub answers the same for an image that does not exist and for one that is private.
    pattern: /repository does not exist or may require|requested access to the resource is denied/i,
    ...{ cause: 'maybeDenied', reason: 'ImagePullDenied', conclusive: true, registry: 'denied' },
  },
  {
    pattern:
      /\b(?:401 )?unauthorized\b|\b(?:403 )?forbidden\b|\bHTTP 40[13]\b|status(?: ?code)?:? 40[13]\b|unauthenticated request|no basic auth credentials|authentication required|authorization token has expired|\bdenied: /i,
    ...{ cause: 'denied', reason: 'ImagePullDenied', conclusive: true, registry: 'denied' },
  },
  {
    pattern:
      /x509:|tls: failed to verify|certificate (?:has expired|signed by unknown)|server gave HTTP response to HTTPS/i,
    ...{ cause: 'certificate', reason: 'ImagePullBackOff', conclusive: false, registry: 'unreachable' },
  },
  {
    pattern: /no such host|server misbehaving|temporary failure in name resolution|lookup \S+(?: on \S+)?: /i,
    ...{ cause: 'dns', reason: 'ImagePullBackOff', conclusive: false, registry: 'unreachable' },
  },
  {
    pattern:
      /i\/o timeout|TLS handshake timeout|deadline exceeded|connection refused|connection reset|no route to host|network is unreachable|request canceled while waiting|Client\.Timeout|unexpected EOF|: EOF\b/i,
    ...{ cause: 'network', reason: 'ImagePullBackOff', conclusive: false, registry: 'unreachable' },
  },
  {
    pattern: /\b50[0234]\b (?:internal|bad gateway|service unavailable|gateway time)|unexpected status\D*\b5\d\d\b/i,
    ...{ cause: 'server', reason: 'ImagePullBackOff', conclusive: false, registry: 'unreachable' },
  },
  {
    // What arrives is not what the manifest says: it was cut off, or somebody on the way keeps something else.
    pattern:
      /unexpected commit (?:digest|size)|(?:digest|checksum) mismatch|(?:digest|layer) verification failed|digest did not match/i,
    ...{ cause: 'corrupt', reason: 'ImagePullBackOff', conclusive: false, registry: 'unreachable' },
  },
  {
    pattern: /no space left on device/i,
    ...{ cause: 'disk', reason: 'ImagePullBackOff', conclusive: false },
  },
  {
    pattern:
      /not found|manifest unknown|MANIFEST_UNKNOWN|name unknown|NAME_UNKNOWN|name not known to registry|does not exist/i,
    ...{ cause: 'notFound', reason: 'ImageNotFound', conclusive: true },
  },
];

/** Whether a word of a message is a name: an address, something quoted, or the image. */
function isName(word: string, repository: string): boolean {
  if (word.includes('://') || word.startsWith('"')) return true;
  if (repository === '') return false;
  return [`/${repository}`, `${repository}:`, `${repository}@`].some((part) => word.includes(part));
}

/** Reads the kubelet's message of a failing pull of an image. An image called `api:403`, or `denied`, says nothing by its name. */
export function pullCause(message: string, image: string): PullCause {
  const repository = repositoryOf(image);
  const words = message.split(/\s+/).map((word) => (isName(word, repository) ? `…${/:?$/.exec(word)?.[0]}` : word));
  const text = words.join(' ');
  return rows.find(({ pattern }) => pattern.test(text)) ?? other;
}
