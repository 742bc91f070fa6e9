import { mkdtempSync, promises, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../../../src/model/audit.ts';
import type { Files } from '../../../src/state/audit/audit-file.ts';
import { type AuditLine, lineOf } from '../../../src/state/audit/entries.ts';

/** A folder that is gone afterwards, and what the audit log in it holds. */
export function auditFolder(): Disposable & {
  readonly path: string;
  at(index?: number): string;
  texts(): readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-audit-'));
  const at = (index = 0): string => join(folder, index === 0 ? 'audit.jsonl' : `audit.jsonl.${index}`);
  const read = (index: number): readonly string[] => {
    try {
      return readFileSync(at(index), 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  };
  return {
    path: at(),
    at,
    // The oldest file first.
    texts: () => [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].flatMap(read),
    [Symbol.dispose]() {
      // Of processes that were killed.
      for (const handle of opened.splice(0)) void handle.close().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The file system as one process has it. */
export type Disk = Files & {
  /** While it is set, appending fails with this code, after `writesBytes`. */
  failWith?: string | undefined;
  failSyncWith?: string | undefined;
  writesBytes?: number | undefined;
  /** The process is killed: what it has begun ends, and nothing begins any more. */
  kill(): Promise<void>;
};

const opened: promises.FileHandle[] = [];

/** The real file system; while told so, appending or synchronization fails. */
export function faultyDisk(): Disk {
  const error = (code: string): Error => Object.assign(new Error(code), { code });
  const underWay = new Set<Promise<unknown>>();
  let isDead = false;
  function begin<T>(act: () => Promise<T>): Promise<T> {
    if (isDead) return new Promise(() => undefined);
    const acting = act();
    underWay.add(acting);
    acting.then(
      () => underWay.delete(acting),
      () => underWay.delete(acting),
    );
    return acting;
  }
  const disk: Disk = {
    lstat: promises.lstat,
    rename: (from, to) => begin(() => promises.rename(from, to)),
    unlink: (path) => begin(() => promises.unlink(path)),
    async kill() {
      isDead = true;
      await Promise.allSettled([...underWay]);
    },
    open: (...parameters: Parameters<Files['open']>) =>
      begin(async () => {
        const handle = await promises.open(...parameters);
        opened.push(handle);
        const append = handle.appendFile.bind(handle);
        const sync = handle.datasync.bind(handle);
        const truncate = handle.truncate.bind(handle);
        handle.truncate = (length) => begin(() => truncate(length));
        handle.appendFile = (text) =>
          begin(async () => {
            if (disk.failWith === undefined) return append(text);
            // A full disk takes what it has room for.
            await append(String(text).slice(0, disk.writesBytes ?? 0));
            throw error(disk.failWith);
          });
        handle.datasync = () =>
          begin(async () => {
            if (disk.failSyncWith !== undefined) throw error(disk.failSyncWith);
            await sync();
          });
        return handle;
      }),
  };
  return disk;
}

/** An entry that says its number. */
export function entry(number: number, says = ''): AuditEntry {
  return {
    ...{ kind: 'decision', time: '2026-11-20T09:00:00.000Z', incident: `i${number}`, action: 'open', audience: '' },
    ...{ from: 'Settling', to: 'Open', disposition: 'Delivered', reasonCode: 'Settled', root: 'Deployment/shop/api' },
    ...{ reason: 'CrashLoopBackOff', severity: 'high', confidence: 'high', affected: 1 },
    trace: [{ rule: 'own', about: 'Deployment/shop/api', says }],
  };
}

/** Lines of one run, numbered from `first`. */
export function lines(first: number, count: number, run = 'r1'): readonly AuditLine[] {
  return Array.from({ length: count }, (_, index) => lineOf(run, first + index, entry(first + index)));
}

/** What a text says of the line: its kind, and the number of a decision. */
export function brief(text: string): string {
  const { kind, incident, lost, reason, held } = JSON.parse(text);
  return kind === 'decision'
    ? incident
    : [kind, lost ?? (kind === 'stopped' ? reason : held)].filter((part) => part !== undefined).join(' ');
}
