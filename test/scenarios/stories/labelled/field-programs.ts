import { at, field, image, tcp } from '../../kit/field.ts';
import type { ImageScript } from '../../kit/hands.ts';
import type { ExpectedIncident, Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** A release of one program that fails by itself, beside one that does not. */
const release = (
  description: string,
  place: string,
  does: ImageScript,
  more: object = {},
  begins: Pick<ExpectedIncident, 'beginsAfterSeconds'> = {},
): Scenario =>
  field(description, (cluster, { storefront }) => {
    const name = place.split('/')[1] ?? '';
    const workload = cluster.deployment(place, {
      replicas: 2,
      image: image(`${name}:1`),
      spec: { strategy: { type: 'Recreate' } },
      ...more,
    });
    cluster.service(place);
    cluster.image(image(`${name}:2`), does);
    cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
    cluster.at('9s', () => workload.setImage(image(`${name}:2`)));
    cluster.expectIncident({
      root: at(place),
      ...begins,
      mustNotBlame: ['Deployment/web/storefront', at(place, 'Service')],
    });
  });

/** What releases of programs of many languages fail with by themselves. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.psycopg.org/docs/install.html#runtime-requirements
  'release-without-a-library': release(
    'The image of a release was built on a slimmer base and lacks a shared library',
    'billing/invoices',
    ends([
      'Traceback (most recent call last):',
      '  File "/app/manage.py", line 22, in <module>',
      'ImportError: libpq.so.5: cannot open shared object file: No such file or directory',
    ]),
  ),
  // https://sourceware.org/glibc/wiki/Release/2.34
  'release-for-a-newer-base': release(
    'A binary was built against a newer C library than its image has',
    'billing/pdf',
    ends(["/app/pdf: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /app/pdf)"]),
  ),
  // https://nextjs.org/docs/messages/next-start-serverless
  'release-was-never-built': release(
    'The image of a site holds its sources and no build of them',
    'web/booking',
    ends([
      "Error: Could not find a production build in the '.next' directory. Try building your app with 'next build' before starting the production server. https://nextjs.org/docs/messages/production-start-no-build-id",
      '    at setupFsCheck (/app/node_modules/next/dist/server/lib/router-utils/filesystem.js:151:19)',
    ]),
  ),
  // https://learn.microsoft.com/en-us/aspnet/core/fundamentals/dependency-injection
  'release-does-not-register-a-service': release(
    'A release of an ASP.NET program asks for a service that it does not register',
    'hr/payroll',
    ends(
      [
        "Unhandled exception. System.AggregateException: Some services are not able to be constructed (Error while validating the service descriptor 'ServiceType: Payroll.IRuns Lifetime: Scoped ImplementationType: Payroll.Runs': Unable to resolve service for type 'Payroll.IClock' while attempting to activate 'Payroll.Runs'.)",
        '   at Microsoft.Extensions.DependencyInjection.ServiceProvider..ctor(ICollection`1 serviceDescriptors, ServiceProviderOptions options)',
      ],
      134,
    ),
  ),
  // https://docs.oracle.com/en/java/javase/21/troubleshoot/troubleshooting-memory-leaks.html
  'release-fills-its-metaspace': release(
    'A release loads so many classes that the room for them is too small',
    'crm/rules',
    ends(
      [
        'Exception in thread "main" java.lang.OutOfMemoryError: Metaspace',
        '\tat java.base/java.lang.ClassLoader.defineClass1(Native Method)',
        'Terminating due to java.lang.OutOfMemoryError: Metaspace',
      ],
      3,
      12,
    ),
    { memory: '1Gi' },
  ),
  // https://docs.oracle.com/en/java/javase/21/troubleshoot/troubleshooting-memory-leaks.html: unable to create native thread.
  'release-starts-too-many-threads': release(
    'A release starts a thread per customer, and may have no more of them',
    'crm/sync',
    ends(
      [
        '[4.112s][warning][os,thread] Failed to start thread "Unknown thread" with pthread_create failed (EAGAIN) for attributes: stacksize: 1024k, guardsize: 0k, detached.',
        'Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
      ],
      1,
      8,
    ),
  ),
  // https://www.rabbitmq.com/docs/queues#property-equivalence
  'worker-declares-a-queue-in-another-way': field(
    'A release of a worker declares its queue as another type than it is; the broker and other workers are healthy',
    (cluster, { wiki }) => {
      cluster.statefulSet('mq/rabbitmq', { replicas: 3, image: 'docker.io/library/rabbitmq:4.1' });
      cluster.service('mq/rabbitmq', tcp(5672, 'amqp'));
      const values = { CELERY_BROKER_URL: 'amqp://rabbitmq.mq.svc:5672//' };
      cluster.deployment('shop/mailer', { replicas: 2, image: image('mailer:4'), values });
      const worker = cluster.deployment('shop/worker', {
        replicas: 3,
        image: image('worker:4'),
        values,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(
        image('worker:5'),
        ends([
          "[2026-11-22 09:00:14,331: CRITICAL/MainProcess] Unrecoverable error: PreconditionFailed(406, \"PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'orders' in vhost '/': received 'quorum' but current is 'classic'\", (50, 10), 'Queue.declare')",
          'Traceback (most recent call last):',
          '  File "/usr/local/lib/python3.12/site-packages/celery/worker/worker.py", line 202, in start',
        ]),
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('8s', () => worker.setImage(image('worker:5')));
      cluster.expectIncident({
        root: 'Deployment/shop/worker',
        mustNotBlame: ['StatefulSet/mq/rabbitmq', 'Service/mq/rabbitmq', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-a-grpc-liveness-probe
  'release-forgets-its-health-service': release(
    'A release of a gRPC server no longer says how it is, and its probe is refused an answer',
    'grpc/quotes',
    unready(
      ['{"level":"info","ts":"2026-11-22T09:00:12.118Z","msg":"serving gRPC","addr":":8080"}'],
      'error: health rpc probe failed: rpc error: code = Unimplemented desc = unknown service grpc.health.v1.Health',
    ),
    { spec: {} },
    { beginsAfterSeconds: 9 },
  ),
  // https://grafana.com/docs/grafana/latest/troubleshooting/: /var/lib/grafana is not writable.
  'release-runs-as-another-user': field(
    'A release runs as another user, to whom the files on its volume do not belong',
    (cluster) => {
      const grafana = cluster.deployment('monitoring/grafana', {
        image: 'docker.io/grafana/grafana:12.1',
        pod: { securityContext: { runAsUser: 472, fsGroup: 472 } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('monitoring/grafana');
      cluster.at('8s', () => {
        cluster.image(
          'docker.io/grafana/grafana:12.1',
          ends(
            [
              "GF_PATHS_DATA='/var/lib/grafana' is not writable.",
              'You may have issues with file permissions, more information here: http://docs.grafana.org/installation/docker/#migrate-to-v51-or-later',
              "mkdir: can't create directory '/var/lib/grafana/plugins': Permission denied",
            ],
            1,
            1,
          ),
        );
        grafana.change({ pod: { securityContext: { runAsUser: 1001, runAsNonRoot: true } } });
      });
      cluster.expectIncident({ root: 'Deployment/monitoring/grafana', mustNotBlame: ['Service/monitoring/grafana'] });
    },
  ),
  // https://www.haproxy.com/documentation/haproxy-configuration-manual/latest/#3.2-maxconn: more sockets than it may have.
  'proxy-has-no-more-file-descriptors': field(
    'A proxy in front of two sites may open no more files and accepts nobody; who calls through it waits in vain',
    (cluster) => {
      cluster.deployment('edge/haproxy', { replicas: 2, image: 'docker.io/library/haproxy:3.2' });
      cluster.service('edge/haproxy');
      cluster.at('8s', () =>
        cluster.befall(
          'docker.io/library/haproxy:3.2',
          unready(
            [
              '[ALERT]    (8) : sendmsg()/writev() failed in logger #1: Too many open files (errno=24)',
              '[ALERT]    (8) : accept(): cannot accept new connections: Too many open files (errno=24)',
            ],
            'Get "http://10.244.2.8:8080/ready": context deadline exceeded',
          ),
        ),
      );
      cluster.deployment('web/portal', {
        replicas: 2,
        image: image('portal:3'),
        values: { GATEWAY: 'http://haproxy.edge.svc' },
      });
      cluster.deployment('web/kiosk', {
        replicas: 2,
        image: image('kiosk:3'),
        values: { GATEWAY: 'http://haproxy.edge.svc' },
      });
      cluster.at('20s', () => {
        cluster.befall(
          image('portal:3'),
          unready([
            'AxiosError: timeout of 5000ms exceeded',
            "    url: 'http://haproxy.edge.svc/api/session',",
            "    code: 'ECONNABORTED'",
          ]),
        );
        cluster.befall(image('kiosk:3'), unready(['Error: connect ECONNREFUSED haproxy.edge.svc:80']));
      });
      cluster.expectIncident({
        root: 'Deployment/edge/haproxy',
        mustNotBlame: ['Deployment/web/portal', 'Deployment/web/kiosk'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#local-ephemeral-storage
  'release-writes-more-than-it-may': field(
    'A release writes its debug log to disk and is evicted again and again for it',
    (cluster) => {
      const workload = cluster.deployment('media/encoder', { replicas: 2, image: image('encoder:1') });
      cluster.image(image('encoder:2'), {
        evicted: {
          afterSeconds: 20,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
        },
        log: ['DEBUG frame 184223 written to /tmp/trace.log'],
      });
      cluster.at('8s', () => workload.setImage(image('encoder:2')));
      cluster.expectIncident({
        root: 'Deployment/media/encoder',
        beginsAfterSeconds: 28,
        firstMessageWithinSeconds: 300,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    '4m',
  ),
  // https://12factor.net/backing-services: an init container that waits for a name nobody has.
  'start-waits-for-a-misspelt-name': field(
    'A release waits before its start for a name that is misspelt; the broker itself is healthy',
    (cluster) => {
      cluster.statefulSet('mq/rabbitmq', { image: 'docker.io/library/rabbitmq:4.1' });
      cluster.service('mq/rabbitmq', tcp(5672, 'amqp'));
      const workload = cluster.deployment('shop/notifier', {
        replicas: 2,
        image: image('notifier:2'),
        init: image('wait-for:1'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(image('wait-for:2'), {
        exit: { afterSeconds: 30, code: 1 },
        log: [
          'nc: getaddrinfo for host "rabitmq.mq.svc" port 5672: Name does not resolve',
          'wait-for: timeout after 30 s waiting for rabitmq.mq.svc:5672',
        ],
      });
      cluster.at('8s', () => workload.change({ init: image('wait-for:2') }));
      cluster.expectIncident({
        root: 'Deployment/shop/notifier',
        firstMessageWithinSeconds: 240,
        mustNotBlame: ['StatefulSet/mq/rabbitmq', 'Service/mq/rabbitmq', 'Deployment/kube-system/coredns'],
      });
    },
  ),
  // https://kubernetes.io/docs/reference/using-api/deprecation-guide/
  'operator-asks-for-a-removed-version': field(
    'A release of the cluster no longer serves a version that an old operator asks for',
    (cluster) => {
      cluster.deployment('databases/mongo-operator', { image: image('mongo-operator:0.8') });
      cluster.at('8s', () =>
        cluster.befall(
          image('mongo-operator:0.8'),
          ends([
            '{"level":"error","ts":1795424411.118,"logger":"setup","msg":"problem running manager","error":"no matches for kind \\"CronJob\\" in version \\"batch/v1beta1\\"","stacktrace":"main.main\\n\\t/workspace/main.go:103\\nruntime.main\\n\\t/usr/local/go/src/runtime/proc.go:250"}',
          ]),
        ),
      );
      cluster.expectIncident({ root: 'Deployment/databases/mongo-operator' });
    },
  ),
};
