/**
 * Something the core remembers besides incidents: a count, a throttle, whom it told of the start. `value` is plain JSON, saved
 * as it is and not changed afterwards; without it, what was remembered under topic and key is forgotten.
 */
export type Memo = { readonly topic: string; readonly key: string; readonly value?: unknown };
