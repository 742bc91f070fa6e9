import type { Delivery } from '../../model/delivery.ts';
import type { Ref } from '../../model/ref.ts';
import type { Effects } from '../../model/turn.ts';

/** A message as it left. `at`: epoch milliseconds. */
export type Message = Pick<Delivery, 'provider' | 'act' | 'alertKey' | 'notification'> & { readonly at: number };

/** What became of one message. `where`: of which provider. */
export type Difference =
  | { readonly is: 'gone'; readonly before: Message }
  | { readonly is: 'new'; readonly after: Message }
  /** It says something else. */
  | { readonly is: 'changed'; readonly before: Message; readonly after: Message }
  /** It says the same at another time. */
  | { readonly is: 'moved'; readonly before: Message; readonly after: Message };

/** Collects what a run sends, in the words in which it leaves. */
export class Messages {
  readonly #sent = new Map<string, Delivery>();

  /** Takes what one turn sends, says in other words, or does not send after all. */
  take({ save: { enqueue, replace, drop } }: Effects): void {
    for (const delivery of enqueue) if (!delivery.unsent) this.#sent.set(delivery.id, delivery);
    for (const delivery of replace) if (this.#sent.has(delivery.id)) this.#sent.set(delivery.id, delivery);
    for (const id of drop) this.#sent.delete(id);
  }

  /** In the order in which they leave. */
  all(): readonly Message[] {
    return [...this.#sent.values()]
      .map(({ provider, act, alertKey, notification, createdAt, notBefore }) => ({
        ...{ provider, act, alertKey, notification },
        at: Math.max(createdAt, notBefore),
      }))
      .toSorted((a, b) => a.at - b.at);
  }
}

/** What is different in the messages of two runs, in the order of time; what is the same to the byte is not listed. */
export function differencesOf(before: readonly Message[], after: readonly Message[]): readonly Difference[] {
  const [was, is] = [numbered(before), numbered(after)];
  const found: Difference[] = [];
  for (const [key, message] of was) {
    const other = is.get(key);
    if (other === undefined) found.push({ is: 'gone', before: message });
    else if (says(message) !== says(other)) found.push({ is: 'changed', before: message, after: other });
    else if (message.at !== other.at) found.push({ is: 'moved', before: message, after: other });
  }
  for (const [key, message] of is) if (!was.has(key)) found.push({ is: 'new', after: message });
  return found.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** When the first of what is compared left (epoch milliseconds). */
export function timeOf(difference: Difference): number {
  return difference.is === 'new' ? difference.after.at : difference.before.at;
}

/** Each message by whom and what it is about, and the how manieth of its kind it is there. */
function numbered(messages: readonly Message[]): ReadonlyMap<string, Message> {
  const counts = new Map<string, number>();
  return new Map(
    messages.map((message) => {
      const key: readonly [Ref, string, string] = [message.provider, message.alertKey, message.act];
      const one = key.join(' ');
      const number = (counts.get(one) ?? 0) + 1;
      counts.set(one, number);
      return [`${one} ${number}`, message];
    }),
  );
}

/** All that a message says, without when. */
function says({ notification: { at: _, incident, ...words } }: Message): string {
  if (incident === undefined) return JSON.stringify(words);
  const { updatedAt: _updated, resolvedAt: _resolved, ...face } = incident;
  return JSON.stringify([words, face]);
}
