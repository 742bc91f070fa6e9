import type { Finding } from '../../model/finding.ts';
import type { SignKind } from '../../model/sign.ts';
import type { ContainerState, PodView } from '../../world/kinds/workloads/pod.ts';
import { clocksMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { saysOf } from '../evidence/says.ts';
import { unreadyOf } from '../evidence/workload.ts';
import type { Rule } from '../rules/rule.ts';

/** What a program may say that reads files anew while it runs, and cannot do with them; its variables it reads once, and a bare fault is of its code. */
const ofSettings: ReadonlySet<SignKind> = new Set<SignKind>([
  ...(['KeyMissing', 'FileMissing', 'SettingsUnusable', 'CertificateInvalid'] as const),
]);

/** Whether the run of a container in which it failed first began after an instant, or it has never run. A start that is unknown counts as earlier. */
function ranSince({ restarts, running, terminated, last }: ContainerState, at: number): boolean {
  const now = terminated ?? running;
  // What waits for its next run has told of its last one only.
  if (restarts > 1 || (restarts === 1 && now === undefined)) return false;
  const first = restarts === 1 ? last : (now ?? last);
  return first?.startedAt === undefined ? restarts === 0 : first.startedAt >= at;
}

/**
 * Whether what fails can have read what was edited at an instant (epoch milliseconds): a run that began before has read what there was before.
 * Files may be read anew while a program runs, but then it says no other reason.
 */
export function canHaveRead(effect: Finding, { via }: Rule, editedAt: number, world: World): boolean {
  // Its variables, and most of its files, are read as it starts.
  if (via !== 'reads') return true;
  if (saysOf(effect, world).some(({ kind }) => ofSettings.has(kind))) return true;
  const at = editedAt - clocksMs;
  const isSince = ({ startedAt, createdAt, containers }: PodView): boolean =>
    (startedAt ?? createdAt) >= at ||
    containers.some(
      (container) => (effect.scope === undefined || container.name === effect.scope) && ranSince(container, at),
    );
  const pods = unreadyOf(effect, world);
  return pods.length === 0 || pods.some(isSince);
}
