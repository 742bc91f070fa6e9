import { type Fields, fieldsOf, textOf } from './fields.ts';

/** What the metadata of an object tells of the tool that applies it. */
type Marks = { readonly labels: Fields; readonly annotations: Fields };

const ofFlux =
  (kind: string, prefix: string) =>
  ({ labels }: Marks): string => {
    const [name, namespace] = [textOf(labels[`${prefix}/name`]), textOf(labels[`${prefix}/namespace`])];
    return name === undefined
      ? `Flux ${kind}`
      : `Flux ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  };

/** `shop:apps/Deployment:shop/api`, or `team_shop:…` with the namespace of the application. */
function argoApplication({ labels, annotations }: Marks): string {
  const tracked = textOf(annotations['argocd.argoproj.io/tracking-id'])?.split(':')[0]?.replace('_', '/');
  const name = tracked ?? textOf(labels['argocd.argoproj.io/instance']) ?? textOf(labels['app.kubernetes.io/instance']);
  return name === undefined ? 'Argo CD' : `Argo CD application ${name}`;
}

function helmRelease({ annotations }: Marks): string {
  const name = textOf(annotations['meta.helm.sh/release-name']);
  return name === undefined ? 'Helm' : `Helm release ${name}`;
}

/**
 * Tools that apply what others wrote, by their field managers: people know the application or release, not the controller
 * (Argo CD `ArgoCDSSAManager` and its user agent; Flux's field managers; Helm's since 3.0).
 */
const tools: readonly { readonly manager: RegExp; readonly author: (marks: Marks) => string }[] = [
  { manager: /^argocd-(?:application-)?controller$/, author: argoApplication },
  { manager: /^kustomize-controller$/, author: ofFlux('Kustomization', 'kustomize.toolkit.fluxcd.io') },
  { manager: /^helm-controller$/, author: ofFlux('HelmRelease', 'helm.toolkit.fluxcd.io') },
  { manager: /^helm$/i, author: helmRelease },
];

/** Who made an edit, as people know them: the application or release behind a tool, else the field manager as it is. */
export function authorOf(raw: Fields, manager: string | undefined): string | undefined {
  const tool = manager === undefined ? undefined : tools.find((row) => row.manager.test(manager));
  if (!tool) return manager;
  const { labels, annotations } = fieldsOf(raw.metadata);
  return tool.author({ labels: fieldsOf(labels), annotations: fieldsOf(annotations) });
}
