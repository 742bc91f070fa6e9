/**
 * The informer of `@kubernetes/client-node` on what Tocsin watches (ConfigMaps left out: it cannot ask for metadata only).
 * Arguments: the API server's address, its CA's file.
 */
import { readFileSync } from 'node:fs';
import { AppsV1Api, BatchV1Api, CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { answerParent } from './child.ts';

const [server = '', caFile = ''] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'bench', server, caData: readFileSync(caFile).toString('base64') }],
  users: [{ name: 'bench', token: 'bench' }],
  contexts: [{ name: 'bench', cluster: 'bench', user: 'bench' }],
  currentContext: 'bench',
});
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
const batch = config.makeApiClient(BatchV1Api);

/** Sources by the names that coverage has for them. */
const informers = {
  namespaces: makeInformer(config, '/api/v1/namespaces', () => core.listNamespace()),
  nodes: makeInformer(config, '/api/v1/nodes', () => core.listNode()),
  'deployments.apps': makeInformer(config, '/apis/apps/v1/deployments', () => apps.listDeploymentForAllNamespaces()),
  'replicasets.apps': makeInformer(config, '/apis/apps/v1/replicasets', () => apps.listReplicaSetForAllNamespaces()),
  'statefulsets.apps': makeInformer(config, '/apis/apps/v1/statefulsets', () => apps.listStatefulSetForAllNamespaces()),
  'daemonsets.apps': makeInformer(config, '/apis/apps/v1/daemonsets', () => apps.listDaemonSetForAllNamespaces()),
  'jobs.batch': makeInformer(config, '/apis/batch/v1/jobs', () => batch.listJobForAllNamespaces()),
  'cronjobs.batch': makeInformer(config, '/apis/batch/v1/cronjobs', () => batch.listCronJobForAllNamespaces()),
  pods: makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces()),
};

answerParent({
  async sync() {
    const cpu = process.cpuUsage();
    // One after the other: together their answers would be in memory at the same time.
    for (const informer of Object.values(informers)) await informer.start();
    const { user, system } = process.cpuUsage(cpu);
    return { sources: Object.keys(informers), cpuSeconds: (user + system) / 1e6 };
  },
});
