import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A volume for state that is small, and fails in the ways disks do. */
export class Volume {
  /** Where it is mounted. */
  readonly path: string;
  readonly #filler: string;

  /** Whether this machine lets us mount one. */
  static get isPossible(): boolean {
    const found = (program: string): boolean => spawnSync('which', [program]).status === 0;
    const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
    return (
      isRoot && ['mkfs.ext4', 'chattr', 'fsfreeze', 'losetup'].every(found) && spawnSync('losetup', ['-f']).status === 0
    );
  }

  /** Makes and mounts one of so many MiB. */
  constructor(folder: string, mebibytes: number) {
    const image = join(folder, 'volume.img');
    this.path = join(folder, 'volume');
    this.#filler = join(this.path, 'filler');
    mkdirSync(this.path);
    run('truncate', '-s', `${mebibytes}M`, image);
    run('mkfs.ext4', '-q', '-m', '0', image);
    run('mount', '-o', 'loop', image, this.path);
  }

  /** Leaves no room. */
  fill(): void {
    const file = openSync(this.#filler, 'as');
    for (const bytes of [1024 * 1024, 4096, 512]) {
      const chunk = Buffer.alloc(bytes, 1);
      try {
        for (;;) writeSync(file, chunk);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
    closeSync(file);
  }

  /** Room again. */
  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  /** What is there can be read and not written, by programs that have it open too. */
  forbid(): void {
    run('chattr', '-R', '+i', this.path);
  }

  /** It can be written again. */
  allow(): void {
    run('chattr', '-R', '-i', this.path);
  }

  /** Whoever writes waits, and cannot even be killed. */
  freeze(): void {
    run('fsfreeze', '--freeze', this.path);
  }

  /** Writing goes on. */
  thaw(): void {
    run('fsfreeze', '--unfreeze', this.path);
  }

  /** Mounts it anew, as a node does that has seen errors of it. Nobody may have anything open for writing. */
  remount(mode: 'ro' | 'rw'): void {
    run('mount', '-o', `remount,${mode}`, this.path);
  }

  /** Takes it away, whatever state it is in. */
  remove(): void {
    spawnSync('fsfreeze', ['--unfreeze', this.path]);
    run('umount', this.path);
  }
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}
