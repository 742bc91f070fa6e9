/** The thread that saves state is a program of its own: one small file beside the bundle, where `src/state/thread.ts` looks for it. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles it into `folder`. */
export async function buildStateWorker(root: string, folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'src/state/worker.ts')],
    outfile: join(folder, 'state-worker.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifyWhitespace: true,
    minifySyntax: true,
    absWorkingDir: root,
  });
}
