import { type Fields, given, listOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** A kind that Tocsin cannot see: its source (`pods`, `deployments.apps`), since when (epoch milliseconds), and why, as a reason of coverage. */
export type UnseenView = {
  readonly source: string;
  readonly since: number;
  readonly reason?: string;
  /** Without it nothing that is told is sure. */
  readonly required: boolean;
};

/**
 * Tocsin itself, by what it cannot see. It is no object of the API: the runtime puts what has become of its watches into this form,
 * so that it is judged, told and replayed like any other trouble.
 */
export type TocsinView = Meta & { readonly kind: 'Tocsin'; readonly unseen: readonly UnseenView[] };

function unseenOf(raw: Fields): readonly UnseenView[] {
  const [source, since] = [textOf(raw.source), timeOf(raw.since)];
  if (source === undefined || since === undefined) return [];
  return [{ source, since, required: raw.required === true, ...given({ reason: textOf(raw.reason) }) }];
}

/** What Tocsin cannot see; known by itself, not watched. */
export const tocsins: WatchedKind<TocsinView> = watched({
  group: '',
  kind: 'Tocsin',
  namespaced: false,
  fields: ({ raw }) => ({ unseen: listOf(raw.unseen).flatMap(unseenOf) }),
});
