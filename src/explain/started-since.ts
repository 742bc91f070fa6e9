import type { Finding } from '../model/finding.ts';
import type { SignKind } from '../model/sign.ts';
import type { ContainerState, PodView } from '../world/kinds/pod.ts';
import type { World } from '../world/world.ts';
import { unreadyOf } from './requirements/requirement.ts';
import type { Rule } from './rule.ts';
import { saysOf } from './says.ts';

/** Clocks of kubelets, of the API server and of whoever wrote an edit may differ by so much (ms). */
export const clocksMs = 5_000;

/** What a program may say that reads settings anew while it runs, and cannot do with them; a bare fault of its code may be due to anything. */
const ofSettings: ReadonlySet<SignKind> = new Set<SignKind>([
  ...(['VariableMissing', 'KeyMissing', 'FileMissing', 'SettingsUnusable', 'CertificateInvalid'] as const),
  ...(['Panic', 'UncaughtException'] as const),
]);

/** Whether the run of a container in which it failed first began after an instant, or it has never run. What is not known did not. */
function ranSince({ restarts, running, terminated, last }: ContainerState, at: number): boolean {
  if (restarts > 1) return false;
  const first = restarts === 0 ? (terminated ?? running) : (last ?? terminated);
  return first?.startedAt === undefined ? restarts === 0 : first.startedAt >= at;
}

/**
 * Whether what fails can have read what was edited at an instant (epoch milliseconds): a run that began before has read what there was before.
 * Files may be read anew while a program runs, but then it says no other reason.
 */
export function canHaveRead(effect: Finding, { via }: Rule, editedAt: number, world: World): boolean {
  // Its variables, and most of its files, are read as it starts.
  if (via !== 'uses') return true;
  const said = saysOf(effect, world);
  if (said.length === 0 || said.some(({ kind }) => ofSettings.has(kind))) return true;
  const at = editedAt - clocksMs;
  const isSince = ({ startedAt, createdAt, containers }: PodView): boolean =>
    (startedAt ?? createdAt) >= at ||
    containers.some(
      (container) => (effect.scope === undefined || container.name === effect.scope) && ranSince(container, at),
    );
  const pods = unreadyOf(effect, world);
  return pods.length === 0 || pods.some(isSince);
}
