import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeOf, type Platform, platforms } from '../../scripts/build/single.ts';
import { buildImage, type Image } from '../e2e/install-image.ts';
import type { Tools } from './tools.ts';

const project = resolve(import.meta.dirname, '../..');

/**
 * Pushes the image for both platforms, as the Dockerfile makes it, and resolves with its name by digest. The base image cannot be had on loopback: in
 * its place is a layer with the Node of the platform. Everything else is what a release has.
 */
export async function pushImage({ crane, registry }: Tools, image: Image, folder: string): Promise<string> {
  const name = `${registry}/tocsin`;
  const app = layer(image.root, folder, 'app');
  const parts: string[] = [];
  for (const [platform, { os, arch }] of Object.entries(platforms)) {
    const tag = `${name}:${arch}`;
    const base = layer(baseOf(platform as Platform, folder), folder, arch);
    await crane('append', '--new_layer', base, '--new_layer', app, '--new_tag', tag, '--platform', `${os}/${arch}`);
    const pairs = (flag: string, values: Readonly<Record<string, string>>): string[] =>
      Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
    await crane(
      ...['mutate', tag, '--tag', tag, '--set-platform', `${os}/${arch}`, '--user', image.user, '--workdir', '/app'],
      ...['--entrypoint', image.entrypoint.join(','), '--cmd', image.command.join(',')],
      ...pairs('--env', image.environment),
      ...pairs('--label', image.labels),
    );
    parts.push('--manifest', tag);
  }
  await crane('index', 'append', ...parts, '--tag', `${name}:index`);
  return `${name}@${(await crane('digest', `${name}:index`)).trim()}`;
}

/** The same files give the same layer. */
function layer(root: string, folder: string, name: string): string {
  const file = join(folder, `${name}.tar`);
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
  execFileSync('tar', [...same, '-cf', file, '-C', root, '.']);
  return file;
}

function baseOf(platform: Platform, folder: string): string {
  const root = join(folder, `base-${platform}`);
  mkdirSync(join(root, 'nodejs/bin'), { recursive: true });
  cpSync(join(nodeOf(platform, project, folder), 'bin/node'), join(root, 'nodejs/bin/node'));
  return root;
}

type Config = {
  readonly architecture: string;
  readonly config: {
    readonly User: string;
    readonly Env?: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
};

/** The image as somebody pulls it, by its digest, for a platform; its files in a folder of their own. */
export async function pullImage(
  { crane }: Tools,
  name: string,
  arch: string,
  folder: string,
): Promise<Image & { readonly architecture: string }> {
  const root = mkdtempSync(join(folder, 'pulled-'));
  const archive = `${root}.tar`;
  await crane('export', name, archive, '--platform', `linux/${arch}`);
  execFileSync('tar', ['-xf', archive, '-C', root]);
  const { architecture, config } = JSON.parse(await crane('config', name, '--platform', `linux/${arch}`)) as Config;
  const environment = Object.fromEntries(
    (config.Env ?? []).map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]),
  );
  return {
    ...{ root, architecture, base: '', user: config.User, labels: config.Labels },
    ...{ environment, entrypoint: config.Entrypoint, command: config.Cmd },
  };
}

/** Built anew from the same sources. */
export const rebuilt = (folder: string): Image => buildImage(mkdtempSync(join(folder, 'again-')));
