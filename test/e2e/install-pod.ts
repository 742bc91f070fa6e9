import { eventually } from '../controlplane/environment.ts';
import { type Container, startContainer } from './install-container.ts';
import type { InstallStage } from './install-stage.ts';

/** Runs the image as the Pod of the Deployment would run, with the token of its service account; resolves when it is ready. */
export async function runAsPod(stage: InstallStage): Promise<Container> {
  const kubectl = (...args: string[]): Promise<string> => stage.plane.kubectl(['-n', 'tocsin', ...args]);
  const pod = (
    await kubectl('get', 'pods', '-l', 'app.kubernetes.io/name=tocsin', '-o=jsonpath={.items[0].metadata.name}')
  ).trim();
  const token = await kubectl('create', 'token', 'tocsin', '--bound-object-kind=Pod', `--bound-object-name=${pod}`);
  const { hostname, port } = new URL(stage.plane.url);
  const container = await startContainer({
    image: stage.image,
    args: ['run', '--host', '127.0.0.1', '--port', '0', '--log-level', 'debug'],
    environment: {
      POD_NAME: pod,
      POD_NAMESPACE: 'tocsin',
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    },
    serviceAccount: { token: token.trim(), 'ca.crt': stage.plane.admin.ca, namespace: 'tocsin' },
    stateDirectory: '/var/lib/tocsin',
  });
  await eventually('ready', async () => ((await fetch(`${container.url}/readyz`)).ok ? true : undefined), 30_000);
  return container;
}
