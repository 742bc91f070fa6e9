/**
 * What the gates of honesty know of the explanation, in one place: which stories show its causes, and what it says at the end of one.
 * Change this file, and no other, when causes are declared in another way.
 */
import { readdirSync } from 'node:fs';
import type { Explanation } from '../../src/model/explanation.ts';
import { kindOf, type Ref } from '../../src/model/ref.ts';
import type { Proof, Story } from '../explain/proof.ts';
import { house } from '../explain/raw.ts';

export type House = ReturnType<typeof house>;

/** A way in which one object may be the cause of another's trouble: a story in which it is, and one in which it is not. */
export type Edge = { readonly id: string; readonly guilty: Story; readonly innocent: Story };

/** What is said of a cluster: who is blamed, how surely, and who suffers from it. */
export type Claim = {
  readonly root: Ref;
  readonly reason: Explanation['reason'];
  readonly confidence: Explanation['confidence'];
  readonly sufferers: readonly Ref[];
};

/** Proofs of the rules, and of what asks them by its Pods. */
const folders = ['proofs/', 'by-pods/'].map((folder) => new URL(`../explain/${folder}`, import.meta.url));

/** Every edge, by the proof that the tests of the explanation keep of it. */
export async function edges(): Promise<readonly Edge[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((file) => new URL(file, folder)),
  );
  return Promise.all(
    files.map(async (file) => {
      const { proof } = (await import(file.href)) as { readonly proof: Proof };
      const [folder, name] = file.pathname.replace(/\.ts$/, '').split('/').slice(-2);
      return { id: folder === 'proofs' ? `${name}` : `${name}, by its Pods`, guilty: proof.shows, innocent: proof.not };
    }),
  );
}

export const newHouse = (): House => house();

/** All that is claimed of a cluster now. */
export const claims = (k8s: House): readonly Claim[] =>
  k8s.explain().map(({ root, reason, confidence, members }) => ({
    ...{ root: root.ref, reason, confidence },
    sufferers: members.map(({ subject }) => subject.ref),
  }));

/** Kinds through which a workload is told: its own. */
const ownKinds: ReadonlySet<string> = new Set(['Pod', 'ReplicaSet', 'Deployment']);

/** Whether a ref is of the workload of a name: the Deployment, its revisions, their Pods. */
export const isOf = (ref: Ref, name: string): boolean =>
  ownKinds.has(kindOf(ref)) && (ref.split('/')[2] ?? '').startsWith(name);
