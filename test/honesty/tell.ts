import type { RawObject } from '../../src/model/raw-object.ts';
import type { Story } from '../explain/proof.ts';
import { type House, newHouse } from './adapter.ts';

/** Something that happens besides, at an instant (epoch milliseconds) of a story. */
export type Aside = { readonly at: number; readonly does: (k8s: House) => void };

/** What becomes of objects on their way into the cluster: they go, or others come along with them. */
export type Passing = (raws: readonly RawObject[], now: number) => readonly RawObject[];

/** Tells a story in which other things happen as well, each at its time, and returns the cluster at its end. */
export function tellWith({ tell }: Story, asides: readonly Aside[], passing: Passing = (raws) => raws): House {
  const k8s = newHouse();
  const due = asides.toSorted((a, b) => a.at - b.at);
  const until = (now: number): void => {
    for (let next = due[0]; next !== undefined && next.at <= now; next = due[0]) {
      due.shift();
      k8s.wait(next.at);
      next.does(k8s);
    }
  };
  const stage: House = {
    ...k8s,
    put(now, ...raws) {
      until(now);
      k8s.put(now, ...passing(raws, now));
    },
    gone(now, ...raws) {
      until(now);
      k8s.gone(now, ...passing(raws, now));
    },
    hear(now, ...said) {
      until(now);
      k8s.hear(now, ...said);
    },
    wait(now) {
      until(now);
      k8s.wait(now);
    },
  };
  tell(stage);
  until(Number.POSITIVE_INFINITY);
  return k8s;
}
