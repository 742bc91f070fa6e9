/** A tool's way to write a cluster down. */
export type Format = {
  readonly name: string;
  /** The path of a file that only this format has. */
  readonly sign: RegExp;
  /** The path of a list, with the namespace that it is all of. */
  readonly namespace: RegExp;
  /** Kinds without namespaces of which it holds every object, each in a file of its own: none, where there is no such file. */
  readonly clusterScoped?: readonly string[];
};

const formats: readonly Format[] = [
  {
    name: 'OpenShift Insights archive',
    sign: /(?:^|\/)(?:insights-operator\/|config\/(?:pod|node|clusteroperator|version)(?:\/|\.json))/,
    // It picks what is broken, but for these (insights-operator, gather_nodes.go, gather_cluster_storageclass.go).
    namespace: /(?!)/,
    clusterScoped: ['Node', 'StorageClass'],
  },
  {
    name: 'Troubleshoot support bundle',
    sign: /(?:^|\/)cluster-resources\//,
    namespace: /(?:^|\/)cluster-resources\/[^/]+\/([^/]+)\.json$/,
  },
  {
    name: 'must-gather',
    sign: /(?:^|\/)(?:cluster-scoped-resources\/|namespaces\/[^/]+\/(?:core|apps|batch|pods)\/)/,
    namespace: /(?:^|\/)namespaces\/([^/]+)\/[^/]+\/[^/]+\.yaml$/,
    // openshift/must-gather, collection-scripts/gather: the namespaces are those that were asked for.
    clusterScoped: [
      ...[
        'Node',
        'StorageClass',
        'PersistentVolume',
        'VolumeAttachment',
        'CSIDriver',
        'CSINode',
        'VolumeSnapshotContent',
      ],
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService', 'CertificateSigningRequest'],
    ],
  },
  {
    name: 'kubectl cluster-info dump',
    sign: /(?:^|\/)[^/]+\/(?:replication-controllers\.(?:json|ya?ml)|[^/]+\/logs\.txt)$/,
    namespace: /(?:^|\/)([^/]+)\/[^/]+\.(?:json|ya?ml)$/,
  },
];

/** The format that a file belongs to by its path; `undefined`: it may be of any. */
export function formatOf(path: string): Format | undefined {
  return formats.find(({ sign }) => sign.test(path));
}

/** The namespace of which a list in a file of this format holds everything; `undefined`: that is not known. */
export function wholeNamespaceOf(path: string, format: Format, isNamespaced: boolean): string | undefined {
  return isNamespaced ? format.namespace.exec(path)?.[1] : '';
}
