import type { Cluster } from './cluster.ts';
import { runControllers } from './controllers/controller.ts';
import { cronJobController } from './controllers/cron-job.ts';
import { daemonSetController } from './controllers/daemon-set.ts';
import { deploymentController } from './controllers/deployment.ts';
import { disruptionController } from './controllers/disruption.ts';
import { endpointSliceController } from './controllers/endpoint-slice.ts';
import { garbageCollector } from './controllers/garbage-collector.ts';
import { jobController } from './controllers/job.ts';
import { namespaceController } from './controllers/namespace.ts';
import { evictionController, nodeLifecycleController } from './controllers/node-lifecycle.ts';
import { replicaSetController } from './controllers/replica-set.ts';
import { resourceQuotaController } from './controllers/resource-quota.ts';
import { scheduler } from './controllers/scheduler.ts';
import { statefulSetController } from './controllers/stateful-set.ts';
import { volumeBinder } from './controllers/volume-binder.ts';
import { volumeProvisioner } from './controllers/volume-provisioner.ts';

/** Just enough of the controller manager and the scheduler to tell a story. The returned function stops them. */
export function startControllers(cluster: Cluster): () => void {
  return runControllers(cluster, [
    deploymentController(cluster),
    replicaSetController(cluster),
    statefulSetController(cluster),
    daemonSetController(cluster),
    jobController(cluster),
    cronJobController(cluster),
    endpointSliceController(cluster),
    resourceQuotaController(cluster),
    disruptionController(cluster),
    volumeBinder(cluster),
    volumeProvisioner(cluster),
    scheduler(cluster),
    nodeLifecycleController(cluster),
    evictionController(cluster),
    garbageCollector(cluster),
    namespaceController(cluster),
  ]);
}
