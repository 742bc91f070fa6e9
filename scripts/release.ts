/**
 * Makes what a release offers besides its image, into dist/release: after `make build`,
 *   node scripts/release.ts --image ghcr.io/example/tocsin@sha256:… --url https://…/releases/download/v0.1.0
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { singleExecutables } from './build/single.ts';
import { releaseAssets } from './release/assets.ts';

const { values } = parseArgs({ options: { image: { type: 'string' }, url: { type: 'string' } } });
const { image, url } = values;
if (image === undefined || url === undefined || !/^\S+@sha256:[0-9a-f]{64}$/.test(image) || !URL.canParse(url)) {
  console.error('usage: node scripts/release.ts --image NAME@sha256:DIGEST --url ADDRESS (where the assets will be)');
  process.exit(2);
}
const root = resolve(import.meta.dirname, '..');
const { version, description } = packageJson;
const made = releaseAssets({
  ...{ root, dist: join(root, 'dist'), target: join(root, 'dist/release') },
  ...{ image, url, version, description, executables: await singleExecutables(root, join(root, 'dist/single')) },
});
for (const file of made) console.log(`dist/release/${file}`);
