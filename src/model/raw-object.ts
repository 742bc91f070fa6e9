/** A Kubernetes object as the API sent it. */
export type RawObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

/** One change of one object. `put`: it is so now. `gone`: it does not exist any more (only the metadata may be known). */
export type ObjectEvent = { readonly is: 'put' | 'gone'; readonly raw: RawObject };
