/**
 * What Tocsin relies on in an API server, as one suite that runs against the sandbox and against a real kube-apiserver:
 * the sandbox is only worth something as long as both pass.
 */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { controllerContract } from './contract-controllers.ts';
import { customResourceContract } from './contract-custom-resources.ts';
import { eventContract } from './contract-events.ts';
import { kubeletContract } from './contract-kubelet.ts';
import { listContract } from './contract-lists.ts';
import { storageContract } from './contract-storage.ts';
import { watchContract } from './contract-watches.ts';
import { workloadContract } from './contract-workloads.ts';
import { writeContract } from './contract-writes.ts';
import type { Environment } from './environment.ts';
import { createWorkbench, type Workbench } from './workbench.ts';

/** A part of the contract: registers its tests; the bench is there when they run. */
export type Chapter = (bench: () => Workbench) => void;

const chapters: readonly Chapter[] = [
  listContract,
  watchContract,
  writeContract,
  eventContract,
  customResourceContract,
  workloadContract,
  controllerContract,
  storageContract,
  kubeletContract,
];

/** Registers the whole contract for one kind of server. */
export function apiContract(name: string, start: () => Promise<Environment>): void {
  describe(`API contract: ${name}`, () => {
    let environment: Environment | undefined;
    let bench: Workbench | undefined;
    before(async () => {
      environment = await start();
      bench = createWorkbench(environment);
    });
    after(async () => environment?.stop());
    const present = (): Workbench => {
      assert.ok(bench, 'the server did not start');
      return bench;
    };
    for (const chapter of chapters) chapter(present);
  });
}
