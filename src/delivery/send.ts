import { DecoratorHandler, type Dispatcher, request as exchange } from 'undici';
import { BoundedMap } from '../model/bounded-map.ts';
import type { Clock } from '../model/clock.ts';
import { openSecret } from '../model/secret.ts';
import { readAnswer } from '../providers/kit/answer.ts';
import type { ProviderTls } from '../providers/kit/tls.ts';
import { type Answer, type Converse, type Send, TransportError } from '../providers/provider.ts';
import { type Blank, blankReason, createBlank, type SecretTexts } from './blank.ts';
import { mostSocketBytes } from './bytes.ts';
import type { Reach } from './connect.ts';
import { connectionsUnder, type Via, vetForProxy } from './connections.ts';
import { converse } from './converse.ts';
import { identityOf, secured } from './identity.ts';
import { type FindService, namedService } from './named-service.ts';
import { isProductHost } from './product-hosts.ts';
import { type OpenedRequest, openRequest } from './request.ts';
import type { Names } from './resolver.ts';
import { whyUnreachable } from './unreachable.ts';
import { type Allowance, createVet, type OwnerOf } from './vet.ts';

/** What the settings say of sending, as they are now. */
export type SendSettings = {
  readonly timeoutMs: number;
  readonly proxyURL?: string;
  /** CIDRs of private destinations that every provider may reach. */
  readonly allowedPrivateDestinations: readonly string[];
};

/** What differs between providers. */
export type SendFor = {
  /** The type's own least time-out: slow gateways would otherwise be asked twice. */
  readonly minTimeoutMs?: number;
  /** The provider lives in the operator's namespace. */
  readonly allPrivate: boolean;
  /** The provider's namespace, where it is not the operator's: it may reach the Services there. */
  readonly tenant?: string;
  /** The provider's own authorities and certificate. */
  readonly tls?: ProviderTls | undefined;
  /** For the agent of EKS Pod Identity alone, without a proxy. */
  readonly podAgentOnly?: true;
};

/** The one way of provider traffic to the network. */
export type Sender = {
  /** A `Send` under the settings as they are at each call. */
  for(provider: SendFor): Send;
  /** The same for conversations, which last. */
  converse(provider: SendFor): Converse;
  /** Ends all connections. */
  close(): Promise<void>;
};

/** Connections and rules of one policy. */
type Policy = { readonly reach: Reach; readonly pool: Dispatcher; readonly via: Via | undefined };
/** Policies in use at once; settings and certificates change rarely, so the one that was made first is closed. */
const maxPolicies = 256;

/**
 * Makes the sender: own connections, addresses vetted, no redirects followed, whole exchanges under one time-out, answers
 * capped. Every error is a `TransportError` whose text names the host at most.
 */
export function createSender(options: {
  readonly clock: Clock;
  readonly version: string;
  readonly resolver: Names;
  readonly settings: () => SendSettings;
  /** Asked for the Services that tenants send to; without it they reach none. */
  readonly findService?: FindService;
  /** Whose the cluster's own addresses are, where they are of public ranges. */
  readonly ownerOf?: OwnerOf;
}): Sender {
  const userAgent = `Tocsin/${options.version} (kubernetes incident operator)`;
  // Exchanges under way end in their own time.
  const policies = new BoundedMap<string, Policy>(maxPolicies, ({ pool }) => void pool.close());

  function policyFor(
    allowance: Allowance,
    via: Via | undefined,
    limits: { timeoutMs: number; mostBytes: number },
    tls: ProviderTls | undefined,
  ): Policy {
    // Nobody's request goes over a connection that was made as somebody else.
    const key = JSON.stringify([allowance, via, limits, tls ? identityOf(tls) : null]);
    const known = policies.get(key);
    if (known) return known;
    const undecided = allowance.service?.undecided ?? false;
    const reach = { vet: createVet(allowance, options.ownerOf), resolver: options.resolver, undecided };
    const made = { reach, pool: connectionsUnder(reach, via, limits, tls ? { secureContext: secured(tls) } : {}), via };
    policies.set(key, made);
    return made;
  }

  /** The policy for a destination, under the settings as they are now. */
  async function ruled(hostname: string, provider: SendFor, mostBytes: number) {
    const { allPrivate, tenant, minTimeoutMs = 0, tls, podAgentOnly } = provider;
    const { timeoutMs: asked, proxyURL: proxy, allowedPrivateDestinations: cidrs } = options.settings();
    const proxyURL = podAgentOnly ? undefined : proxy;
    const timeoutMs = Math.max(asked, minTimeoutMs);
    const destination = { host: hostname, tenant, proxied: proxyURL !== undefined };
    const service = await namedService(destination, options.findService);
    // What a name is to the proxy, nobody here knows: a tenant chooses addresses, or names that belong to a product.
    const byAddress = !allPrivate && !isProductHost(hostname);
    const via = proxyURL === undefined ? undefined : { url: proxyURL, byAddress };
    return {
      policy: policyFor({ cidrs, allPrivate, service, podAgentOnly }, via, { timeoutMs, mostBytes }, tls),
      timeoutMs,
    };
  }

  return {
    converse:
      (provider) =>
      async ({ url: secret, ...conversation }): Promise<void> => {
        const url = socketAddress(openSecret(secret));
        const { policy, timeoutMs } = await ruled(url.hostname, provider, Number.POSITIVE_INFINITY);
        if (policy.via) await vetForProxy(policy.reach, url.hostname, policy.via);
        const { clock } = options;
        await converse(url, conversation, { dispatcher: policy.pool, clock, timeoutMs });
      },
    for:
      (provider) =>
      async (request): Promise<Answer> => {
        const opened = openRequest(request, userAgent);
        const most = mostSocketBytes(opened.maxAnswerBytes);
        const { policy, timeoutMs } = await ruled(opened.url.hostname, provider, most);
        return perform(opened, policy, timeoutMs, options.clock);
      },
    async close() {
      const pools = [...policies.values()].map(({ pool }) => pool.destroy());
      policies.clear();
      await Promise.all(pools);
    },
  };
}

