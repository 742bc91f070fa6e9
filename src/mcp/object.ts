import type { Seen } from '../diagnose/diagnosis.ts';
import { kindNameOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Why } from '../model/why.ts';

/** `deployment/shop/api`, `node/n1`: as one asks for it. */
export function pathOf(ref: Ref): string {
  const namespace = namespaceOf(ref);
  return [kindNameOf(ref).toLowerCase(), ...(namespace === '' ? [] : [namespace]), nameOf(ref)].join('/');
}

/** A question that says too little, with the objects that may be meant. */
export type Unclear = { readonly unclear: string; readonly candidates: readonly string[] };

/** What is known of an object or an incident that is asked for as people write it. `at`: a time (epoch milliseconds). */
export function asked({ view, now }: Seen, object: string, namespace: string | undefined, at = now): Why | Unclear {
  const answer = view.why({ object, ...(namespace !== undefined && { namespace }) }, now, at);
  if (!('unclear' in answer)) return answer;
  return { unclear: answer.unclear, candidates: (answer.candidates ?? []).slice(0, 20).map(pathOf) };
}
