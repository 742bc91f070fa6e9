import { shortHash } from '../../model/hash.ts';
import { AuditFile } from '../../state/audit/audit-file.ts';
import { auditOutput } from '../../state/audit/audit-output.ts';
import { Auditing } from '../../state/audit/auditing.ts';
import type { ActiveOperatorOptions } from './options.ts';

/** Makes the audit log of this process, and lets people know how it is: the log, the metrics, the AlertConfig. */
export function createAuditing(
  { clock, holdsLock, identity, log, metrics, output, random, version }: ActiveOperatorOptions,
  clusterId: string,
  parts: { readonly committed: () => Promise<void> | undefined; readonly changed: () => void },
): Auditing {
  metrics.set('tocsin_audit_failing', {}, 0);
  return new Auditing({
    clock,
    holdsLock,
    committed: parts.committed,
    // Nobody else's, not even that of a process before it under the same name.
    run: shortHash(['run', identity, clock.now(), random()]),
    about: { tocsin: version, cluster: clusterId },
    sink: (path, repaired) =>
      path === '-' ? auditOutput(output ?? process.stdout) : new AuditFile(path, { repaired }),
    count: (outcome, lines) => metrics.add('tocsin_audit_lines_total', { outcome }, lines),
    changed(path, failure) {
      metrics.set('tocsin_audit_failing', {}, failure === undefined ? 0 : 1);
      if (failure === undefined) log.info({ path }, 'the audit log is written again');
      else log.warn({ path }, `the audit log cannot be written: ${failure}; what happens meanwhile is held in memory`);
      parts.changed();
    },
  });
}
