import { type Kubectl, providerColumns, silenceColumns } from './kubectl.ts';
import { deployment, operatorNamespace, searchSilence, shopNamespace } from './manifests.ts';
import type { Received } from './receiver.ts';
import type { Screen } from './screen.ts';

/** What a chapter works with. */
export type Stage = {
  readonly kubectl: Kubectl;
  readonly screen: Screen;
  /** Pulls the plug of a node. */
  readonly loseNode: (name: string) => void;
  /** Resolves with the first message from now on that matches; with nothing after `seconds` or when the demo is stopped. */
  readonly message: (matches: (received: Received) => boolean, seconds: number) => Promise<Received | undefined>;
  /** Resolves after so many seconds or when the demo is stopped. */
  readonly pause: (seconds: number) => Promise<void>;
};

/** One thing that breaks, and what comes of it. Resolves with whether what had to be told was told. */
type Chapter = (stage: Stage) => Promise<boolean>;

/** The healthy shop the story begins with. */
export const shop = [
  deployment('checkout', { image: 'registry.example/checkout:1.4.2', replicas: 5 }),
  deployment('web', { image: 'registry.example/web:7.0', replicas: 4 }),
  deployment('cart', { image: 'registry.example/cart:2.2', replicas: 3 }),
  deployment('search', { image: 'registry.example/search:3.9', replicas: 3 }),
  deployment('mail', { image: 'registry.example/mail:1.1', replicas: 2 }),
] as const;

const opened = (name: string) => (received: Received) =>
  received.type === 'incident.opened' && received.title.includes(name);
const resolved = (name: string) => (received: Received) =>
  received.type === 'incident.resolved' && received.title.includes(name);

const setImage = (stage: Stage, name: string, image: string, annotations: object): Promise<void> =>
  stage.kubectl.patch('Deployment', shopNamespace, name, {
    spec: { template: { metadata: { annotations }, spec: { containers: [{ name: 'app', image }] } } },
  });

const badRelease: Chapter = async (stage) => {
  stage.screen.story('A release goes wrong: the new image crashes at its start. The old Pods stay healthy.');
  stage.screen.command('kubectl -n shop set image deployment/checkout app=registry.example/checkout:1.4.3');
  await setImage(stage, 'checkout', 'registry.example/checkout:1.4.3', {
    'sandbox.tocsin.dev/script': JSON.stringify({
      readyAfterSeconds: 20,
      exit: { afterSeconds: 4, code: 1 },
      log: ['INFO  checkout 1.4.3 starting', 'FATAL unknown column "vat_rate" in table "orders"'],
    }),
  });
  stage.screen.aside(
    'Tocsin waits for the crash loop to be certain, then tells once: for the Deployment, not for each Pod.',
  );
  return (await stage.message(opened('checkout'), 120)) !== undefined;
};

const rollBack: Chapter = async (stage) => {
  stage.screen.story('Somebody rolls back.');
  stage.screen.command('kubectl -n shop rollout undo deployment/checkout');
  await setImage(stage, 'checkout', 'registry.example/checkout:1.4.2', { 'sandbox.tocsin.dev/script': null });
  return (await stage.message(resolved('checkout'), 90)) !== undefined;
};

const missingSecret: Chapter = async (stage) => {
  stage.screen.story('A new workload names a Secret that nobody created.');
  stage.screen.command('kubectl -n shop create -f payments.yaml');
  await stage.kubectl.create(
    deployment('payments', { image: 'registry.example/payments:0.9', replicas: 2, secret: 'payments-token' }),
  );
  const told = await stage.message(opened('payments'), 90);
  stage.screen.story('The Secret is created.');
  stage.screen.command('kubectl -n shop create secret generic payments-token --from-literal=token=…');
  await stage.kubectl.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'payments-token', namespace: shopNamespace },
    data: { token: Buffer.from('not-a-real-token').toString('base64') },
  });
  return told !== undefined && (await stage.message(resolved('payments'), 90)) !== undefined;
};

const silenced: Chapter = async (stage) => {
  stage.screen.story('The search team is migrating and silences its own workload before it breaks it.');
  stage.screen.command('kubectl apply -f silence.yaml');
  await stage.kubectl.create(searchSilence);
  await stage.pause(2);
  stage.screen.command('kubectl -n shop set image deployment/search app=registry.example/search:4.0');
  await setImage(stage, 'search', 'registry.example/search:4.0', {
    'sandbox.tocsin.dev/script': JSON.stringify({ pullError: 'NotFound' }),
  });
  const leaked = await stage.message(opened('search'), 35);
  stage.screen.aside('No message. The incident exists all the same, and the silence counts it:');
  stage.screen.command('kubectl -n tocsin get silences');
  stage.screen.aside(await stage.kubectl.table('Silence', operatorNamespace, silenceColumns));
  return leaked === undefined;
};

const lostNode: Chapter = async (stage) => {
  stage.screen.story('The machine behind node worker-3 loses its power. Kubernetes takes 50 s to be sure.');
  stage.loseNode('worker-3');
  return (await stage.message(opened('worker-3'), 200)) !== undefined;
};

const ending: Chapter = async (stage) => {
  stage.screen.story('That is all. How the provider has fared:');
  stage.screen.command('kubectl -n tocsin get alertproviders');
  stage.screen.aside(await stage.kubectl.table('AlertProvider', operatorNamespace, providerColumns));
  return true;
};

/** The story, in order. */
export const chapters: readonly Chapter[] = [badRelease, rollBack, missingSecret, silenced, lostNode, ending];
