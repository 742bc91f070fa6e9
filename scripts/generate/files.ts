/** Every generated file but the registry. */

import { Document, isMap, isScalar, visit, type YAMLMap } from 'yaml';
import { crdOf } from '../../src/api/crd.ts';
import { group, kindNames, kinds } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import { argoCDSettings } from './argo-cd.ts';
import { auditSchema } from './audit-schema.ts';
import { capabilitiesPage } from './capabilities.ts';
import { chartFiles } from './chart.ts';
import { dashboard } from './dashboard.ts';
import { detectorCasesPage } from './detector-cases.ts';
import { detectorsPage } from './detectors-page.ts';
import { editorSchema } from './editor-schema.ts';
import { galleryPage } from './gallery-page.ts';
import { installManifests } from './install-manifests.ts';
import { mark } from './mark.ts';
import { messagesPage } from './messages-page.ts';
import { notice } from './notice.ts';
import { olmFiles } from './olm.ts';
import { metricsPage, prometheusRule } from './prometheus.ts';
import { referencePages } from './reference.ts';

/** Path from the top of the repository → text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const crds = kindNames.map(
    (kind) => [`crds/${group}_${kinds[kind].plural}.yaml`, crdText(crdOf(resources[kind]))] as const,
  );
  const samples = kindNames.map(
    (kind) => [`config/samples/${kinds[kind].singular}.yaml`, `# ${mark}\n${resources[kind].sample}`] as const,
  );
  const schemas = kindNames.map(
    (kind) => [`docs/reference/schemas/${kinds[kind].singular}.schema.json`, editorSchema(kind)] as const,
  );
  const pages = referencePages().map(({ path, text }) => [`docs/reference/${path}`, text] as const);
  const detectors = [
    ['docs/detectors.md', detectorsPage()],
    ['docs/contributing/detectors-cases.md', detectorCasesPage()],
  ] as const;
  const capabilities = ['docs/capabilities.md', capabilitiesPage()] as const;
  const messages = ['docs/contributing/messages.md', messagesPage()] as const;
  const gallery = ['docs/gallery.md', galleryPage()] as const;
  const audit = ['docs/audit.schema.json', `${JSON.stringify(auditSchema(), null, 1)}\n`] as const;
  const named = new Map(crds.map(([path, text]) => [path.replace('crds/', ''), text]));
  const chart = chartFiles(named);
  const olm = olmFiles(named);
  const manifests = ['src/cli/install/manifests.json', installManifests()] as const;
  const argoCD = ['config/argocd/settings.yaml', argoCDSettings()] as const;
  const metrics = [
    ['config/prometheus/prometheus-rule.yaml', prometheusRule()],
    ['docs/reference/metrics.md', metricsPage()],
    ['config/grafana/tocsin.json', dashboard()],
  ] as const;
  return new Map([
    ...chart,
    ...olm,
    ['NOTICE', notice()] as const,
    manifests,
    argoCD,
    ...metrics,
    ...crds,
    ...samples,
    ...schemas,
    ...pages,
    ...detectors,
    capabilities,
    messages,
    gallery,
    audit,
  ]);
}

/** YAML of a CRD: fields without fields of their own on one line, which reads well and halves the file. */
export function crdText(crd: object): string {
  const document = new Document(crd, { aliasDuplicateObjects: false });
  visit(document, {
    Map: (_key, map) => {
      if (isLeafSchema(map)) map.flow = true;
    },
  });
  return `# ${mark}\n${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}

/** A schema of a single value. */
function isLeafSchema(map: YAMLMap): boolean {
  const keys = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
  return keys.includes('description') && !keys.some((key) => nesting.has(key)) && isMap(map);
}

const nesting = new Set(['properties', 'items', 'additionalProperties', 'jsonPath', 'x-kubernetes-validations']);