/** The address of a WebSocket; an error that does not quote it, since it is a secret. */
function socketAddress(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'wss:') return url;
  throw new TransportError('BlockedAddress', 'the product named an address that is no WebSocket over TLS', false);
}

/** Tells when a request is put on a connection: what fails from then on may have arrived. */
class WriteWatcher extends DecoratorHandler {
  readonly #written: () => void;
  readonly #handler: Dispatcher.DispatchHandler;
  constructor(handler: Dispatcher.DispatchHandler, written: () => void) {
    super(handler);
    this.#handler = handler;
    this.#written = written;
  }
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#written();
    this.#handler.onRequestStart?.(controller, context);
  }
}

async function perform(
  { method, url, headers, body, secrets, maxAnswerBytes }: OpenedRequest,
  policy: Policy,
  timeoutMs: number,
  clock: Clock,
): Promise<Answer> {
  const deadline = new AbortController();
  let written = false;
  const dispatcher = policy.pool.compose(
    (dispatch) => (request, handler) =>
      dispatch(
        request,
        new WriteWatcher(handler, () => {
          written = true;
        }),
      ),
  );
  const cancel = clock.after(timeoutMs, () => deadline.abort());
  try {
    if (policy.via) await within(deadline.signal, vetForProxy(policy.reach, url.hostname, policy.via));
    const limits = { headersTimeout: 0, bodyTimeout: 0, signal: deadline.signal };
    // The client hears of the signal once it is connected; until then the deadline is ours to keep.
    const response = await within(deadline.signal, exchange(url, { method, headers, body, dispatcher, ...limits }));
    const text = await readBody(response.body, maxAnswerBytes);
    return answerOf(response.statusCode, response.headers, text, secrets, clock);
  } catch (error) {
    throw transportError(error, url.host, written, deadline.signal.aborted ? timeoutMs : undefined);
  } finally {
    cancel();
  }
}

/** What `work` comes to, or a rejection as soon as the signal fires; what it comes to after that is nobody's. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new Error('the time is over'));
  signal.addEventListener('abort', abort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The body as text, at most `maxBytes` of it; what is left is not waited for. */
async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
}

/**
 * What providers get to see: no secret of the request stands in it as it is. What they make of it, an outcome, quotes none however
 * it was written down.
 */
function answerOf(
  status: number,
  raw: Readonly<Record<string, string | string[] | undefined>>,
  text: string,
  secrets: SecretTexts,
  clock: Clock,
): Answer {
  const blank = createBlank({ whole: secrets.whole, pieces: [] });
  const blankPieces = createBlank({ whole: [], pieces: secrets.pieces });
  const headers = Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), blank(Array.isArray(value) ? value.join(', ') : value)]],
    ),
  );
  let body: string | undefined;
  const answer: Answer = {
    status,
    headers,
    // Few look at it: long lists are read as JSON.
    get body() {
      body ??= blank(text);
      return body;
    },
    json() {
      try {
        // Read before it is blanked: a number of it may be a part of a key, and must stay a number.
        return blankTexts(JSON.parse(text), blank);
      } catch {
        return undefined;
      }
    },
    outcome: (reading, ref) => blankReason(readAnswer(answer, reading, ref, clock.now()), blankPieces),
  };
  return answer;
}

/** A value of JSON with every text blanked; names of fields are texts too. */
function blankTexts(value: unknown, blank: Blank): unknown {
  if (typeof value === 'string') return blank(value);
  if (Array.isArray(value)) return value.map((item) => blankTexts(item, blank));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [blank(name), blankTexts(item, blank)]));
}

function transportError(error: unknown, host: string, written: boolean, timeoutMs: number | undefined): TransportError {
  if (timeoutMs !== undefined)
    return new TransportError('Timeout', `no whole answer from ${host} within ${timeoutMs / 1000} s`, written);
  // A refusal in the middle of connecting comes as itself or as a cause.
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if (at instanceof TransportError) return at;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error';
  const timedOut = code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
  return new TransportError(
    timedOut ? 'Timeout' : 'Unreachable',
    `${host} cannot be reached: ${whyUnreachable(code)}`,
    written,
  );
}
