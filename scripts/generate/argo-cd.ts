import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { group, kindNames } from '../../src/api/group.ts';
import { mark } from './mark.ts';

/** The script, for a patch of Argo CD's settings: `resource.customizations.health.<group>_<kind>`, as it wants one for each kind. */
export function argoCDSettings(): string {
  const script = readFileSync(join(import.meta.dirname, '../../config/argocd/health.lua'), 'utf8');
  const indented = script.replaceAll(/^(?=.)/gm, '    ');
  const keys = kindNames.map((kind) => `  resource.customizations.health.${group}_${kind}: |\n${indented}`);
  return `# ${mark}
# How healthy the four kinds are, for Argo CD: kubectl -n argocd patch configmap argocd-cm --patch-file config/argocd/settings.yaml
data:
${keys.join('')}`;
}
