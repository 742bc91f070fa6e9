import type { Decision } from '../../../src/model/incident.ts';
import { configurePro } from '../pro.ts';
import { handsOf, type Shared } from '../produced/hands.ts';
import { ServedKinds } from '../produced/served-kinds.ts';
import type { Message } from '../receiver.ts';
import { ready, startStage } from '../stage.ts';
import { clusterRuns } from './cluster-runs.ts';
import { Deadline, pass, type QuietRun } from './run.ts';
import { workloadRuns } from './workload-runs.ts';

/** How a run went: what it did, and what people were told of it, which must be nothing. */
export type Quiet = {
  readonly run: QuietRun;
  /** How often what was done, or why it could not be. */
  readonly did: string | { readonly failed: string };
  readonly told: readonly Message[];
  /** What was decided of it without telling anybody, for whoever looks for near misses. */
  readonly decisions: readonly Decision[];
};

export const quietRuns: readonly QuietRun[] = [...workloadRuns, ...clusterRuns];

/** Nodes for everybody, of 110 Pods each. */
const nodes = Array.from({ length: 8 }, (_, i) => `n${i + 1}`);
/** What is told late is told by then. */
const aftermathSeconds = 60;

/** Plays runs side by side on one real control plane with the real operator, on Pro, for so long. */
export async function playQuiet(
  seconds: number,
  say: (line: string) => void,
  runs: readonly QuietRun[] = quietRuns,
): Promise<readonly Quiet[]> {
  const stage = await startStage({ nodes, speed: 1 });
  const decisions: Decision[] = [];
  try {
    const licenseKeys = await configurePro(stage);
    const operator = await stage.startOperator({ licenseKeys, observe: ({ save }) => decisions.push(...save.audit) });
    await ready(stage, operator);
    const shared: Shared = {
      ...{ api: stage.client, kubelet: stage.kubelet, kinds: new ServedKinds(stage.client) },
      kubectl: (args, input) => stage.kubectl(args, input),
    };
    const over = new Deadline((seconds - aftermathSeconds) * 1000);
    const ended = await Promise.all(
      runs.map(async (run) => {
        const { hands } = handsOf(shared, run.ns);
        try {
          await hands.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: run.ns } });
          const did = await run.play(hands, over);
          say(`${run.ns}: ${did}`);
          return did;
        } catch (error) {
          const failed = error instanceof Error ? error.message : String(error);
          say(`${run.ns} failed: ${failed}`);
          return { failed };
        }
      }),
    );
    while (over.has(1)) await pass(1);
    await pass(aftermathSeconds);
    const isOf = (text: string, { ns }: QuietRun): boolean => text.includes(`/${ns}/`) || text.includes(`/${ns}-`);
    const messages = stage.receiver.messages.filter(({ incident }) => incident !== null);
    const owned = new Set<Message>();
    const quiet = runs.map((run, i) => {
      const told = messages.filter(({ incident }) => {
        const { kind, namespace, name } = incident?.root ?? { kind: '', namespace: '', name: '' };
        return isOf(`${kind}/${namespace ?? ''}/${name}`, run) || name === run.ns;
      });
      for (const message of told) owned.add(message);
      return { run, did: ended[i] ?? '', told, decisions: decisions.filter(({ root }) => isOf(root, run)) };
    });
    const others = messages.filter((message) => !owned.has(message));
    const nobody: QuietRun = { ns: '', what: 'of nothing that was played', play: () => Promise.resolve('') };
    return [...quiet, { run: nobody, did: 'nothing', told: others, decisions: [] }];
  } finally {
    await stage.stop();
  }
}
