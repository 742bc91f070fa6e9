import type { Ref } from './ref.ts';

/** Labels of an object, as in `metadata.labels`. */
export type Labels = Readonly<Record<string, string>>;

/**
 * All that a selector needs to know of an object. `node`: the Node a Pod runs on, or the Node itself. `owner`: who answers for it, as it, its
 * controllers or its Namespace say.
 */
export type Subject = { readonly ref: Ref; readonly labels: Labels; readonly node?: string; readonly owner?: string };
