import { Mailer } from '../../delivery/mail.ts';
import type { FindService } from '../../delivery/named-service.ts';
import { type Names, Resolver } from '../../delivery/resolver.ts';
import { createSender, type SendFor, type SendSettings } from '../../delivery/send.ts';
import type { DispatcherOptions } from '../../delivery/types.ts';
import type { OwnerOf } from '../../delivery/vet.ts';
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings.ts';
import { type AwsIdentityOptions, awsElsewhere, createAwsIdentity } from '../../providers/kit/aws-identity.ts';
import type { ProviderTls } from '../../providers/kit/tls.ts';
import type { Converse, Send } from '../../providers/provider.ts';

/** A question that is held open for less is not given up before; milliseconds. */
const heldTimeoutMs = 45_000;

/** The ways back from products. */
export type HeldWays = { readonly send: Send; readonly converse: Converse };

/** The ways of deliveries to the network: HTTP and mail under one set of rules. */
export type Outbound = Required<Pick<DispatcherOptions, 'send' | 'mail' | 'aws'>> & {
  /** For requests of the operator itself, under the same rules as those of providers in its own namespace. */
  readonly sendOwn: Send;
  /** For questions that products hold open and for conversations, under the rules of providers in the operator's namespace. */
  readonly held: (tls: ProviderTls | undefined) => HeldWays;
  /** Ends all exchanges and conversations. */
  close(): Promise<void>;
};

/** Makes both. `settings`: as they are at each call. */
export function createOutbound(options: {
  readonly clock: Clock;
  readonly version: string;
  /** The operator's. */
  readonly namespace: string;
  readonly settings: () => Settings;
  /** Whose the cluster's own addresses are, where they are of public ranges. */
  readonly ownerOf?: OwnerOf;
  /** Asked for the Services that providers of other namespaces send to; without it they reach none. */
  readonly findService?: FindService;
  /** Of this process in its Pod; absent: it is somewhere else. */
  readonly pod?: Pick<AwsIdentityOptions, 'env' | 'read'>;
  /** Default: as the Pod resolves names. */
  readonly resolver?: Names;
}): Outbound {
  const settings = (): SendSettings => {
    const { delivery, app } = options.settings();
    return {
      timeoutMs: delivery.timeoutSeconds * 1000,
      allowedPrivateDestinations: delivery.allowedPrivateDestinations,
      ...(app.proxyURL !== undefined && { proxyURL: app.proxyURL }),
    };
  };
  const { clock, version, resolver = new Resolver({ clock }), findService, ownerOf } = options;
  const shared = { clock, resolver, settings, ...(findService && { findService }), ...(ownerOf && { ownerOf }) };
  const sender = createSender({ ...shared, version });
  const mailer = new Mailer(shared);
  const rules = (...[provider, type, tls]: Parameters<DispatcherOptions['send']>): SendFor => ({
    // Whoever writes objects in the operator's namespace could reach what it can anyhow.
    allPrivate: provider.namespace === options.namespace,
    ...(provider.namespace !== options.namespace && { tenant: provider.namespace }),
    ...(type.minTimeoutMs !== undefined && { minTimeoutMs: type.minTimeoutMs }),
    tls,
  });
  const askAgent: AwsIdentityOptions['askAgent'] = (url, token) =>
    sender.for({ allPrivate: true, podAgentOnly: true })({ method: 'GET', url, headers: { authorization: token } });
  const aws = options.pod ? createAwsIdentity({ ...options.pod, askAgent }) : awsElsewhere;
  return {
    // A tenant that came as Tocsin could send whatever Tocsin may.
    aws: ({ namespace }) => (namespace === options.namespace ? aws : undefined),
    send: (...provider) => sender.for(rules(...provider)),
    mail: (...provider) => mailer.for(rules(...provider)),
    sendOwn: sender.for({ allPrivate: true }),
    held: (tls) => ({
      send: sender.for({ allPrivate: true, minTimeoutMs: heldTimeoutMs, tls }),
      converse: sender.converse({ allPrivate: true, tls }),
    }),
    async close() {
      mailer.close();
      await sender.close();
    },
  };
}
