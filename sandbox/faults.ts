import type { Attributes } from './access.ts';

/** Which requests a fault hits. All given fields must match; none given: every request for a resource. */
export type FaultMatch = {
  readonly verb?: string | readonly string[];
  /** Plural with group: `pods`, `deployments.apps`; a subresource after a slash: `pods/log`. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string;
  /** Only requests that concern no single namespace. */
  readonly clusterWide?: true;
  readonly name?: string;
};

/** What goes wrong. */
export type FaultEffect =
  /** 403, and access reviews say no. */
  | { readonly is: 'deny' }
  | {
      readonly is: 'status';
      readonly code: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The socket is destroyed before any answer. */
  | { readonly is: 'reset' }
  /** No answer, ever. */
  | { readonly is: 'hang' }
  /** The answer begins and nothing follows: a watch that is accepted and never fed. */
  | { readonly is: 'mute' }
  /** The answer comes late, by real time. */
  | { readonly is: 'delay'; readonly milliseconds: number }
  /** The socket is destroyed after so many bytes of the body. */
  | { readonly is: 'cut'; readonly afterBytes: number }
  /** A watch gets an ERROR event and ends. */
  | { readonly is: 'watchError'; readonly code: number; readonly reason: string; readonly message?: string };

/** Something that goes wrong with some requests. */
export type Fault = FaultMatch & {
  /** How many requests it hits before it ends; absent: until it is taken away. */
  readonly times?: number;
  readonly does: FaultEffect;
};

/** The faults in force. */
export type Faults = {
  /** Adds one; the returned function takes it away. */
  add(fault: Fault): () => void;
  /** What happens to this request: the first fault that matches, which is counted. */
  strike(request: Attributes): FaultEffect | undefined;
  /** Whether no `deny` matches; counts nothing. */
  allows(request: Attributes): boolean;
};

const among = (wanted: string | readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || (typeof wanted === 'string' ? wanted === value : wanted.includes(value));

const matches = (fault: FaultMatch, request: Attributes): boolean =>
  among(fault.verb, request.verb) &&
  among(fault.resource, request.resource) &&
  (fault.namespace === undefined || fault.namespace === request.namespace) &&
  (fault.clusterWide === undefined || (request.namespace ?? '') === '') &&
  (fault.name === undefined || fault.name === request.name);

/** No faults yet. */
export function createFaults(): Faults {
  const entries = new Set<{ readonly fault: Fault; left: number }>();
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      entries.add(entry);
      return () => entries.delete(entry);
    },
    strike(request) {
      for (const entry of entries) {
        if (!matches(entry.fault, request)) continue;
        entry.left -= 1;
        if (entry.left <= 0) entries.delete(entry);
        return entry.fault.does;
      }
      return undefined;
    },
    allows: (request) => ![...entries].some(({ fault }) => fault.does.is === 'deny' && matches(fault, request)),
  };
}
