/**
 * Prints the Dockerfile with every base image by the digest that its tag has now: node scripts/pin-images.ts > Dockerfile.release
 * It asks the registries through `docker buildx`, so that whoever builds says which ones are trusted.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8');

/** The digest of an image for all its platforms. */
function digestOf(image: string): string {
  const asked = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const { status, stdout, stderr } = spawnSync('docker', asked, { encoding: 'utf8' });
  const digest = stdout?.trim() ?? '';
  if (status === 0 && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  console.error(`the digest of ${image} cannot be had: ${stderr || digest || 'is docker buildx there?'}`);
  process.exit(1);
}

process.stdout.write(
  text.replaceAll(/^(FROM (?:--platform=\S+ )?)([^\s@]+)(?:@\S+)?(?=\s|$)/gm, (_, from: string, image: string) => {
    return `${from}${image}@${digestOf(image)}`;
  }),
);
