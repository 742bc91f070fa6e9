import { features } from '../../model/edition.ts';
import { describeRef } from '../../model/ref.ts';
import type { Severity } from '../../model/severity.ts';
import { type FallThrough, fallThrough } from '../rules/fall-through.ts';
import { type RouteProblem, type RouteSurroundings, routeProblems } from '../rules/routes.ts';
import { type ConfigSettings, routesOf } from '../settings.ts';
import { asProvider, type Draft } from './draft.ts';
import type { LintRule, Remark } from './remark.ts';

const inert = features.routes.without.replace('Routes', 'without a licence, routes').replace(/\.$/, '');

/** The rule that says it; what makes a selector impossible is said of every selector. */
const ruleOf: Readonly<Record<Exclude<RouteProblem['is'], 'Impossible'>, LintRule>> = {
  SeverityOverridden: 'SeverityOverridden',
  Needless: 'Unreachable',
  Filtered: 'Filtered',
  OtherNamespace: 'OutOfScope',
};

function remarkOf({ is, path, message }: RouteProblem): readonly Remark[] {
  return is === 'Impossible' ? [] : [{ rule: ruleOf[is], path: `spec.routes${path}`, message }];
}

/** `all of severity medium; of high for example OOMKilled of Deployment shop/a`. */
function describe({ whole, examples }: FallThrough): string {
  return [
    ...(whole.length > 0 ? [`all that is ${whole.join(' or ')}`] : []),
    ...examples.map(({ severity, reason, root }) => `of ${severity} for example ${reason} of ${describeRef(root.ref)}`),
  ].join('; ');
}

/** What is low is never urgent: that nobody gets it alone is no mistake. */
const matters = ({ whole, examples }: FallThrough): boolean => {
  const left: readonly Severity[] = [...whole, ...examples.map(({ severity }) => severity)];
  return left.some((severity) => severity !== 'low');
};

/** Remarks on the routes of all AlertProviders together, each with the draft it belongs to. */
export function routeRemarks(
  drafts: readonly Draft[],
  config: ConfigSettings,
  operatorNamespace: string,
): readonly { readonly draft: Draft; readonly remark: Remark }[] {
  const providers = drafts.filter(({ manifest }) => manifest.kind === 'AlertProvider');
  const rows = providers
    .filter(({ readable }) => readable)
    .map((draft) => ({ draft, object: asProvider(draft) }))
    .filter(({ object }) => object.spec.suspend !== true)
    .map(({ draft, object: { metadata, spec } }) => ({
      ...{ draft, namespace: metadata.namespace, routes: routesOf(spec) },
    }));
  const own = rows.flatMap(({ draft, namespace, routes }) => {
    const around: RouteSurroundings = {
      ...{ filters: config.filters, overrides: config.detection.overrides },
      ...(namespace !== operatorNamespace && { tenant: namespace }),
    };
    const remarks = routeProblems(routes, around).flatMap(remarkOf);
    if (routes.length > 0)
      remarks.push({
        rule: 'NotLicensed',
        path: 'spec.routes',
        message: inert,
      });
    return remarks.map((remark) => ({ draft, remark }));
  });
  const cluster = rows.filter(({ namespace }) => namespace === operatorNamespace);
  const isKnown = providers.every(({ readable }) => readable);
  const [speaker] = cluster.filter(({ draft }) => !draft.manifest.background);
  if (!isKnown || speaker === undefined || cluster.some(({ routes }) => routes.length === 0)) return own;
  const left = fallThrough(
    cluster.flatMap(({ routes }) => routes),
    config.filters,
  );
  if (!matters(left)) return own;
  const message = `no route of these AlertProviders takes ${describe(left)}: where they are all, nobody is told of that; let one AlertProvider without \`routes\` take the rest, or add a route for it`;
  return [...own, { draft: speaker.draft, remark: { rule: 'NoRoute', path: 'spec.routes', message } }];
}
