/** Bundles the operator and its commands into one file, as the image ships it: dist/tocsin.mjs. */
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

const result = await build({
  entryPoints: [join(root, 'src/main.ts')],
  outfile: join(root, 'dist/tocsin.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  metafile: true,
  alias: { gaxios: join(root, 'scripts/build/no-http-client.cjs') },
  // Packages that are CommonJS inside ask for `require`, and some for the path of their own file.
  banner: {
    js: [
      '#!/usr/bin/env node',
      "import { createRequire as __createRequire } from 'node:module';",
      "import { fileURLToPath as __fileURLToPath } from 'node:url';",
      'const require = __createRequire(import.meta.url);',
      'const __filename = __fileURLToPath(import.meta.url);',
      "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
    ].join('\n'),
  },
});

const [output] = Object.values(result.metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
console.log(`dist/tocsin.mjs: ${((output?.bytes ?? 0) / 1024 / 1024).toFixed(1)} MiB`);
