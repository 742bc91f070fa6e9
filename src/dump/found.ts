/** The container that a log is of. */
export type LogPlace = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** It is of the run before the present one. */
  readonly previous: boolean;
};

/** What stands in one file of a dump, piece by piece. */
export type Found =
  /** A value by itself, or an item of a list; `listKind`: of a list whose items need not say what they are. */
  | { readonly is: 'value'; readonly value: unknown; readonly listKind?: string }
  /** A list is complete. */
  | { readonly is: 'list'; readonly kind: string }
  /** The end of a container's log. */
  | { readonly is: 'log'; readonly place: LogPlace; readonly tail: Buffer }
  | { readonly is: 'flaw'; readonly says: string };
