/** Which requests a fault hits. All given fields must match; none given: every request. */
export type FaultMatch = {
  readonly verb?: string | readonly string[];
  /** Plural with group: `pods`, `deployments.apps`; a subresource after a slash: `pods/log`. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string;
  readonly name?: string;
};

/** What goes wrong. */
export type Fault = FaultMatch & {
  /** How many requests it hits before it ends; absent: until it is taken away. */
  readonly times?: number;
  readonly does:
    | /** 403, and access reviews say no. */ { readonly is: 'deny' }
    | {
        readonly is: 'status';
        readonly code: number;
        readonly reason?: string;
        readonly message?: string;
        readonly retryAfterSeconds?: number;
      }
    | /** The socket is destroyed before any answer. */ { readonly is: 'reset' }
    | /** No answer, ever. */ { readonly is: 'hang' }
    | /** The answer comes late, by real time. */ { readonly is: 'delay'; readonly milliseconds: number }
    | /** The socket is destroyed after so many bytes of the body. */ {
        readonly is: 'cut';
        readonly afterBytes: number;
      }
    | /** A watch gets an ERROR event and ends. */ {
        readonly is: 'watchError';
        readonly code: number;
        readonly reason: string;
        readonly message?: string;
      };
};
