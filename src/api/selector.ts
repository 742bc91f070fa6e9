import type { TypeOf } from '../model/schema.ts';
import type { Selector } from '../model/selector.ts';
import type { selector } from './schema/common.ts';

/** A selector as the resources write it. */
export type SelectorSpec = TypeOf<ReturnType<typeof selector>>;

/** The selector of a resource for the core: empty fields left out, since an empty list means no restriction. */
export function selectorOf(spec: SelectorSpec | undefined): Selector {
  const given = Object.entries(spec ?? {}).filter(([, value]) => Object.keys(value ?? {}).length > 0);
  return Object.fromEntries(given);
}
