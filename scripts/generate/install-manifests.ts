/** What `tocsin install` applies besides the four kinds, out of `config/`: the program holds it, so that it needs no file and no network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { mark } from './mark.ts';

const config = join(import.meta.dirname, '../../config');

/** `src/cli/install/manifests.json`: the objects of `config/default` in the order in which they are applied, and those of `config/settings`. */
export function installManifests(): string {
  const installed = [
    ...documentsOf('default/namespace.yaml'),
    ...['rbac', 'manager'].flatMap((folder) => resourcesOf(folder).flatMap((file) => documentsOf(`${folder}/${file}`))),
  ];
  const settings = resourcesOf('settings').flatMap((file) => documentsOf(`settings/${file}`));
  return `${JSON.stringify({ $comment: mark, installed, settings }, undefined, 1)}\n`;
}

function resourcesOf(folder: string): readonly string[] {
  const read: unknown = parse(readFileSync(join(config, folder, 'kustomization.yaml'), 'utf8'));
  return (read as { readonly resources: readonly string[] }).resources;
}

const documentsOf = (file: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(config, file), 'utf8')).map((document): unknown => document.toJS());
