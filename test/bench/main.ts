/** Runs every benchmark of this folder, one process each, and names the machine: figures mean nothing without it. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';

const [cpu] = cpus();
const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
console.log(
  `Node ${process.version}, ${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GiB`,
);

for (const file of globSync('*.ts', { cwd: import.meta.dirname }).sort()) {
  if (file === 'main.ts') continue;
  console.log(`\n# ${file.replace(/\.ts$/, '')}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', join(import.meta.dirname, file)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
