/** Every generated file but the registry. */
import { stringify } from 'yaml';
import { crdOf, objectSchema } from '../../src/api/crd.ts';
import { apiVersion, group, kindNames, kinds } from '../../src/api/group.ts';
import { manifestSchema } from '../../src/api/json-schema.ts';
import { resources } from '../../src/api/resources.ts';
import { mark } from './mark.ts';
import { referencePages } from './reference.ts';

/** Path from the top of the repository → text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const crds = kindNames.map(
    (kind) => [`crds/${group}_${kinds[kind].plural}.yaml`, crdText(crdOf(resources[kind]))] as const,
  );
  const samples = kindNames.map(
    (kind) => [`config/samples/${kinds[kind].singular}.yaml`, `# ${mark}\n${resources[kind].sample}`] as const,
  );
  const schemas = kindNames.map((kind) => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $comment: mark, title: kind };
    const text = JSON.stringify(
      { ...schema, ...manifestSchema(kind, apiVersion, objectSchema(resources[kind])) },
      null,
      1,
    );
    return [`docs/reference/schemas/${kinds[kind].singular}.schema.json`, `${text}\n`] as const;
  });
  const pages = referencePages().map(({ path, text }) => [`docs/reference/${path}`, text] as const);
  return new Map([...crds, ...samples, ...schemas, ...pages]);
}

/** YAML of a CRD, without line folding and anchors, so that differences read well. */
export function crdText(crd: object): string {
  return `# ${mark}\n${stringify(crd, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
